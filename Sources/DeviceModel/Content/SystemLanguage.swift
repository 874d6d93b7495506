/// The languages that the system's own words exist in here.
package enum SystemLanguage: String, CaseIterable, Sendable {
    case english = "en"
    case japanese = "ja"

    /// The language for a locale such as `ja_JP`; English for everything but Japanese.
    package init(locale: String) {
        let language = locale.prefix { $0 != "_" && $0 != "-" }
        self = language == "ja" ? .japanese : .english
    }
}

/// What the system itself says on a notification, in the device's language; English where a language is not here.
struct SystemWords {
    /// What stands in the place of a hidden text.
    var notification: String
    /// The label of a Time Sensitive notification.
    var timeSensitive: String

    /// - Parameter locale: the device's, such as `ja_JP`.
    init(locale: String) {
        switch locale.lowercased().prefix(while: { $0 != "_" && $0 != "-" }) {
        case "ja": self.init(notification: "通知", timeSensitive: "即時通知")
        default: self.init(notification: "Notification", timeSensitive: "Time Sensitive")
        }
    }

    private init(notification: String, timeSensitive: String) {
        self.notification = notification
        self.timeSensitive = timeSensitive
    }
}
