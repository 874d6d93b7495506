package import APNs
package import Fields

/// The forms that texts have in more than one type's table.
extension FieldFormat {
    /// A point in time, in UTC or with an offset.
    package static var instant: FieldFormat<Instant> {
        text(
            "a time such as 2026-11-21T07:00:00Z or 2026-11-21T16:00:00+09:00",
            form: TextForm(pattern: InstantText.pattern),
            read: { Instant(written: $0) }, write: { $0.text })
    }

    package static var topic: FieldFormat<String> {
        text(
            "a bundle identifier, with a suffix for some push types: \(TopicRules.form)",
            read: { TopicRules.isTopic($0) ? $0 : nil }, write: { $0 })
    }

    /// Digits of either case.
    package static var deviceToken: FieldFormat<DeviceToken> {
        text(
            "an even number of hexadecimal digits, at most \(2 * DeviceToken.maximumByteCount)",
            form: TextForm(pattern: "^([0-9a-fA-F]{2}){1,\(DeviceToken.maximumByteCount)}$"),
            read: { DeviceToken(hex: Array($0.utf8).span.bytes) }, write: { $0.hex })
    }

    /// `09:30`.
    static var wallTime: FieldFormat<WallTime> {
        text(
            "a time of day from 00:00 to 23:59", form: TextForm(pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$"),
            read: { WallTime(text: $0) }, write: { $0.text })
    }

    /// A language with what narrows it: `ja`, `ja_JP`, `zh-Hans_CN`.
    static var locale: FieldFormat<String> {
        text(
            "a language, with a script and a region if need be, such as ja, ja_JP or zh-Hans_CN",
            form: TextForm(pattern: "^[a-z]{2,3}([_-][A-Z][a-z]{3})?([_-]([A-Z]{2}|[0-9]{3}))?$"),
            read: { isLocale($0) ? $0 : nil }, write: { $0 })
    }

    /// A name out of the IANA's time zone database.
    static var timeZone: FieldFormat<String> {
        text(
            "the IANA name of a time zone, such as Asia/Tokyo or UTC",
            form: TextForm(minimumLength: 1, format: "time-zone"),
            read: { LocalCalendar.isValid($0) ? $0 : nil }, write: { $0 })
    }

    /// Whether a text has the form of a locale's identifier: language, script, region (Unicode TR 35, 3.2).
    private static func isLocale(_ text: String) -> Bool {
        var parts = text.split(omittingEmptySubsequences: false) { $0 == "_" || $0 == "-" }[...]
        func isLetters(_ part: Substring, _ letters: ClosedRange<Character>) -> Bool {
            part.allSatisfy { letters.contains($0) && $0.isASCII }
        }
        guard let language = parts.popFirst(), 2...3 ~= language.count, isLetters(language, "a"..."z") else {
            return false
        }
        if let script = parts.first, script.count == 4 {
            guard isLetters(script.prefix(1), "A"..."Z"), isLetters(script.dropFirst(), "a"..."z") else { return false }
            parts.removeFirst()
        }
        guard let region = parts.popFirst() else { return true }
        let isCountry = region.count == 2 && isLetters(region, "A"..."Z")
        let isArea = region.count == 3 && region.allSatisfy { $0.isASCII && $0.isNumber }
        return parts.isEmpty && (isCountry || isArea)
    }
}

/// Points in time as people write them: ISO 8601 with at most three digits behind the second.
package enum InstantText {
    /// What they look like, as a regular expression.
    package static let pattern =
        "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{3})?"
        + "(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$"
}
