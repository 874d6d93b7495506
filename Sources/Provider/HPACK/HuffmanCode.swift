/// Decodes strings in HPACK's Huffman code (RFC 7541 §5.2, appendix B).
/// The code is canonical: codes ascend by length, then by symbol. So the lengths define it.
struct HuffmanCode: Sendable {
    static let shared = HuffmanCode()

    /// Code length per symbol, EOS last: A is 5 bits, B is 6, …, Z is 30.
    private static let lengths: StaticString = """
        ISXXXXXXXTZXXZXXXXXXXXZXXXXXXXXXBFFHIBDGFFDGDBBBAAABBBBBBBCDKBHFIBCCCCCCCCCCCCCCCCCCCCCCDCDIOIJBKABA\
        BABBBACCBBBABCBAABCCCCCKGJIXPRPPRRRSRSSSSSTSTTRSTSSSSQRSRSSTRQPRRSSQSRRTQRSSQQRQSRSSPRRRSRRSVVPORSRU\
        VVVWWVTUOQVWWVWTQQVVXWWWPTPQRQQSRRUUTTVSVWVVWWWWWXWWWWWVZ
        """
    private static let shortest = 5
    private static let longest = 30
    private static let endOfString: UInt16 = 256
    /// Codes up to this length take one lookup: letters, digits and most punctuation.
    private static let directBitCount = 8

    /// Indexed by the next eight bits: the symbol, and its code length in the upper byte; 0 for a longer code.
    private var direct = [UInt16](repeating: 0, count: 1 << directBitCount)
    /// In code order.
    private var symbols: [UInt16] = []
    /// Indexed by length: where its codes end, in a 32-bit word, and where their symbols end.
    private var ends = [(code: UInt64, symbol: Int)](repeating: (0, 0), count: longest + 1)

    private init() {
        var code: UInt64 = 0
        for length in Self.shortest...Self.longest {
            for symbol in 0...Self.endOfString where Self.length(of: symbol) == length {
                symbols.append(symbol)
                let next = code + 1 << (32 - length)
                if length <= Self.directBitCount {
                    for index in code >> 24..<next >> 24 { direct[Int(index)] = symbol | UInt16(length) << 8 }
                }
                code = next
            }
            ends[length] = (code, symbols.count)
        }
    }

    private static func length(of symbol: UInt16) -> Int {
        Int(lengths.utf8Start[Int(symbol)] - UInt8(ascii: "A")) + shortest
    }

    /// An upper bound for a string of `byteCount` encoded bytes.
    static func decodedByteCount(_ byteCount: Int) -> Int { byteCount * 8 / shortest }

    /// - Returns: The decoded length; `nil` for EOS, or for padding other than fewer than eight bits of EOS.
    func decode(_ source: UnsafeRawBufferPointer, to target: UnsafeMutablePointer<UInt8>) -> Int? {
        direct.withUnsafeBufferPointer { direct in
            // The next bits, most significant first, then zeros.
            var (bits, bitCount): (UInt64, Int) = (0, 0)
            var (offset, count) = (0, 0)
            while true {
                if bitCount < Self.longest {
                    if offset &+ 8 <= source.count {
                        let word = UInt64(bigEndian: source.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                        // The bits of a partial last byte are not counted; the next word contains them again.
                        bits |= word &>> UInt64(truncatingIfNeeded: bitCount)
                        let byteCount = (64 &- bitCount) &>> 3
                        offset &+= byteCount
                        bitCount &+= byteCount &* 8
                    } else {
                        while bitCount <= 56, offset < source.count {
                            bits |= UInt64(source[offset]) &<< UInt64(truncatingIfNeeded: 56 &- bitCount)
                            offset &+= 1
                            bitCount &+= 8
                        }
                    }
                }
                var entry = direct[Int(truncatingIfNeeded: bits &>> 56)]
                while entry != 0, bitCount >= Self.directBitCount {
                    target[count] = UInt8(truncatingIfNeeded: entry)
                    count &+= 1
                    let length = UInt64(truncatingIfNeeded: entry &>> 8)
                    bits &<<= length
                    bitCount &-= Int(truncatingIfNeeded: length)
                    entry = direct[Int(truncatingIfNeeded: bits &>> 56)]
                }
                if bitCount < Self.longest, offset < source.count { continue }
                // A longer code, or the end of the input.
                var (symbol, length) = (entry & 0xff, Int(entry &>> 8))
                if entry == 0 { (symbol, length) = longCode(at: bits &>> 32) }
                guard length <= bitCount else {
                    return bitCount < 8 && bits == ~(~0 &>> UInt64(truncatingIfNeeded: bitCount)) ? count : nil
                }
                guard symbol != Self.endOfString else { return nil }
                target[count] = UInt8(truncatingIfNeeded: symbol)
                count &+= 1
                bits &<<= UInt64(truncatingIfNeeded: length)
                bitCount &-= length
            }
        }
    }

    private func longCode(at bits: UInt64) -> (symbol: UInt16, length: Int) {
        var length = Self.directBitCount + 1
        while bits >= ends[length].code { length += 1 }
        let distance = (ends[length].code - 1 - bits) >> UInt64(32 - length)
        return (symbols[ends[length].symbol - 1 - Int(distance)], length)
    }
}
