/// Facts that hold, one bit each: 128 fit.
package struct FactSet<Fact: RawRepresentable<UInt8>>: Sendable, Hashable, ExpressibleByArrayLiteral {
    @usableFromInline package var bits: UInt128 = 0

    @inlinable
    package init(arrayLiteral facts: Fact...) {
        self.init()
        for fact in facts { insert(fact) }
    }

    @usableFromInline package init(bits: UInt128 = 0) { self.bits = bits }

    @inlinable @inline(__always)
    package mutating func insert(_ fact: Fact, if isTrue: Bool = true) {
        bits |= UInt128(truncatingIfNeeded: isTrue ? 1 : 0) << UInt128(truncatingIfNeeded: fact.rawValue)
    }

    @inlinable @inline(__always)
    package func contains(_ fact: Fact) -> Bool { bits & (1 << UInt128(truncatingIfNeeded: fact.rawValue)) != 0 }

    @inlinable @inline(__always)
    package func match(_ wanted: Self, without unwanted: Self) -> Bool {
        bits & (wanted.bits | unwanted.bits) == wanted.bits
    }
}

/// Two numbers of 64 bits: JSON numbers are no larger.
extension FactSet: Codable {
    package init(from decoder: any Decoder) throws {
        let words = try [UInt64](from: decoder)
        self.init(bits: words.reversed().reduce(0) { $0 << 64 | UInt128($1) })
    }

    package func encode(to encoder: any Encoder) throws {
        try [UInt64(truncatingIfNeeded: bits), UInt64(truncatingIfNeeded: bits >> 64)].encode(to: encoder)
    }
}

extension FactSet {
    /// The union.
    package init(_ first: Self, _ second: Self) { self.init(bits: first.bits | second.bits) }
}
