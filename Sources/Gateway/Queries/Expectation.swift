internal import Fields
package import JSON

/// The expected documents: a number that match a query, or one for each of several queries in order.
package struct Expectation: Hashable, Sendable {
    /// More than one: in this order, with anything between.
    package var queries: [Query]
    package var minimum: Int
    /// nil for any number.
    package var maximum: Int?
    /// What a match must also meet. Until it does, it may still change: it counts only towards `maximum`.
    package var settled = Query()

    package static let maximumQueryCount = 20

    package init(_ queries: [Query], minimum: Int = 1, maximum: Int? = nil) {
        self.queries = queries
        self.minimum = minimum
        self.maximum = maximum
    }

    /// Such as `at least 2`.
    package var words: String {
        switch (minimum, maximum) {
        case (0, 0): "none"
        case (let least, let most?) where least == most: "exactly \(least)"
        case (0, let most?): "at most \(most)"
        case (let least, let most?): "\(least) to \(most)"
        case (let least, nil): "at least \(least)"
        }
    }
}

/// A near miss.
package struct NearMiss: Hashable, Sendable {
    package let number: UInt64
    /// The index of the query that it misses.
    package let query: Int
    package let mismatches: [Mismatch]
    /// Whether it matches, but may still change.
    package let isUnsettled: Bool

    fileprivate var rank: (Int, Double) {
        isUnsettled ? (0, 0) : (mismatches.count, mismatches.reduce(0) { $0 + $1.distance })
    }

    fileprivate func isNearer(than other: NearMiss) -> Bool {
        rank != other.rank ? rank < other.rank : number > other.number
    }
}

/// Compares arriving documents with an expectation, oldest first.
package struct Tally: Sendable {
    private let expectation: Expectation
    package private(set) var matched: [UInt64] = []
    /// Matches that are not settled yet.
    package private(set) var unsettledCount = 0
    /// The nearest first.
    package private(set) var nearMisses: [NearMiss] = []
    /// Of an order: documents that match a later query than the one whose turn it was, by the index of that query.
    package private(set) var early: [Int: UInt64] = [:]
    /// How many documents did not match.
    package private(set) var otherCount = 0
    /// How many documents were compared.
    package private(set) var scannedCount = 0

    package static let maximumNearMissCount = 5

    package init(_ expectation: Expectation) { self.expectation = expectation }

    private var isOrdered: Bool { expectation.queries.count > 1 }
    private var least: Int { isOrdered ? expectation.queries.count : expectation.minimum }
    private var most: Int? { isOrdered ? nil : expectation.maximum }

    /// The query that the next document should match; nil when all in an order have matched.
    private var place: Int? {
        guard isOrdered else { return 0 }
        return matched.count < expectation.queries.count ? matched.count : nil
    }

    package mutating func add(_ number: UInt64, _ document: Document) {
        scannedCount += 1
        guard let place else { return }
        let query = expectation.queries[place]
        let mismatches = query.mismatches(document)
        let unsettled = mismatches.isEmpty ? expectation.settled.mismatches(document) : []
        if mismatches.isEmpty, unsettled.isEmpty {
            matched.append(number)
            // The next query of an order has other near misses.
            if isOrdered { nearMisses = [] }
            return
        }
        if mismatches.isEmpty { unsettledCount += 1 }
        if let later = expectation.queries.indices.dropFirst(place + 1).first(where: {
            expectation.queries[$0].matches(document)
        }) {
            early[later] = number
        }
        otherCount += 1
        let miss = NearMiss(
            number: number, query: place, mismatches: mismatches + unsettled, isUnsettled: mismatches.isEmpty)
        guard nearMisses.count < Self.maximumNearMissCount || nearMisses.last.map(miss.isNearer) ?? true else { return }
        let index = nearMisses.firstIndex { miss.isNearer(than: $0) } ?? nearMisses.endIndex
        nearMisses.insert(miss, at: index)
        if nearMisses.count > Self.maximumNearMissCount { nearMisses.removeLast() }
    }

    package var isMet: Bool { matched.count >= least && !hasTooMany }

    package var hasTooMany: Bool { most.map { matched.count + unsettledCount > $0 } ?? false }

    /// Whether later documents cannot change the verdict: within an upper limit, one more always can.
    package var isFinal: Bool { most == nil ? isMet : hasTooMany }
}

/// A condition that a document does not meet.
package struct Mismatch: Hashable, Sendable {
    package let path: String
    /// Such as `= com.example.app` or `exists`.
    package let expected: String
    /// nil when the document has nothing at the path.
    package let got: JSONValue?
    /// 0 for nearly equal to 1 for nothing in common.
    package let distance: Double

    init(_ condition: Condition, _ values: [JSONValue]) {
        path = condition.path.text
        expected = condition.test.text
        got = values.count > 1 ? .array(values) : values.first
        distance = values.map { condition.test.distance(to: $0) }.min() ?? 1
    }

    /// Such as `title: expected = Hello, got "Hallo"`.
    package var sentence: String {
        "\(path): expected \(expected), got \(got.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "nothing")"
    }
}

extension Condition {
    /// As in the short form.
    package var text: String {
        switch test {
        case .exists: path.text
        case .absent: "!\(path.text)"
        case .compares(let comparison, let operand): path.text + comparison.rawValue + operand.text
        case .oneOf(let operands): "\(path.text)=\(operands.map(\.text).joined(separator: "|"))"
        case .matches(let pattern): "\(path.text)=~\(pattern.source)"
        }
    }
}

extension Condition.Test {
    fileprivate var text: String {
        switch self {
        case .exists: "anything"
        case .absent: "nothing"
        case .compares(.equals, let operand): operand.text
        case .compares(.differs, let operand): "anything but \(operand.text)"
        case .compares(.contains, let operand): "something that contains \(operand.text)"
        case .compares(let comparison, let operand): "\(comparison.rawValue) \(operand.text)"
        case .oneOf(let operands): "one of \(operands.map(\.text).joined(separator: ", "))"
        case .matches(let pattern): "a text like \(pattern.source)"
        }
    }

    fileprivate func distance(to value: JSONValue) -> Double {
        switch self {
        case .compares(let comparison, let operand) where comparison != .differs: operand.distance(to: value)
        case .oneOf(let operands): operands.map { $0.distance(to: value) }.min() ?? 1
        default: 0.5
        }
    }
}

extension Operand {
    /// Texts by edit distance, numbers by their ratio.
    fileprivate func distance(to other: JSONValue) -> Double {
        if let first = value.double, let second = other.double {
            let greatest = max(abs(first), abs(second))
            return greatest > 0 ? min(1, abs(first - second) / greatest) : 0
        }
        guard case .string(let first) = other, case .string(let second) = value else { return 0.9 }
        // Long texts are compared by their beginnings, which is enough to rank them.
        let (one, other) = (first.prefix(80), second.prefix(80))
        let greatest = max(one.count, other.count)
        return greatest > 0 ? Double(NearestName.distance(one, other)) / Double(greatest) : 0
    }
}
