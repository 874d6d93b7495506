/// Counts per connection or device token; bounded, because providers can send any number of them.
struct SubjectCounts<Subject: Hashable & Sendable> {
    /// About 17 MB of device tokens.
    static var capacity: Int { 100_000 }

    private var counts: [Subject: Int] = [:]

    /// - Returns: `nil` above `limit`, or for a new subject beyond the capacity.
    mutating func next(_ subject: Subject, upTo limit: Int = .max) -> Int? {
        let number = counts[subject, default: 0] + 1
        guard number <= limit, number > 1 || counts.count < Self.capacity else { return nil }
        counts[subject] = number
        return number
    }
}

extension SubjectCounts<UInt32> {
    /// A new connection beyond the capacity evicts the older half, as the oldest connections are closed.
    mutating func next(onConnection number: UInt32) -> Int? {
        if counts.count >= Self.capacity, counts[number] == nil {
            let middle = counts.keys.sorted()[counts.count / 2]
            counts = counts.filter { $0.key >= middle }
        }
        return next(number)
    }
}
