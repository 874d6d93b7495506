public import CoreLocation
package import ExtensionWire
public import Foundation

open class UNNotificationTrigger: NSObject, NSCopying {
    public let repeats: Bool

    init(repeats: Bool) { self.repeats = repeats }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    package var json: WireValue { .object(["type": .string("push"), "repeats": .bool(repeats)]) }

    /// Reads a trigger; the host sends a push's to the extension, and those of pending requests.
    package static func make(_ json: WireValue) -> UNNotificationTrigger? {
        let repeats = json["repeats"]?.bool ?? false
        switch json["type"]?.text {
        case "push": return UNPushNotificationTrigger(repeats: false)
        case "timeInterval":
            guard let interval = json["timeInterval"]?.number, interval > 0 else { return nil }
            return UNTimeIntervalNotificationTrigger(timeInterval: interval, repeats: repeats)
        case "calendar":
            return UNCalendarNotificationTrigger(
                dateMatching: DateComponents(json: json["dateComponents"] ?? .null), repeats: repeats)
        default: return nil
        }
    }
}

open class UNPushNotificationTrigger: UNNotificationTrigger {}

open class UNTimeIntervalNotificationTrigger: UNNotificationTrigger {
    /// Seconds.
    public let timeInterval: TimeInterval

    /// Stops the process, as on iOS, when the interval is not positive, or repeats within less than a minute.
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
    private static var names: [(String, WritableKeyPath<DateComponents, Int?>)] {
        [
            ("year", \.year), ("month", \.month), ("day", \.day), ("weekday", \.weekday), ("hour", \.hour),
            ("minute", \.minute), ("second", \.second),
        ]
    }

    fileprivate init(json: WireValue) {
        self.init()
        for (name, path) in Self.names { self[keyPath: path] = json[name]?.integer }
        timeZone = json["timeZone"]?.text.flatMap { TimeZone(identifier: $0) }
    }

    fileprivate var json: WireValue {
        var members: [String: WireValue] = [:]
        for (name, path) in Self.names { members[name] = self[keyPath: path].map { .integer($0) } }
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
