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
