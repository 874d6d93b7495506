/// The languages of the system's own words; a device in any other language shows English.
package enum SystemLanguage: Sendable {
    case english, japanese

    package init(locale: String) {
        let language = locale.prefix { $0 != "_" && $0 != "-" }
        self = language == "ja" ? .japanese : .english
    }

    package func text(english: @autoclosure () -> String, japanese: @autoclosure () -> String) -> String {
        switch self {
        case .english: english()
        case .japanese: japanese()
        }
    }
}
