public import CoreLocation
public import ExtensionWire
public import Foundation

open class UNNotificationTrigger: CopiedByReference {
    public let repeats: Bool

    init(repeats: Bool) { self.repeats = repeats }

    package var json: WireValue { .object(["type": .string("push"), "repeats": .bool(repeats)]) }
}

open class UNPushNotificationTrigger: UNNotificationTrigger {}

open class UNTimeIntervalNotificationTrigger: UNNotificationTrigger {
    /// In seconds.
    public let timeInterval: TimeInterval

    /// Traps, as on iOS, if the interval is not positive or is repeating and below 60 seconds.
    public init(timeInterval: TimeInterval, repeats: Bool) {
        precondition(timeInterval > 0, "time interval must be greater than 0")
        precondition(!repeats || timeInterval >= 60, "time interval must be at least 60 if repeating")
        self.timeInterval = timeInterval
        super.init(repeats: repeats)
    }

    open func nextTriggerDate() -> Date? { Date(timeIntervalSinceNow: timeInterval) }

    package override var json: WireValue {
        .object(["type": .string("timeInterval"), "timeInterval": .number(timeInterval), "repeats": .bool(repeats)])
    }
}

open class UNCalendarNotificationTrigger: UNNotificationTrigger {
    public let dateComponents: DateComponents

    public init(dateMatching dateComponents: DateComponents, repeats: Bool) {
        self.dateComponents = dateComponents
        super.init(repeats: repeats)
    }

    open func nextTriggerDate() -> Date? {
        (dateComponents.calendar ?? .current).nextDate(
            after: Date(), matching: dateComponents, matchingPolicy: .nextTime)
    }

    package override var json: WireValue {
        .object(["type": .string("calendar"), "dateComponents": dateComponents.json, "repeats": .bool(repeats)])
    }
}

extension DateComponents {
    fileprivate var json: WireValue {
        let parts = [
            "year": year, "month": month, "day": day, "weekday": weekday, "hour": hour, "minute": minute,
            "second": second,
        ]
        var members = parts.compactMapValues { $0.map { WireValue.integer($0) } }
        members["timeZone"] = timeZone.map { .string($0.identifier) }
        return .object(members)
    }
}

open class UNLocationNotificationTrigger: UNNotificationTrigger {
    public let region: CLRegion

    public init(region: CLRegion, repeats: Bool) {
        self.region = region
        super.init(repeats: repeats)
    }

    package override var json: WireValue {
        var members: [String: WireValue] = [
            "type": .string("location"), "repeats": .bool(repeats), "identifier": .string(region.identifier),
            "notifyOnEntry": .bool(region.notifyOnEntry), "notifyOnExit": .bool(region.notifyOnExit),
        ]
        if let circle = region as? CLCircularRegion {
            members["latitude"] = .number(circle.center.latitude)
            members["longitude"] = .number(circle.center.longitude)
            members["radius"] = .number(circle.radius)
        }
        return .object(members)
    }
}
