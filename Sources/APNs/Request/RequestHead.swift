/// Where a header's value lies in the bytes of its request.
package struct FieldRange: Hashable, Sendable {
    package var offset: UInt32
    package var count: UInt32

    package init(_ range: Range<Int>) {
        offset = UInt32(range.lowerBound)
        count = UInt32(range.count)
    }

    @inlinable
    package var bounds: Range<Int> { Int(offset)..<Int(offset) + Int(count) }
}

/// The recognised headers of a request, as ranges into its fields; requests that are alike share one.
package final class RequestHead: Sendable {
    @usableFromInline let ranges: InlineArray<21, FieldRange>
    /// The names of the first fields by their place: raw values, 0 for names that are not recognised.
    private let names: SIMD32<UInt8>
    @usableFromInline let seen: UInt32
    private let repeated: UInt32

    /// Looks at every field. The first value of a repeated name counts.
    ///
    /// - Parameter fields: In the layout of `ProviderRequest.fields`.
    package init(_ fields: [UInt8]) {
        var ranges = InlineArray<21, FieldRange>(repeating: FieldRange(0..<0))
        var names = SIMD32<UInt8>()
        var (seen, repeated) = (UInt32(0), UInt32(0))
        var place = 0
        let bytes = fields.span.bytes
        ProviderRequest.visit(bytes) { name, value in
            let recognised = HeaderName(bytes.extracting(name))
            if place < names.scalarCount { names[place] = recognised?.rawValue ?? 0 }
            place &+= 1
            guard let recognised else { return }
            let bit = UInt32(1) << UInt32(recognised.rawValue)
            guard seen & bit == 0 else { return repeated |= bit }
            seen |= bit
            ranges[Int(recognised.rawValue)] = FieldRange(value)
        }
        self.ranges = ranges
        self.names = names
        self.seen = seen
        self.repeated = repeated
    }

    /// Where the value lies; `nil` when the header is absent. Inlined everywhere, so that nobody copies the whole head.
    @inlinable
    package subscript(_ name: HeaderName) -> FieldRange? {
        @inline(__always) get { seen & (UInt32(1) &<< UInt32(name.rawValue)) == 0 ? nil : ranges[Int(name.rawValue)] }
    }

    /// The name of a field by its place: its raw value, 0 when it is not recognised.
    /// - Parameter name: Where the name lies, for a place that was not remembered.
    @inline(__always)
    func code(ofField place: Int, name: Range<Int>, in bytes: RawSpan) -> UInt8 {
        place < names.scalarCount ? names[place] : HeaderName(bytes.extracting(name))?.rawValue ?? 0
    }

    /// Whether any recognised header came more than once.
    package var hasRepeated: Bool { repeated != 0 }

    /// The headers that came more than once.
    package var repeatedNames: [HeaderName] {
        HeaderName.allCases.filter { repeated & (UInt32(1) << UInt32($0.rawValue)) != 0 }
    }
}
