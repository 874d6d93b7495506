package import APNs

/// Conditions for running a push's service extension (C.1); all must hold.
package enum ExtensionCondition: String, CaseIterable, Sendable {
    case isAlertPush = "nse.pushType"
    case hasExtension = "nse.extension"
    case isMutable = "nse.mutableContent"
    case hasAlert = "nse.alert"
    case allowsAlerts = "nse.settings"

    package static func unmet(
        by kind: PushType, _ content: ContentTraits, in context: PolicyContext
    ) -> ExtensionCondition? {
        if kind != .alert { return .isAlertPush }
        if context.app.extension == nil { return .hasExtension }
        if !content.isMutable { return .isMutable }
        if !content.hasAlert { return .hasAlert }
        return context.settings.allowsAlerts ? nil : .allowsAlerts
    }

    package var whyNot: String {
        switch self {
        case .isAlertPush: "the push is not an alert, and only alerts go to a service extension"
        case .hasExtension: "the app has no service extension; configure one with the app's `extension`"
        case .isMutable: "`aps` has no \"mutable-content\": 1"
        case .hasAlert: "there is no alert text: a push with only a sound or a badge does not go to the extension"
        case .allowsAlerts: "the app's alerts are turned off on the device"
        }
    }

    package var source: String {
        self == .isMutable
            ? "doc: didReceive(_:withContentHandler:); exactly the number 1: design"
            : "doc: Modifying content in newly delivered notifications"
    }
}

extension NotificationSettings {
    fileprivate var allowsAlerts: Bool {
        switch authorizationStatus {
        case .denied, .notDetermined: false
        case .authorized, .provisional, .ephemeral: alert == .enabled
        }
    }
}
