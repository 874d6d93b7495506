package import APNs

/// Whether a push is given to its app's service extension (C.1): all of the conditions must hold.
package enum ExtensionCondition: String, CaseIterable, Sendable {
    case isAlertPush = "nse.pushType"
    case hasExtension = "nse.extension"
    case isMutable = "nse.mutableContent"
    case hasAlert = "nse.alert"
    case allowsAlerts = "nse.settings"

    /// The first condition that a push does not meet, in the order of the cases; nil when the extension runs.
    package static func unmet(
        by kind: PushType, _ content: ContentTraits, in circumstances: PolicyContext
    ) -> ExtensionCondition? {
        if kind != .alert { return .isAlertPush }
        if circumstances.app.extension == nil { return .hasExtension }
        if !content.isMutable { return .isMutable }
        if !content.hasAlert { return .hasAlert }
        return circumstances.settings.allowsAlerts ? nil : .allowsAlerts
    }

    /// Why the extension does not run, for people.
    package var whyNot: String {
        switch self {
        case .isAlertPush: "the push is not an alert, and only alerts go to a service extension"
        case .hasExtension: "the app has no service extension; configure one with the app's `extension`"
        case .isMutable: "`aps` has no \"mutable-content\": 1"
        case .hasAlert: "there is no alert text: a push with only a sound or a badge does not go to the extension"
        case .allowsAlerts: "the app's alerts are turned off on the device"
        }
    }

    /// Where the condition comes from.
    package var source: String {
        self == .isMutable
            ? "doc: didReceive(_:withContentHandler:); exactly the number 1: design"
            : "doc: Modifying content in newly delivered notifications"
    }
}

extension NotificationSettings {
    /// Whether the person lets the app show alerts, quietly or not.
    package var allowsAlerts: Bool {
        switch authorizationStatus {
        case .denied, .notDetermined: false
        case .authorized, .provisional, .ephemeral: alert == .enabled
        }
    }
}
