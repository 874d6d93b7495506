internal import DeviceModel
internal import JSON
package import Time

/// A calendar event as Siri composes it (G.3).
package struct EventContent: Sendable {
    package let title: String
    package let start: Instant?
    package let end: Instant?
    package let isEndAssumed: Bool
    package let place: EventPlace?
    /// One `Key: value` each.
    package let notes: [String]
    /// The reservation's zone at each end.
    package let startZone: String
    package let endZone: String

    package init(_ reservation: Reservation, locale: String) {
        let language = SystemLanguage(locale: locale)
        let (english, japanese) = reservation.type.label(reservation)
        let words = reservation.type.title(reservation, language).compactMap(\.self).filter { !$0.isEmpty }
        let label = language.text(english: english, japanese: japanese)
        title = ([label + ":"] + words).joined(separator: " ")
        (start, end) = (reservation.start, reservation.end)
        isEndAssumed = reservation.times.end?.instant == nil
        place = reservation.place
        notes = Self.rows.compactMap { row in
            guard let value = row.value(reservation), !value.isEmpty else { return nil }
            return "\(language.text(english: row.english, japanese: row.japanese)): \(value)"
        }
        let range = reservation.times
        startZone = range.start?.timeZone ?? "UTC"
        endZone = range.end?.timeZone ?? startZone
    }

    private struct Row: Sendable {
        let english: String
        let japanese: String
        let value: @Sendable (Reservation) -> String?
    }

    /// In the order of the notes (S4-22).
    private static let rows: [Row] = [
        Row(english: "Reservation number", japanese: "予約番号", value: \.reservationNumber),
        Row(english: "Name", japanese: "予約者", value: \.holder),
        Row(english: "Seat", japanese: "座席", value: { $0.seat?.text }),
        Row(english: "Terminal", japanese: "ターミナル", value: { $0.flight?.departure.terminal }),
        Row(english: "Gate", japanese: "ゲート", value: { $0.flight?.departure.gate }),
        Row(
            english: "Boarding time", japanese: "搭乗時刻",
            value: { ($0.flight?.boardingTime?.start?.wall?.text).map { String($0.prefix(16).suffix(5)) } }),
        Row(english: "Party size", japanese: "人数", value: { $0.partySize.map { "\($0)" } }),
        Row(english: "Guests", japanese: "宿泊者", value: \.guests),
        Row(english: "Car", japanese: "車", value: { $0.rentalCar?.text }),
        Row(english: "Platform", japanese: "のりば", value: { $0.trip?.departurePlatform }),
    ]
}

extension Reservation {
    fileprivate var guests: String? {
        guard adults != nil || children != nil else { return nil }
        return "\((adults ?? 0) + (children ?? 0))"
    }
}

/// The notifications of the Calendar app.
extension LocalNotification {
    /// "Added to calendar": one for all donations within a short time (G.4).
    static func added(_ items: [CalendarItem], _ context: DeviceContext) -> LocalNotification {
        let language = SystemLanguage(locale: context.device.locale)
        let titles = items.map { EventContent($0.reservation, locale: context.device.locale).title }
        var content = NotificationContent()
        content.title =
            items.count == 1
            ? language.text(english: "Event Added to Calendar", japanese: "カレンダーにイベントを追加しました")
            : language.text(
                english: "\(items.count) Events Added to Calendar", japanese: "カレンダーに\(items.count)件のイベントを追加しました")
        content.body = titles.joined(separator: "\n")
        return LocalNotification("siri-\(items[0].number)", content, of: items)
    }

    /// "Time to leave" (G.5).
    static func leave(_ item: CalendarItem, _ context: DeviceContext) -> LocalNotification {
        let event = EventContent(item.reservation, locale: context.device.locale)
        let language = SystemLanguage(locale: context.device.locale)
        var content = NotificationContent()
        content.title = language.text(english: "Time to Leave", japanese: "出発時刻です")
        content.subtitle = event.title
        content.body = event.place?.text ?? ""
        content.sound = .default
        content.statedLevel = .timeSensitive
        return LocalNotification("leave-\(item.number)", content, of: [item])
    }

    private init(_ identifier: String, _ content: NotificationContent, of items: [CalendarItem]) {
        var content = content
        content.userInfo = ["calendarEvents": .array(items.map { .integer($0.number) })]
        self.init(LocalRequest(app: App.calendar.bundleID, identifier: identifier, content: content))
    }
}
