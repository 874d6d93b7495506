internal import Fields
internal import JSON
public import Testing

extension Pushcote {
    /// A simulated device.
    public struct Device: Sendable {
        /// The gateway that has it.
        public let pushcote: Pushcote
        /// Its name in the admin API.
        public let name: String

        /// Registers an app for pushes, for production with `["environment": "production"]`, and returns its device token.
        public func register(_ topic: String, _ members: JSON = [:]) async throws -> String {
            let body = JSON((["topic": .string(topic)] as JSONValue).adding(members.value))
            return try await pushcote.call("POST", "/devices/{name}/registrations", [name], body).token.description
        }

        /// Pushes directly, without a provider, and returns the notification's `id`, `apnsId` and other members.
        @discardableResult
        public func push(_ topic: String, _ payload: JSON, pushType: String? = nil) async throws -> JSON {
            let query = [(name: "topic", value: topic)] + (pushType.map { [("pushType", $0)] } ?? [])
            return try await pushcote.call("POST", "/devices/{name}/push", [name], payload, query: query)
        }

        /// Waits for a notification that meets all conditions, or for any, and returns the first one.
        ///
        /// Existing notifications count.
        /// - Parameter since: Only notifications with a greater number.
        /// - Throws: `VerificationError` with the nearest misses on timeout.
        @discardableResult
        public func wait(
            _ conditions: String..., within: Duration = .seconds(5), since: Int = 0
        ) async throws -> JSON {
            let verdict = try await verdict(conditions, .notifications, .atLeast(1), within, false, since)
            guard let first = verdict.matched.first else { throw VerificationError(verdict: verdict) }
            return try await pushcote.call("GET", "/notifications/{id}", [String(first)])
        }

        /// Whether the device received something that meets all conditions, such as `title~Order`.
        ///
        /// - Parameters:
        ///   - kind: What is compared.
        ///   - count: How often.
        ///   - within: How long to wait. Without an upper limit, the answer comes as soon as it is certain.
        ///   - advancingClock: Advances the stopped clock by `within` instead of waiting.
        ///   - since: Only what has a greater number.
        public func received(
            _ conditions: String..., of kind: Kind = .notifications, count: Count = .atLeast(1),
            within: Duration = .zero, advancingClock: Bool = false, since: Int = 0
        ) async throws -> Verdict {
            try await verdict(conditions, kind, count, within, advancingClock, since)
        }

        /// Like `received`, but on failure records an issue with the nearest misses at the caller's line.
        @discardableResult
        public func expect(
            _ conditions: String..., of kind: Kind = .notifications, count: Count = .atLeast(1),
            within: Duration = .zero, advancingClock: Bool = false, since: Int = 0,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws -> Verdict {
            let verdict = try await verdict(conditions, kind, count, within, advancingClock, since)
            if !verdict.isVerified {
                Issue.record(Comment(rawValue: verdict.report), sourceLocation: sourceLocation)
            }
            return verdict
        }

        private func verdict(
            _ conditions: [String], _ kind: Kind, _ count: Count, _ within: Duration, _ advancingClock: Bool,
            _ since: Int
        ) async throws -> Verdict {
            let expectation: JSONValue = [
                "where": .strings(conditions), "of": .string(kind.rawValue), "device": .string(name),
                "count": count.json, "within": .string(DurationText.text(within)), "since": .integer(since),
                "clock": advancingClock ? .string("simulated") : nil,
            ]
            return try await pushcote.verify(JSON(expectation))
        }

        /// The first 100 notifications that meet all conditions: `notifications("badge>2")`.
        public func notifications(_ conditions: String...) async throws -> [JSON] {
            let query = [(name: "device", value: name)] + conditions.map { ("where", $0) }
            return try await pushcote.call("GET", "/notifications", query: query).notifications.elements
        }

        /// Changes conditions: `["isOnline": false]`.
        public func patch(_ conditions: JSON) async throws {
            try await pushcote.call("PATCH", "/devices/{name}", [name], conditions)
        }

        /// Performs an act of a person or an app, and returns its events: `act("tap", ["notification": order.id])`.
        @discardableResult
        public func act(_ action: String, _ members: JSON = [:]) async throws -> [JSON] {
            let body = JSON((["action": .string(action)] as JSONValue).adding(members.value))
            return try await pushcote.call("POST", "/devices/{name}/actions", [name], body).events.elements
        }
    }
}

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
