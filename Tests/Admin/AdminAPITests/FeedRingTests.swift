import Testing

@testable import AdminAPI

/// The ring of the feed's messages, and the ids of its positions.
@Suite struct FeedRingTests {
    @Test func `messages after a position are returned in order, then none`() {
        var ring = FeedRing<String>()
        for text in ["a", "b", "c"] { ring.append(text, byteCount: 1) }
        #expect(ring.last == 3)
        #expect((0...3).map { ring.step(after: $0) } == ["a", "b", "c", "upToDate"])
        #expect(ring.step(after: 4) == "gap", "no such message yet")
        #expect(ring.step(after: .max) == "gap")
    }

    @Test func `the oldest messages beyond the count limit are evicted`() {
        var ring = FeedRing<UInt64>()
        let count = UInt64(FeedRing<UInt64>.maximumCount)
        for number in 1...count + 2 { ring.append(number, byteCount: 1) }
        #expect(ring.step(after: 1) == "gap")
        #expect(ring.step(after: 2) == "3")
        #expect(ring.step(after: count + 1) == "\(count + 2)")
    }

    @Test func `the oldest messages beyond the byte limit are evicted, but never the newest`() {
        var ring = FeedRing<String>()
        let size = FeedRing<String>.maximumByteCount
        ring.append("a", byteCount: size / 2)
        ring.append("b", byteCount: size - size / 2)
        #expect(ring.step(after: 0) == "a")
        ring.append("c", byteCount: 1)
        #expect(ring.step(after: 0) == "gap")
        #expect(ring.step(after: 1) == "b")
        ring.append("d", byteCount: 2 * size)
        #expect(ring.step(after: 2) == "gap")
        #expect(ring.step(after: 3) == "d")
    }

    @Test func `after clearing, every position has a gap, even the newest`() {
        var ring = FeedRing<String>()
        ring.append("a", byteCount: 1)
        ring.clear()
        #expect(ring.step(after: 0) == "gap")
        #expect(ring.step(after: 1) == "gap")
        #expect(ring.step(after: ring.last) == "upToDate")
        ring.append("b", byteCount: 1)
        #expect(ring.step(after: 2) == "b")
    }

    @Test(arguments: [("000000-0", 0), ("0a1b2c-17", 17), ("ffffff-18446744073709551615", UInt64.max)])
    func `a written id reads back unchanged`(_ text: String, _ number: UInt64) {
        let position = FeedPosition(text)
        #expect(position?.number == number)
        #expect(position?.description == text)
    }

    @Test(arguments: [
        "", "-", "17", "0a1b2c", "0a1b2c-", "-17", "0a1b2c-17-1", "0a1b2c--17", "0a1b2c-+17", "0a1b2c-017", "0A1B2C-17",
        "a1b2c-17", "00a1b2c-17", "+a1b2c-17", "0a1b2g-17", "0a1b2c-18446744073709551616", " 0a1b2c-17", "0a1b2c-17\n",
        "0a1b2c-\u{0661}",
    ]) func `other texts are rejected as ids`(_ text: String) {
        #expect(FeedPosition(text) == nil)
    }
}

extension FeedRing {
    fileprivate func step(after number: UInt64) -> String {
        switch next(after: number) {
        case .message(let message): "\(message)"
        case .upToDate: "upToDate"
        case .gap: "gap"
        }
    }
}
