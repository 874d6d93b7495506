import TestSupport

/// Generates inputs from the corpus; the same seed gives the same inputs.
struct Mutator {
    private var random: SplitMix
    private let corpus: [[UInt8]]

    /// Boundary values of lengths and counters.
    private static let numbers: [UInt8] = [0, 1, 0x0a, 0x20, 0x2e, 0x3a, 0x7f, 0x80, 0xfe, 0xff]
    /// Maximum input size: libFuzzer's default.
    private static let longest = 4096

    init(seed: UInt64, corpus: [[UInt8]]) {
        random = SplitMix(state: seed)
        self.corpus = corpus
    }

    /// A corpus input mutated in one to six places.
    mutating func next() -> [UInt8] {
        var input = pick()
        for _ in 0..<Int.random(in: 1...6, using: &random) { change(&input) }
        return Array(input.prefix(Self.longest))
    }

    private mutating func pick() -> [UInt8] { corpus[Int.random(in: 0..<corpus.count, using: &random)] }

    private mutating func range(of bytes: [UInt8], atMost count: Int) -> Range<Int> {
        guard !bytes.isEmpty else { return 0..<0 }
        let start = Int.random(in: 0..<bytes.count, using: &random)
        return start..<min(bytes.count, start + Int.random(in: 1...count, using: &random))
    }

    private mutating func change(_ input: inout [UInt8]) {
        let range = range(of: input, atMost: 64)
        switch Int.random(in: 0..<7, using: &random) {
        case 0 where !range.isEmpty: input[range.lowerBound] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1 where !range.isEmpty:
            input[range.lowerBound] = Self.numbers[Int.random(in: 0..<Self.numbers.count, using: &random)]
        case 2: input.removeSubrange(range)
        case 3: input.insert(contentsOf: input[range], at: range.lowerBound)
        case 4:
            let other = pick()
            input.insert(contentsOf: other[self.range(of: other, atMost: 256)], at: range.lowerBound)
        case 5: input.replaceSubrange(range, with: range.map { _ in UInt8.random(in: 0...255, using: &random) })
        default: input.removeLast(min(input.count, range.count))
        }
    }
}
