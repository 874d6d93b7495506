/// Counts per connection or device token; bounded, because providers can send any number of them.
struct SubjectCounts {
    enum Subject: Hashable {
        case connection(UInt32)
        case token(String)
    }

    /// A few megabytes.
    static let capacity = 100_000

    /// By the connection's number, or by the token's hash, which takes a tenth of the token's memory.
    private var counts: [Int: Int] = [:]

    /// - Returns: The new count; `nil` above `limit`, or when there is no room for another token. For another connection,
    ///   the older half is evicted: the oldest connections are closed.
    mutating func next(_ subject: Subject, upTo limit: Int = .max) -> Int? {
        let key: Int
        switch subject {
        case .connection(let number):
            key = Int(number)
            if counts.count >= Self.capacity, counts[key] == nil { evictOlderHalf() }
        case .token(let token):
            key = token.hashValue
            if counts.count >= Self.capacity, counts[key] == nil { return nil }
        }
        let number = counts[key, default: 0] + 1
        guard number <= limit else { return nil }
        counts[key] = number
        return number
    }

    private mutating func evictOlderHalf() {
        let keys = counts.keys.sorted()
        let middle = keys[keys.count / 2]
        counts = counts.filter { $0.key >= middle }
    }
}
