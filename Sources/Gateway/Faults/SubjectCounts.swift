/// Counts per connection or device token; bounded, because providers can send any number of them.
struct SubjectCounts {
    enum Subject: Hashable {
        case connection(UInt32)
        case token(String)
    }

    /// A few megabytes.
    static let capacity = 100_000

    /// Keyed by the connection's number, or by the token's hash, a tenth of the token's size.
    private var counts: [Int: Int] = [:]

    /// A new connection beyond the capacity evicts the older half, as the oldest connections are closed.
    /// - Returns: `nil` above `limit`, or for a new token beyond the capacity.
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
