internal import APNs
package import Fields
package import JSON
package import Time

/// Why a value does not decode.
package struct DecodingFailure: Error, Sendable, Hashable, Codable {
    /// Such as `content-state.eta`.
    package var path: String
    /// Completes a sentence that starts with the path.
    package var reason: String
    /// A snake-case member that the sender probably meant (`la.state.case`).
    package var misspelling: String?
    /// A text where a date must be (`la.state.dateString`).
    package var isDateText = false

    package init(path: String, reason: String, misspelling: String? = nil, isDateText: Bool = false) {
        self.path = path
        self.reason = reason
        self.misspelling = misspelling
        self.isDateText = isDateText
    }

    package var sentence: String { "\(path) \(reason)" }
}

/// Decodes as a default `JSONDecoder` does: names as they are, unknown members ignored, dates in seconds since 2001.
extension SwiftType {
    /// - Returns: The first failure, in the order of the declaration; nil when the value decodes.
    package func failure(decoding json: JSONValue, at path: FieldPath) -> DecodingFailure? {
        switch (self, json) {
        case (.any, _), (.string, .string), (.bool, .bool), (.int, .integer), (.double, .integer), (.double, .number),
            (.date, .integer), (.date, .number), (.optional, .null):
            return nil
        case (.int, .number(let number)) where Int(exactly: number) != nil: return nil
        case (.optional(let type), _): return type.failure(decoding: json, at: path)
        case (.list(let type), .array(let elements)):
            for (index, element) in elements.enumerated() {
                if let failure = type.failure(decoding: element, at: path.element(index)) { return failure }
            }
            return nil
        case (.structure(let members), .object(let object)):
            for member in members {
                if let failure = member.failure(decoding: object, at: path) { return failure }
            }
            return nil
        case (.choice(let values), .string(let text)):
            if !isNumeric, values.contains(text) { return nil }
        case (.choice(let values), .integer(let number)):
            if isNumeric, values.contains(String(number)) { return nil }
        case (.data, .string(let text)):
            if let data = Base64.decode(text.utf8.span.bytes), data.isStandard || text.utf8.count.isMultiple(of: 4) {
                return nil
            }
        case (.url, .string(let text)): if !text.isEmpty { return nil }
        case (.uuid, .string(let text)): if Self.isUUID(text) { return nil }
        case (.dateRange, .array(let bounds)):
            if bounds.count == 2, let lower = bounds[0].double, let upper = bounds[1].double, lower <= upper {
                return nil
            }
        default: break
        }
        let isDateText = if case (.date, .string) = (self, json) { true } else { false }
        return DecodingFailure(path: "\(path)", reason: "is \(json.words), not \(wanted)", isDateText: isDateText)
    }

    private var isNumeric: Bool {
        if case .choice(let values) = self { values.allSatisfy { Int($0) != nil } } else { false }
    }

    private static func isUUID(_ text: String) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.joined().allSatisfy(\.isHexDigit)
    }

    private var wanted: String {
        switch self {
        case .string: "a String"
        case .int: "an Int"
        case .double: "a Double"
        case .bool: "a Bool"
        case .date: "a Date, which is a number of seconds since 2001-01-01 (unix − 978307200)"
        case .data: "Data in Base64"
        case .url: "a URL"
        case .uuid: "a UUID"
        case .dateRange: "a ClosedRange<Date>, which is a list of two dates"
        case .choice(let values): "one of \(values.joined(separator: ", "))"
        case .list(let type): "a list of \(type.text)"
        case .structure: "an object"
        case .optional(let type): type.wanted
        case .any: "a value"
        }
    }
}

extension SwiftType.Member {
    fileprivate func failure(decoding object: JSONObject, at path: FieldPath) -> DecodingFailure? {
        if let value = object[name] { return type.failure(decoding: value, at: path.member(name)) }
        if type.isOptional || type == .any { return nil }
        let key = name.folded
        let other = object.keys.first { $0.folded == key }
        let reason = other.map { "is missing; \"\($0)\" is another name, because names are matched exactly" }
        return DecodingFailure(
            path: "\(path.member(name))", reason: reason ?? "is missing and not optional", misspelling: other)
    }
}

extension String {
    /// Equal for `orderId` and `order_id`.
    fileprivate var folded: String { lowercased().filter { $0 != "_" && $0 != "-" } }
}

// MARK: Dates and nulls

extension SwiftType {
    /// Seconds from 1970 to 2001, which a `Date` counts from.
    package static let referenceSeconds = 978_307_200.0

    /// What a sender may not have meant: members whose date is after 2050, and null members.
    package func oddities(of json: JSONValue, at path: FieldPath) -> (lateDates: [(String, Instant)], nulls: [String]) {
        switch (self, json) {
        case (.optional, .null): return ([], ["\(path)"])
        case (.optional(let type), _): return type.oddities(of: json, at: path)
        case (.date, _):
            guard let date = json.date, date > Instant(seconds: 2_524_608_000) else { return ([], []) }
            return ([("\(path)", date)], [])
        case (.list(let type), .array(let elements)):
            return Self.joined(elements.enumerated().map { type.oddities(of: $1, at: path.element($0)) })
        case (.structure(let members), .object(let object)):
            return Self.joined(
                members.compactMap { member in
                    object[member.name].map { member.type.oddities(of: $0, at: path.member(member.name)) }
                })
        default: return ([], [])
        }
    }

    private static func joined(
        _ parts: [(lateDates: [(String, Instant)], nulls: [String])]
    ) -> (lateDates: [(String, Instant)], nulls: [String]) {
        (parts.flatMap(\.lateDates), parts.flatMap(\.nulls))
    }
}

extension JSONValue {
    /// Seconds since 2001.
    package var date: Instant? { double.map { Instant(seconds: $0 + SwiftType.referenceSeconds) } }
}
