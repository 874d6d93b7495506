internal import APNs

/// The query of a request, each parameter known and given once.
struct RequestQuery: Sendable {
    private var values: [String: String] = [:]

    /// - Parameter text: What follows the `?`.
    init(_ text: String, accepting names: [String]) throws(AdminError) {
        for part in text.split(separator: "&") {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(halves[0])
            guard names.contains(name) else {
                let accepted = names.isEmpty ? "None is accepted here" : "Accepted are \(names.joined(separator: ", "))"
                throw .badRequest("The query parameter '\(name.prefix(60))' is unknown. \(accepted).")
            }
            guard let value = percentDecoded(halves.count > 1 ? halves[1] : "", plusIsSpace: true) else {
                throw .badRequest("The query parameter '\(name)' is not percent-encoded UTF-8.")
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw .badRequest("The query parameter '\(name)' is there twice.")
            }
        }
    }

    /// A value; `nil` when it is absent or empty.
    subscript(_ name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

    func integer<Number: FixedWidthInteger>(
        _ name: String, in range: ClosedRange<Number>
    ) throws(AdminError) -> Number? {
        guard let text = self[name] else { return nil }
        guard let number = Number(text), range.contains(number) else {
            let largest = range.upperBound == .max ? "" : " to \(range.upperBound)"
            throw .badRequest(
                "'\(name)' is '\(text.prefix(40))'; it must be a whole number from \(range.lowerBound)\(largest).")
        }
        return number
    }

    /// A value out of a few words.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, _ type: Choice.Type
    ) throws(AdminError) -> Choice? where Choice.RawValue == String {
        guard let text = self[name] else { return nil }
        guard let choice = Choice(rawValue: text) else {
            throw unknownWord(name, text, Choice.allCases.map(\.rawValue))
        }
        return choice
    }

    /// `pushType`.
    func pushType() throws(AdminError) -> PushType? {
        guard let text = self["pushType"] else { return nil }
        guard let type = PushType(name: text) else {
            throw unknownWord("pushType", text, PushType.allCases.map(\.name))
        }
        return type
    }

    /// A length of time: `5s`, `250ms`, `2m`, or ISO 8601 as in `PT5S`.
    func duration(_ name: String, atMost limit: Duration) throws(AdminError) -> Duration? {
        guard let text = self[name] else { return nil }
        guard let duration = Duration(written: text) else {
            throw .badRequest("'\(name)' is '\(text.prefix(40))'; it must be a duration such as 5s, 250ms, 2m or PT5S.")
        }
        guard duration <= limit else {
            throw .badRequest("'\(name)' is '\(text)'; it must be at most \(limit.components.seconds)s.")
        }
        return duration
    }
}

/// A word that is none of those accepted.
func unknownWord(_ field: String, _ word: String, _ accepted: [String]) -> AdminError {
    .badRequest("'\(field)' is '\(word.prefix(60))'; accepted are \(accepted.joined(separator: ", ")).")
}

extension Duration {
    /// Reads `5s`, `250ms`, `2m`, `1.5s`, `3d`, `PT2M5S`, `P1DT12H`; `nil` for anything else.
    init?(written text: String) {
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
}
