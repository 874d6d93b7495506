/// Looks texts up in the app's `Localizable.strings` for a language.
package struct Localizer {
    package struct Lookup {
        package var text: String
        /// Whether the app's language has the key; if not, the text is the key, as with `NSLocalizedString`.
        package var isKnown = true
        var missingArguments = 0
        /// A C conversion such as `%s` or `%d`, which takes no object.
        var wrongConversion: String?
    }

    private let strings: [String: String]?

    /// Chooses the app's language for a locale such as `ja_JP`, `ja-JP` or `zh-Hant_TW`: the region's own, then the
    /// language, then `Base`, then English.
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

    /// Replaces `%@` and `%1$@` with arguments; a placeholder without one becomes empty.
    package func lookup(_ text: LocalizedText) -> Lookup {
        guard let format = strings?[text.key] else { return Lookup(text: text.key, isKnown: false) }
        let arguments = text.arguments
        var next = 1
        var wanted = 0
        var wrong: String?
        let filled = format.filled { rest, position in
            if wrong == nil, position != nil || !text.arguments.isEmpty, let conversion = rest.conversionOfC {
                wrong = "%\(position.map { "\($0)$" } ?? "")\(conversion)"
            }
            // A payload has no room for placeholders of more than three digits.
            guard rest.first == "@", 1...999 ~= position ?? next else { return nil }
            let place = position ?? next
            if position == nil { next += 1 }
            wanted = max(wanted, place)
            return place <= arguments.count ? arguments[place - 1] : ""
        }
        return Lookup(text: filled, missingArguments: max(0, wanted - arguments.count), wrongConversion: wrong)
    }

    /// A text that has both forms, as a device shows it (assumption `textBesideKey`).
    package func shown(_ text: String, _ key: LocalizedText?, _ rule: Assumptions.TextBesideKey) -> String {
        guard let key, rule == .fallback || text.isEmpty else { return text }
        let lookup = lookup(key)
        return lookup.isKnown || text.isEmpty ? lookup.text : text
    }
}

extension String {
    /// Replaces placeholders such as `%@` and `%1$u` by their values; nil leaves one. `%%` becomes a percent sign.
    ///
    /// - Parameter value: Gets the text from the conversion on, of which one character is replaced.
    func filled(_ value: (_ conversion: Substring, _ position: Int?) -> String?) -> String {
        var text = ""
        var rest = self[...]
        while let percent = rest.firstIndex(of: "%") {
            text += rest[..<percent]
            rest = rest[percent...].dropFirst()
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            let position = rest.dropFirst(digits.count).first == "$" ? Int(digits) : nil
            let place = position == nil ? rest : rest.dropFirst(digits.count + 1)
            if rest.first == "%" {
                text += "%"
                rest = rest.dropFirst()
            } else if !place.isEmpty, let filling = value(place, position) {
                text += filling
                rest = place.dropFirst()
            } else {
                text += "%"
            }
        }
        return text + rest
    }
}

extension Substring {
    /// The conversion at its start that takes no object, such as `s`, `lld`, `02d`, `-5s` or `.2f`; nil for none.
    ///
    /// A flag other than `0` counts before a width only: `10% off` and `5%-off` are texts.
    fileprivate var conversionOfC: Substring? {
        var rest = self[...]
        if let flag = first, "-+".contains(flag), dropFirst().first.map({ "123456789".contains($0) }) ?? false {
            rest = dropFirst()
        }
        rest = rest.drop { $0.isASCII && $0.isNumber }
        if rest.first == "." {
            let fraction = rest.dropFirst()
            rest = fraction.drop { $0.isASCII && $0.isNumber }
            guard rest.startIndex > fraction.startIndex else { return nil }
        }
        let length = ["ll", "hh", "l", "h", "q", "z", "t", "j"].first { rest.hasPrefix($0) } ?? ""
        let kind = rest.dropFirst(length.count)
        guard let letter = kind.first, (length.isEmpty ? "sdiufxXc" : "diuxX").contains(letter) else { return nil }
        return self[..<kind.index(after: kind.startIndex)]
    }
}

extension NotificationContent {
    package func localized(in context: PolicyContext) -> NotificationContent {
        localized(
            app: context.app, locale: context.device.locale, textBesideKey: context.assumptions.textBesideKey)
    }

    /// Replaces texts by their localization in the device's language.
    package func localized(
        app: App, locale: String, textBesideKey rule: Assumptions.TextBesideKey = .fallback
    ) -> NotificationContent {
        guard hasLocalization else { return self }
        let localizer = Localizer(app: app, locale: locale)
        var content = self
        content.title = localizer.shown(title, titleLocalization, rule)
        content.subtitle = localizer.shown(subtitle, subtitleLocalization, rule)
        content.body = localizer.shown(body, bodyLocalization, rule)
        (content.titleLocalization, content.subtitleLocalization, content.bodyLocalization) = (nil, nil, nil)
        return content
    }

    package func localizationFindings(app: App, locale: String) -> [Finding] {
        guard hasLocalization else { return [] }
        let localizer = Localizer(app: app, locale: locale)
        let texts = [
            (title, titleLocalization, AlertKey.titleKey, AlertKey.titleArguments),
            (subtitle, subtitleLocalization, .subtitleKey, .subtitleArguments),
            (body, bodyLocalization, .bodyKey, .bodyArguments),
        ]
        return texts.compactMap { beside, text, key, arguments in
            guard let text else { return nil }
            let lookup = localizer.lookup(text)
            if !lookup.isKnown {
                let severity: Finding.Severity = app.localizations.isEmpty ? .info : .warning
                let shown = beside.isEmpty ? "the key itself" : "the text beside the key"
                let message = "the app has no text for \"\(text.key)\" in \(locale); \(shown) is shown"
                return Finding("alert.locKey.unknown", severity, at: key.path, message)
            }
            if let wrong = lookup.wrongConversion {
                let message = "the text of \"\(text.key)\" has \(wrong): arguments are objects, so only %@ shows them"
                return Finding("alert.locFormat", .warning, at: key.path, message)
            }
            guard lookup.missingArguments > 0 else { return nil }
            let message =
                "the text of \"\(text.key)\" has \(lookup.missingArguments) more placeholders than arguments; they stay empty"
            return Finding("alert.locArgs.tooFew", .warning, at: arguments.path, message)
        }
    }
}

/// The languages of the system's own words; a device in any other language shows English.
package enum SystemLanguage: Sendable {
    case english, japanese, arabic

    package init(locale: String) {
        let language = locale.prefix { $0 != "_" && $0 != "-" }
        self = language == "ja" ? .japanese : language == "ar" ? .arabic : .english
    }

    /// - Parameter arabic: nil for the English text.
    package func text(
        english: @autoclosure () -> String, japanese: @autoclosure () -> String,
        arabic: @autoclosure () -> String? = nil
    ) -> String {
        switch self {
        case .english: english()
        case .japanese: japanese()
        case .arabic: arabic() ?? english()
        }
    }
}
