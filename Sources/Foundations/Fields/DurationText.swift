/// Durations as ISO 8601 (`PT1H30M`) or as a number with a unit (`90m`, `500ms`).
package enum DurationText {
    /// In milliseconds, longest first.
    private static let units: [(name: String, milliseconds: Int64)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
    ]

    /// About 292 years, so no sum of milliseconds overflows.
    private static let maximum: Int64 = 9_223_372_036_854

    /// In whole days.
    static let longest = "\(maximum / 86_400_000)d"

    /// For documentation; matches every duration that does not overflow.
    package static let pattern =
        "^([0-9]{1,12}ms|[0-9]{1,9}(\\.[0-9]{1,3})?s|[0-9]{1,7}(\\.[0-9]{1,3})?m|[0-9]{1,5}(\\.[0-9]{1,3})?h"
        + "|[0-9]{1,4}(\\.[0-9]{1,3})?d|[Pp][0-9]{1,3}[Ww]|[Pp][0-9]{1,4}[Dd]"
        + "|[Pp]([0-9]{1,4}[Dd])?[Tt]([0-9]{1,5}[Hh]([0-9]{1,7}[Mm])?([0-9]{1,9}(\\.[0-9]{1,3})?[Ss])?"
        + "|[0-9]{1,7}[Mm]([0-9]{1,9}(\\.[0-9]{1,3})?[Ss])?|[0-9]{1,9}(\\.[0-9]{1,3})?[Ss]))$"

    /// Accepts whole milliseconds, zero or more; rejects years and months, which have no fixed length.
    package static func duration(_ text: String) -> Duration? {
        guard let milliseconds = milliseconds(text), milliseconds <= maximum else { return nil }
        return .milliseconds(milliseconds)
    }

    /// Whether the text is a duration that is longer than `longest`.
    static func isTooLong(_ text: String) -> Bool { milliseconds(text).map { $0 > maximum } ?? false }

    /// Above `maximum` for anything longer.
    private static func milliseconds(_ text: String) -> Int64? {
        let isISO8601 = text.hasPrefix("P") || text.hasPrefix("p")
        return isISO8601 ? iso8601(text.uppercased().dropFirst()) : simple(text[...])
    }

    /// Uses the longest unit up to hours that leaves no fraction.
    package static func text(_ duration: Duration) -> String {
        let milliseconds = duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
        if milliseconds < 1 { return "0s" }
        let unit = units.dropFirst().first { milliseconds.isMultiple(of: $0.milliseconds) }
        return unit.map { "\(milliseconds / $0.milliseconds)\($0.name)" } ?? ""
    }

    private static func simple(_ text: Substring) -> Int64? {
        let number = text.prefix { $0.isNumber || $0 == "." }
        let name = text[number.endIndex...]
        return units.first { $0.name == name }.flatMap { amount(number, of: $0.milliseconds) }
    }

    /// `1DT2H3M4.5S`: each part at most once, longest first (ISO 8601-1, 5.5.2.2).
    private static func iso8601(_ text: Substring) -> Int64? {
        let form = /(?:([0-9.]+)W)?(?:([0-9.]+)D)?(?:T(?:([0-9.]+)H)?(?:([0-9.]+)M)?(?:([0-9.]+)S)?)?/
        guard !text.isEmpty, !text.hasSuffix("T"), let parts = text.wholeMatch(of: form)?.output else { return nil }
        let amounts: [(number: Substring?, unit: Int64)] = [
            (parts.1, 7 * 86_400_000), (parts.2, 86_400_000), (parts.3, 3_600_000), (parts.4, 60_000), (parts.5, 1000),
        ]
        var sum: Int64 = 0
        for (number, unit) in amounts {
            guard let number else { continue }
            guard let part = amount(number, of: unit) else { return nil }
            sum += part
        }
        return sum
    }

    /// Whole milliseconds only; above `maximum` for anything longer.
    private static func amount(_ number: Substring, of unit: Int64) -> Int64? {
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = parts.first, !whole.isEmpty, whole.allSatisfy({ $0.isASCII && $0.isNumber })
        else {
            return nil
        }
        let (product, isTooLarge) = (Int64(whole) ?? .max).multipliedReportingOverflow(by: unit)
        guard !isTooLarge, product <= maximum else { return maximum + 1 }
        guard parts.count == 2 else { return product }
        guard !parts[1].isEmpty, parts[1].count <= 9, let fraction = Int64(parts[1]) else { return nil }
        let scale = (0..<parts[1].count).reduce(Int64(1)) { scale, _ in scale * 10 }
        guard (fraction * unit).isMultiple(of: scale) else { return nil }
        return product + fraction * unit / scale
    }
}

extension Duration {
    /// Accepts up to about thirty years.
    package init?(written text: String) {
        guard let duration = DurationText.duration(text), duration < .seconds(1_000_000_000) else { return nil }
        self = duration
    }
}
