/// Looks texts up in the `Localizable.strings` that an app has for a language.
package struct Localizer {
    /// A text as it is shown, and what was wrong on the way.
    package struct Lookup {
        package var text: String
        /// Whether the app's language has the key; without it the key itself is shown, as `NSLocalizedString` does.
        package var isKnown = true
        /// How many arguments the text names beyond those given.
        var missingArguments = 0
    }

    /// Key to text; nil when the app has no language that fits.
    private let strings: [String: String]?

    /// Chooses the app's language: the region's own, then the language, then `Base`, then English.
    ///
    /// - Parameter locale: the device's, such as `ja_JP`, `ja-JP` or `zh-Hant_TW`.
    package init(app: App, locale: String) {
        strings =
            Self.candidates(for: locale).lazy.compactMap { wanted in
                app.localizations.first { Self.parts(of: $0.key) == wanted }?.value
            }.first
    }

    /// `ja_JP` gives `ja-jp`, `ja`, `base`, `en`.
    private static func candidates(for locale: String) -> [[String]] {
        let parts = parts(of: locale)
        return parts.indices.reversed().map { Array(parts[...$0]) } + [["base"], ["en"]]
    }

    private static func parts(of language: String) -> [String] {
        language.lowercased().split { $0 == "_" || $0 == "-" }.map(String.init)
    }

    /// A text in the device's language with its arguments in place.
    package func lookup(_ text: LocalizedText) -> Lookup {
        guard let format = strings?[text.key] else { return Lookup(text: text.key, isKnown: false) }
        return Self.fill(format, with: text.arguments)
    }

    /// Puts arguments in the places of `%@` and `%1$@`; `%%` is a percent sign, anything else stays as it is.
    ///
    /// A place without an argument stays empty.
    static func fill(_ format: String, with arguments: [String]) -> Lookup {
        var filled = Lookup(text: "")
        var next = 0
        var wanted = 0
        var rest = format[...]
        while let percent = rest.firstIndex(of: "%") {
            filled.text += rest[..<percent]
            rest = rest[percent...].dropFirst()
            if rest.first == "%" {
                filled.text += "%"
                rest = rest.dropFirst()
            } else if let place = takePlace(&rest) {
                let index = place ?? next
                if place == nil { next += 1 }
                if arguments.indices.contains(index) { filled.text += arguments[index] }
                wanted = max(wanted, index + 1)
            } else {
                filled.text += "%"
            }
        }
        filled.text += rest
        filled.missingArguments = max(0, wanted - arguments.count)
        return filled
    }

    /// Steps over `@` or `1$@`; nil when neither follows, `.some(nil)` for the place after the last one.
    private static func takePlace(_ rest: inout Substring) -> Int?? {
        if rest.first == "@" {
            rest = rest.dropFirst()
            return .some(nil)
        }
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        let tail = rest.dropFirst(digits.count)
        // Three digits are more places than a payload has room for.
        guard digits.count < 4, let number = Int(digits), number > 0, tail.hasPrefix("$@") else { return nil }
        rest = tail.dropFirst(2)
        return number - 1
    }
}

extension NotificationContent {
    /// The content with its texts in the device's language.
    ///
    /// Where a text and a localization key stand side by side, the key counts. A key that the app does not have is shown
    /// itself; a place without an argument stays empty.
    ///
    /// - Parameter locale: the device's language and region, such as `ja_JP`.
    /// - Returns: content with texts only; without keys it is the same.
    package func localized(app: App, locale: String) -> NotificationContent {
        guard hasLocalization else { return self }
        let localizer = Localizer(app: app, locale: locale)
        var content = self
        if let text = titleLocalization { content.title = localizer.lookup(text).text }
        if let text = subtitleLocalization { content.subtitle = localizer.lookup(text).text }
        if let text = bodyLocalization { content.body = localizer.lookup(text).text }
        (content.titleLocalization, content.subtitleLocalization, content.bodyLocalization) = (nil, nil, nil)
        return content
    }

    /// What was wrong with the keys and arguments of the texts.
    package func localizationFindings(app: App, locale: String) -> [Finding] {
        guard hasLocalization else { return [] }
        let localizer = Localizer(app: app, locale: locale)
        let texts = [
            (titleLocalization, AlertKey.titleKey, AlertKey.titleArguments),
            (subtitleLocalization, .subtitleKey, .subtitleArguments), (bodyLocalization, .bodyKey, .bodyArguments),
        ]
        return texts.compactMap { text, key, arguments in
            guard let text else { return nil }
            let lookup = localizer.lookup(text)
            if !lookup.isKnown {
                let severity: Finding.Severity = app.localizations.isEmpty ? .info : .warning
                let message = "the app has no text for \"\(text.key)\" in \(locale); the key itself is shown"
                return Finding("alert.locKey.unknown", severity, at: key.path, message)
            }
            guard lookup.missingArguments > 0 else { return nil }
            let message =
                "the text of \"\(text.key)\" has \(lookup.missingArguments) more placeholders than arguments; they stay empty"
            return Finding("alert.locArgs.tooFew", .warning, at: arguments.path, message)
        }
    }

    private var hasLocalization: Bool {
        titleLocalization != nil || subtitleLocalization != nil || bodyLocalization != nil
    }
}
