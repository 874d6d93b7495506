extension Duration {
    /// Reads `5s`, `250ms`, `2m`, `1.5s`, `3d`, `PT2M5S`, `P1DT12H`; `nil` for anything else.
    package init?(written text: String) {
        let upper = text.uppercased()
        if upper.hasPrefix("P") {
            self.init(iso8601: upper.dropFirst())
            return
        }
        let digits = text.prefix { $0.isNumber || $0 == "." }
        let units = ["ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0]
        guard let unit = units[String(text.dropFirst(digits.count))], let seconds = Self.seconds(digits, unit) else {
            return nil
        }
        self = seconds
    }

    private init?(iso8601 text: Substring) {
        var total = Duration.zero
        let halves = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
        if !halves[0].isEmpty {
            guard halves[0].hasSuffix("D"), let days = Self.seconds(halves[0].dropLast(), 86400) else { return nil }
            total = days
        }
        guard halves.count > 1 else {
            if halves[0].isEmpty { return nil }
            self = total
            return
        }
        var rest = halves[1]
        guard !rest.isEmpty else { return nil }
        for (letter, unit) in [("H", 3600.0), ("M", 60.0), ("S", 1.0)] {
            let digits = rest.prefix { $0.isNumber || $0 == "." }
            guard !digits.isEmpty, rest.dropFirst(digits.count).hasPrefix(letter) else { continue }
            guard let seconds = Self.seconds(digits, unit) else { return nil }
            total += seconds
            rest = rest.dropFirst(digits.count + 1)
        }
        guard rest.isEmpty else { return nil }
        self = total
    }

    private static func seconds(_ digits: Substring, _ unit: Double) -> Duration? {
        guard let number = Double(digits), number * unit < 1e9 else { return nil }
        return .milliseconds(Int64((number * unit * 1000).rounded()))
    }

    /// The duration as people write it, to the millisecond: `1h`, `90s`, `250ms`.
    package var writtenText: String {
        let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
        for (unit, size) in [("h", Int64(3_600_000)), ("m", 60_000), ("s", 1000)] where milliseconds >= size {
            if milliseconds.isMultiple(of: size) { return "\(milliseconds / size)\(unit)" }
        }
        return "\(milliseconds)ms"
    }
}
