package import DeviceModel
internal import Fields
package import JSON

/// The app or page that opens when the person taps an event or a suggestion (G.6).
package struct CalendarLaunch: Sendable, Hashable {
    /// nil opens a page in Safari.
    package var app: String?
    package var url: String?
    /// `NSUserActivity`, for `application(_:continue:restorationHandler:)`.
    package var userActivity: JSONValue?
    /// The destination that Maps shows.
    package var destination: JSONValue?

    /// Of the event, which has the app itself.
    package var details: JSONObject {
        ["url": url.map { .string($0) }, "userActivity": userActivity, "destination": destination]
    }
}

extension CalendarTable {
    /// "Show in App".
    package func launch(
        _ number: UInt64, isWhole: Bool, _ context: DeviceContext
    ) throws(DeviceError) -> CalendarLaunch {
        let item = try find(number)
        guard item.hasEvent || item.state == .cancelled else {
            throw DeviceError(.conflict, "the reservation \(number) has no event yet")
        }
        guard let launch = item.showLaunch(isWhole: isWhole, context) else {
            throw DeviceError(.conflict, "the app is not installed, and the reservation has no url")
        }
        return launch
    }

    /// Directions in Maps (S4-1).
    func directions(_ number: UInt64) throws(DeviceError) -> CalendarLaunch {
        let destination: JSONValue? = try find(number).reservation.place.map { place in
            [
                "name": .string(place.text), "latitude": place.latitude.map { .number($0) },
                "longitude": place.longitude.map { .number($0) },
            ]
        }
        return CalendarLaunch(app: "com.apple.Maps", destination: destination)
    }

    /// The tap on the check-in suggestion.
    package func checkIn(_ number: UInt64, _ context: DeviceContext) throws(DeviceError) -> CalendarLaunch {
        let item = try find(number)
        let isOffered = suggestions(context).contains { $0.event == number && $0.kind == .checkIn }
        guard isOffered, let launch = item.checkInLaunch(context) else {
            throw DeviceError(.conflict, "check-in of \(item.reservation.itemReference.spoken) is not suggested now")
        }
        return launch
    }
}

extension CalendarItem {
    func showLaunch(isWhole: Bool, _ context: DeviceContext) -> CalendarLaunch? {
        guard let app = source.app, isDonatedHere || context.isInstalled(app) else {
            return reservation.url.map { CalendarLaunch(url: $0) }
        }
        let items: [SpokenReference]? = isWhole || isAlone ? nil : [reservation.itemReference]
        let intent: JSONValue = [
            "class": .string(ReservationDonation.intentClass),
            "reservationContainerReference": (container ?? reservation.itemReference).json,
            "reservationItemReferences": items.map { .array($0.map(\.json)) } ?? .null,
        ]
        return CalendarLaunch(
            app: app,
            userActivity: [
                "activityType": .string(ReservationDonation.intentClass), "interaction": ["intent": intent],
            ])
    }

    /// In the app; on a device without it, in Safari (S4-18).
    func checkInLaunch(_ context: DeviceContext) -> CalendarLaunch? {
        let activity = checkIn?.userActivity
        guard let app = source.app, isDonatedHere || context.isInstalled(app) else {
            return (activity?.webpageURL).map { CalendarLaunch(url: $0) }
        }
        return activity.map { CalendarLaunch(app: app, userActivity: $0.json) }
    }

    /// The words of the event's link; nil if nothing can open (G.3).
    package func link(_ context: DeviceContext) -> String? {
        guard let launch = showLaunch(isWhole: false, context) else { return nil }
        let name = launch.app.map { context.app($0).displayName } ?? "Safari"
        return SystemLanguage(locale: context.device.locale).text(english: "Show in \(name)", japanese: "\(name)で表示")
    }
}
