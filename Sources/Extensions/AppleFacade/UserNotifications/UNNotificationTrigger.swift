public import CoreLocation
public import ExtensionWire
public import Foundation

open class UNNotificationTrigger: CopiedByReference {
    public let repeats: Bool
    /// When the device fires a pending request; nil for a trigger that the extension made.
    fileprivate(set) var scheduledDate: Date?

    init(repeats: Bool) { self.repeats = repeats }

    /// A trigger as the device has it; nil for an immediate request.
    package static func reading(_ json: WireValue, scheduledDate: Date?) -> UNNotificationTrigger? {
        let repeats = json["repeats"]?.bool ?? false
        let trigger: UNNotificationTrigger? =
            switch json["type"]?.text {
            case "push": UNPushNotificationTrigger(repeats: repeats)
            case "timeInterval":
                json["timeInterval"]?.number.map {
                    UNTimeIntervalNotificationTrigger(timeInterval: $0, repeats: repeats)
                }
            case "calendar":
                UNCalendarNotificationTrigger(
                    dateMatching: DateComponents(json["dateComponents"] ?? .null), repeats: repeats)
            case "location": UNLocationNotificationTrigger(region: .reading(json["region"] ?? .null), repeats: repeats)
            default: nil
            }
        trigger?.scheduledDate = scheduledDate
        return trigger
    }

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

    open func nextTriggerDate() -> Date? { scheduledDate ?? Date(timeIntervalSinceNow: timeInterval) }

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
        scheduledDate
            ?? (dateComponents.calendar ?? .current).nextDate(
                after: Date(), matching: dateComponents, matchingPolicy: .nextTimePreservingSmallerComponents)
    }

    package override var json: WireValue {
        .object(["type": .string("calendar"), "dateComponents": dateComponents.json, "repeats": .bool(repeats)])
    }
}

extension DateComponents {
    // `nonisolated(unsafe)`: immutable, but key paths are not `Sendable`.
    private nonisolated(unsafe) static let parts: [(name: String, path: WritableKeyPath<DateComponents, Int?>)] = [
        ("year", \.year), ("quarter", \.quarter), ("month", \.month), ("day", \.day), ("weekday", \.weekday),
        ("weekdayOrdinal", \.weekdayOrdinal), ("hour", \.hour), ("minute", \.minute), ("second", \.second),
    ]

    /// Weeks are left out beside a complete date, where they are redundant; the device rejects weeks alone.
    fileprivate var json: WireValue {
        var members: [String: WireValue] = [:]
        for part in Self.parts { members[part.name] = self[keyPath: part.path].map { .integer($0) } }
        if year == nil || month == nil || day == nil {
            members["weekOfMonth"] = weekOfMonth.map { .integer($0) }
            members["weekOfYear"] = weekOfYear.map { .integer($0) }
            members["yearForWeekOfYear"] = yearForWeekOfYear.map { .integer($0) }
        }
        if let timeZone, timeZone != .autoupdatingCurrent { members["timeZone"] = .string(timeZone.identifier) }
        return .object(members)
    }

    fileprivate init(_ json: WireValue) {
        self.init()
        for part in Self.parts { self[keyPath: part.path] = json[part.name]?.integer }
        timeZone = json["timeZone"]?.text.flatMap { TimeZone(identifier: $0) }
    }
}

open class UNLocationNotificationTrigger: UNNotificationTrigger {
    public let region: CLRegion

    public init(region: CLRegion, repeats: Bool) {
        self.region = region
        super.init(repeats: repeats)
    }

    package override var json: WireValue {
        .object(["type": .string("location"), "repeats": .bool(repeats), "region": region.json])
    }
}

extension CLRegion {
    package var json: WireValue {
        var members: [String: WireValue] = [
            "identifier": .string(identifier), "notifyOnEntry": .bool(notifyOnEntry),
            "notifyOnExit": .bool(notifyOnExit),
        ]
        if let circle = self as? CLCircularRegion {
            members["latitude"] = .number(circle.center.latitude)
            members["longitude"] = .number(circle.center.longitude)
            members["radius"] = .number(circle.radius)
        }
        return .object(members)
    }

    fileprivate static func reading(_ json: WireValue) -> CLRegion {
        let center = CLLocationCoordinate2D(
            latitude: json["latitude"]?.number ?? 0, longitude: json["longitude"]?.number ?? 0)
        let region = CLCircularRegion(
            center: center, radius: json["radius"]?.number ?? 0, identifier: json["identifier"]?.text ?? "")
        region.notifyOnEntry = json["notifyOnEntry"]?.bool ?? true
        region.notifyOnExit = json["notifyOnExit"]?.bool ?? true
        return region
    }
}
