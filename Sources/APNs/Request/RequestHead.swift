/// Where a header's value lies in the bytes of its request.
public struct FieldRange: Hashable, Sendable {
    public var offset: UInt32
    public var count: UInt32

    public init(_ range: Range<Int>) {
        offset = UInt32(range.lowerBound)
        count = UInt32(range.count)
    }

    @inlinable
    public var bounds: Range<Int> { Int(offset)..<Int(offset) + Int(count) }
}

/// The recognised headers of a request, as ranges into its bytes; filled without an allocation.
public struct RequestHead: Sendable {
    @usableFromInline var ranges = InlineArray<21, FieldRange>(repeating: FieldRange(0..<0))
    /// The names of the first fields by their place: raw values, 0 for names that are not recognised.
    private var names = SIMD32<UInt8>()
    @usableFromInline var seen: UInt32 = 0
    private var repeated: UInt32 = 0
    private var fieldCount = 0

    public init() {}

    /// Takes note of the next field. The first value of a repeated name counts.
    public mutating func add(name: Range<Int>, value: Range<Int>, in bytes: RawSpan) {
        let recognised = HeaderName(bytes.extracting(name))
        if fieldCount < names.scalarCount { names[fieldCount] = recognised?.rawValue ?? 0 }
        fieldCount &+= 1
        guard let recognised else { return }
        let bit = UInt32(1) << UInt32(recognised.rawValue)
        guard seen & bit == 0 else { return repeated |= bit }
        seen |= bit
        ranges[Int(recognised.rawValue)] = FieldRange(value)
    }

    /// Where the value lies; `nil` when the header is absent. Inlined everywhere, so that nobody copies the whole head.
    @inlinable
    public subscript(_ name: HeaderName) -> FieldRange? {
        @inline(__always) get { seen & (UInt32(1) &<< UInt32(name.rawValue)) == 0 ? nil : ranges[Int(name.rawValue)] }
    }

    /// The name of a field by its place: its raw value, 0 when it is not recognised.
    /// - Parameter name: Where the name lies, for a place that was not remembered.
    @inline(__always)
    func code(ofField place: Int, name: Range<Int>, in bytes: RawSpan) -> UInt8 {
        place < names.scalarCount ? names[place] : HeaderName(bytes.extracting(name))?.rawValue ?? 0
    }

    /// Whether any recognised header came more than once.
    public var hasRepeated: Bool { repeated != 0 }

    /// The headers that came more than once.
    public var repeatedNames: [HeaderName] {
        HeaderName.allCases.filter { repeated & (UInt32(1) << UInt32($0.rawValue)) != 0 }
    }
}
