package import APNs
package import Fields
package import Time

extension FieldFormat {
    package static var instant: FieldFormat<Instant> {
        text(
            "a time such as 2026-11-21T07:00:00Z or 2026-11-21T16:00:00+09:00",
            form: TextForm(pattern: InstantText.pattern),
            read: { Instant(text: $0) }, write: { $0.text })
    }

    package static var topic: FieldFormat<String> {
        text(
            "a bundle identifier, with a suffix for some push types: \(TopicRules.form)",
            where: { TopicRules.isTopic($0) })
    }

    /// Accepts digits of either case.
    package static var deviceToken: FieldFormat<DeviceToken> {
        text(
            "an even number of hexadecimal digits, at most \(2 * DeviceToken.maximumByteCount)",
            form: TextForm(pattern: "^([0-9a-fA-F]{2}){1,\(DeviceToken.maximumByteCount)}$"),
            read: { DeviceToken(hex: Array($0.utf8).span.bytes) }, write: { $0.hex })
    }

    static var wallTime: FieldFormat<WallTime> {
        text(
            "a time of day from 00:00 to 23:59", form: TextForm(pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$"),
            read: { WallTime(text: $0) }, write: { $0.text })
    }

    static var locale: FieldFormat<String> {
        text(
            "a language, with a script and a region if need be, such as ja, ja_JP or zh-Hans_CN",
            form: TextForm(pattern: "^[a-z]{2,3}([_-][A-Z][a-z]{3})?([_-]([A-Z]{2}|[0-9]{3}))?$"),
            where: { isLocale($0) })
    }

    package static var timeZone: FieldFormat<String> {
        text(
            "the IANA name of a time zone, such as Asia/Tokyo or UTC",
            form: TextForm(minimumLength: 1, format: "time-zone"), where: { LocalCalendar(timeZone: $0) != nil })
    }

    /// Checks for the form of a locale identifier: language, script, region (Unicode TR 35, 3.2).
    private static func isLocale(_ text: String) -> Bool {
        let shape = text.utf8.map { byte in
            switch byte {
            case 0x61...0x7A: "a"
            case 0x41...0x5A: "A"
            case 0x30...0x39: "0"
            case 0x2D, 0x5F: "-"
            default: "?"
            }
        }
        return ["", "-Aaaa"].contains { script in
            ["", "-AA", "-000"].contains { ["aa\(script)\($0)", "aaa\(script)\($0)"].contains(shape.joined()) }
        }
    }
}

package enum InstantText {
    /// Matches what `Instant(text:)` reads.
    package static let pattern =
        "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{3})?"
        + "(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$"
}
