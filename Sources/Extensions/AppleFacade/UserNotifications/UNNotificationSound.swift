public import ExtensionWire
internal import Foundation

public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    public var rawValue: String
    public init(_ rawValue: String) { self.rawValue = rawValue }
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { self.rawValue = value }
}

open class UNNotificationSound: CopiedByReference {
    private let name: String
    private let criticalVolume: Float?

    private init(_ name: String, criticalVolume: Float? = nil) {
        self.name = name
        self.criticalVolume = criticalVolume
    }

    public convenience init(named name: UNNotificationSoundName) { self.init(name.rawValue) }

    open class var `default`: UNNotificationSound { UNNotificationSound("default") }
    open class var defaultCritical: UNNotificationSound { UNNotificationSound("default", criticalVolume: 1) }
    open class var defaultRingtone: UNNotificationSound { UNNotificationSound("default") }

    /// - Parameter volume: From 0 to 1.
    open class func defaultCriticalSound(withAudioVolume volume: Float) -> UNNotificationSound {
        UNNotificationSound("default", criticalVolume: volume)
    }

    /// - Parameter volume: From 0 to 1.
    open class func criticalSoundNamed(
        _ name: UNNotificationSoundName, withAudioVolume volume: Float = 1
    ) -> UNNotificationSound {
        UNNotificationSound(name.rawValue, criticalVolume: volume)
    }

    open class func ringtoneSoundNamed(_ name: UNNotificationSoundName) -> UNNotificationSound {
        UNNotificationSound(name.rawValue)
    }

    open override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationSound)?.json == json }

    open override var hash: Int { json.hashValue }

    package convenience init?(_ json: WireValue?) {
        switch json {
        case .string(let name)?: self.init(name)
        case .object(let members)?:
            let isCritical = members["critical"] == .bool(true)
            self.init(
                members["name"]?.text ?? "default",
                criticalVolume: isCritical ? Float(members["volume"]?.number ?? 1) : nil)
        default: return nil
        }
    }

    package var json: WireValue {
        guard let criticalVolume else { return .string(name) }
        // Through text, because `Double(Float(0.7))` has more digits.
        let volume = Double("\(criticalVolume)") ?? 1
        return .object(["name": .string(name), "critical": .bool(true), "volume": .number(volume)])
    }
}
