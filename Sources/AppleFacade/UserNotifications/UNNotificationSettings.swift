package import ExtensionWire
public import Foundation

/// Whether the person lets the app notify.
public enum UNAuthorizationStatus: Int, Sendable, CaseIterable {
    case notDetermined = 0
    case denied = 1
    case authorized = 2
    case provisional = 3
    case ephemeral = 4
}

/// A switch of the person's.
public enum UNNotificationSetting: Int, Sendable, CaseIterable {
    case notSupported = 0
    case disabled = 1
    case enabled = 2
}

public enum UNAlertStyle: Int, Sendable, CaseIterable {
    case none = 0
    case banner = 1
    case alert = 2
}

/// When contents are shown.
public enum UNShowPreviewsSetting: Int, Sendable, CaseIterable {
    case always = 0
    case whenAuthenticated = 1
    case never = 2
}

/// The person's settings for the app.
open class UNNotificationSettings: NSObject, NSCopying {
    private let json: WireValue

    package init(json: WireValue) { self.json = json }

    open var authorizationStatus: UNAuthorizationStatus { word("authorizationStatus") ?? .authorized }
    open var soundSetting: UNNotificationSetting { setting("sound") }
    open var badgeSetting: UNNotificationSetting { setting("badge") }
    open var alertSetting: UNNotificationSetting { setting("alert") }
    open var notificationCenterSetting: UNNotificationSetting { setting("notificationCenter") }
    open var lockScreenSetting: UNNotificationSetting { setting("lockScreen") }
    open var carPlaySetting: UNNotificationSetting { setting("carPlay") }
    open var alertStyle: UNAlertStyle { word("alertStyle") ?? .banner }
    open var showPreviewsSetting: UNShowPreviewsSetting { word("showPreviews") ?? .always }
    open var criticalAlertSetting: UNNotificationSetting { setting("criticalAlert", otherwise: .notSupported) }
    open var announcementSetting: UNNotificationSetting { setting("announcement") }
    open var timeSensitiveSetting: UNNotificationSetting { setting("timeSensitive", otherwise: .notSupported) }
    open var scheduledDeliverySetting: UNNotificationSetting { setting("scheduledDelivery", otherwise: .disabled) }
    open var directMessagesSetting: UNNotificationSetting { setting("directMessages", otherwise: .notSupported) }
    /// Whether the app has a settings screen of its own.
    open var providesAppNotificationSettings: Bool { json["providesAppNotificationSettings"]?.bool ?? false }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    private func setting(
        _ name: String, otherwise: UNNotificationSetting = .enabled
    ) -> UNNotificationSetting {
        word(name) ?? otherwise
    }

    private func word<Word: CaseIterable>(_ name: String) -> Word? {
        Word.allCases.first { "\($0)" == json[name]?.text }
    }
}
