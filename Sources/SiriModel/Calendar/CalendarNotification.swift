internal import APNs
internal import DeviceModel
internal import JSON
internal import LiveModel

/// The notifications of the Calendar app.
extension LocalNotification {
    /// "Added to calendar": one for all donations within a short time (G.4).
    static func added(_ items: [CalendarItem], _ context: LiveContext) -> LocalNotification {
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
    static func leave(_ item: CalendarItem, _ context: LiveContext) -> LocalNotification {
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
