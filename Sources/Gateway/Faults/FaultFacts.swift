internal import APNs

/// Everything that a rule may ask about a request.
struct FaultFacts: Sendable {
    var connection: UInt32 = 0
    /// In hexadecimal, lower case.
    var token: String?
    var device: String?
    var topic: String?
    var pushType: String?
    /// Names in lower case.
    var headers: [(name: String, value: String)] = []
    var keyID: String?
    /// Why the gateway would refuse it; `nil` when it would not.
    var reason: APNsReason?
    /// Why earlier requests of the connection were refused.
    var earlierReasons: Set<APNsReason> = []
    /// The longest time that the connection was without requests.
    var longestPause = Duration.zero
}

extension FaultMatch {
    /// Whether everything fits but the counting.
    func fits(_ facts: FaultFacts) -> Bool {
        if let token, token != facts.token { return false }
        if let device, device != facts.device { return false }
        if let topic, topic != facts.topic { return false }
        if let pushType, pushType != facts.pushType { return false }
        if let connection, connection != Int(facts.connection) { return false }
        if let keyID, keyID != facts.keyID { return false }
        if let verdict, !verdict.fits(facts.reason) { return false }
        if let after, !facts.earlierReasons.contains(after) { return false }
        if let idle, facts.longestPause < idle { return false }
        return headers.allSatisfy { name, value in facts.headers.contains { $0.name == name && $0.value == value } }
    }

    /// Whether it fires at the match of this number, counted from 1.
    func isTurn(_ number: Int) -> Bool {
        if let nth { return number >= nth && number - nth < run }
        if let every { return number >= every && number % every < run }
        return true
    }
}
