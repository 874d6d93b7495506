public import ExtensionWire
internal import Foundation

public enum UNAuthorizationStatus: Int, Sendable, CaseIterable {
    case notDetermined, denied, authorized, provisional, ephemeral
}

public enum UNNotificationSetting: Int, Sendable, CaseIterable { case notSupported, disabled, enabled }

public enum UNAlertStyle: Int, Sendable, CaseIterable { case none, banner, alert }

public enum UNShowPreviewsSetting: Int, Sendable, CaseIterable { case always, whenAuthenticated, never }

open class UNNotificationSettings: CopiedByReference {
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
    open var providesAppNotificationSettings: Bool { json["providesAppNotificationSettings"]?.bool ?? false }

    private func setting(_ name: String, otherwise: UNNotificationSetting = .enabled) -> UNNotificationSetting {
        word(name) ?? otherwise
    }

    private func word<Word: CaseIterable>(_ name: String) -> Word? {
        Word.allCases.first { "\($0)" == json[name]?.text }
    }
}
