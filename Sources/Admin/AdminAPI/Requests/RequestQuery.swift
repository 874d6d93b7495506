internal import APNs
internal import Fields
internal import Foundation

/// A query whose parameters are known, unique except `where`, and not empty: an unset variable in a script must not select everything.
struct RequestQuery: Sendable {
    private var values: [String: String] = [:]
    /// The only parameter that may be repeated: all conditions must hold.
    private(set) var conditions: [String] = []

    static let condition = "where"

    /// - Parameter text: Without `?`.
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
            guard !value.isEmpty else {
                throw .badRequest("The query parameter '\(name)' is empty; set a value or omit it.")
            }
            guard name != Self.condition else {
                conditions.append(value)
                continue
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw .badRequest("Duplicate query parameter '\(name)'.")
            }
        }
    }

    /// Never empty.
    subscript(_ name: String) -> String? { values[name] }

    /// - Parameter word: What the caller accepts instead of a number.
    func integer<Number: FixedWidthInteger>(
        _ name: String, in range: ClosedRange<Number>, or word: String? = nil
    ) throws(AdminError) -> Number? {
        guard let text = self[name] else { return nil }
        guard let number = Number(text), range.contains(number) else {
            let largest = Int(clamping: range.upperBound) == .max ? "" : " to \(range.upperBound)"
            let other = word.map { ", or \($0)" } ?? ""
            throw .badRequest(
                "'\(name)' is '\(text.prefix(40))'; it must be a whole number from \(range.lowerBound)\(largest)\(other)."
            )
        }
        return number
    }

    func value<Value>(_ name: String, _ format: FieldFormat<Value>) throws(FieldError) -> Value? {
        guard let text = self[name] else { return nil }
        return try format.value(of: text, at: name)
    }

    func choice<Value>(_ name: String, of all: [Value], by word: (Value) -> String) throws(AdminError) -> Value? {
        guard let text = self[name] else { return nil }
        guard let value = all.first(where: { word($0) == text }) else { throw unknownWord(name, text, all.map(word)) }
        return value
    }

    /// Words separated by commas.
    func choices<Value: RawRepresentable<String> & CaseIterable>(_ name: String) throws(AdminError) -> [Value]? {
        guard let text = self[name] else { return nil }
        var values: [Value] = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            guard let value = Value(rawValue: word) else {
                throw unknownWord(name, word, Value.allCases.map(\.rawValue))
            }
            values.append(value)
        }
        return values
    }

    func pushType() throws(AdminError) -> PushType? { try choice("pushType", of: PushType.allCases, by: \.name) }
}

func unknownWord(_ field: String, _ word: String, _ accepted: [String]) -> AdminError {
    .badRequest("'\(field)' is '\(word.prefix(60))'; accepted are \(accepted.joined(separator: ", ")).")
}

/// - Parameter plusIsSpace: As in a query from a form or `curl --data-urlencode`.
/// - Returns: `nil` when a `%` lacks two digits or the bytes are not UTF-8.
func percentDecoded(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
    (plusIsSpace ? String(text).replacing("+", with: " ") : String(text)).removingPercentEncoding
}
