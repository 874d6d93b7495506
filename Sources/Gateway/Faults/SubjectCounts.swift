/// Numbers by connection or device token, for rules that count for each; bounded, as providers can send any number of them.
struct SubjectCounts {
    enum Subject: Hashable {
        case connection(UInt32)
        case token(String)
    }

    /// How many connections or tokens are remembered: a few megabytes.
    static let capacity = 100_000

    /// By connection's number, or by the hash of a token, which takes a tenth of the token's room.
    private var counts: [Int: Int] = [:]

    /// Counts one more.
    ///
    /// - Parameter limit: A number that is not exceeded.
    /// - Returns: The new number; `nil` at the limit, or when there is no room for another token. Connections make room: the oldest
    ///   are closed.
    mutating func next(_ subject: Subject, upTo limit: Int = .max) -> Int? {
        let key: Int
        switch subject {
        case .connection(let number):
            key = Int(number)
            if counts.count >= Self.capacity, counts[key] == nil { forgetOlderHalf() }
        case .token(let token):
            key = token.hashValue
            if counts.count >= Self.capacity, counts[key] == nil { return nil }
        }
        let number = counts[key, default: 0] + 1
        guard number <= limit else { return nil }
        counts[key] = number
        return number
    }

    private mutating func forgetOlderHalf() {
        let keys = counts.keys.sorted()
        let middle = keys[keys.count / 2]
        counts = counts.filter { $0.key >= middle }
    }
}
