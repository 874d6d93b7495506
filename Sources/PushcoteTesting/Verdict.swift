internal import JSON
public import Testing

extension Pushcote {
    /// What is compared.
    public enum Kind: String, Sendable { case notifications, requests, events }

    /// The expected number of matches.
    public enum Count: Hashable, Sendable {
        case exactly(Int)
        case atLeast(Int)
        case atMost(Int)
        case never

        var json: JSONValue {
            switch self {
            case .exactly(let count): .integer(count)
            case .atLeast(let count): ["atLeast": .integer(count)]
            case .atMost(let count): ["atMost": .integer(count)]
            case .never: .integer(0)
            }
        }
    }

    /// The result of a verification. Its description contains the nearest misses, so that a failing `#expect` shows them.
    public struct Verdict: Hashable, Sendable, CustomTestStringConvertible {
        public let isVerified: Bool
        /// The numbers of the first 100 matches.
        public let matched: [Int]
        /// The expectation and the nearest misses.
        public let report: String
        public var testDescription: String { report }

        init(_ answer: JSON) {
            isVerified = answer.verified == true
            matched = answer.matched.elements.compactMap(\.int)
            report = answer.report.description
        }
    }
}

/// Nothing that meets the conditions arrived; the message is the gateway's report with the nearest misses.
public struct VerificationError: Error, Hashable, Sendable, CustomStringConvertible {
    public let verdict: Pushcote.Verdict

    public var description: String { verdict.report }
}
