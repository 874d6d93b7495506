/// The two forms of an ECDSA signature: DER `SEQUENCE { INTEGER r, INTEGER s }`, and r and s side by side.
enum ECDSASignature {
    /// - Parameter bytes: r and s in half of the bytes each.
    static func der(fromFixedWidth bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count.isMultiple(of: 2), !bytes.isEmpty else { return nil }
        let content = integer(bytes.prefix(bytes.count / 2)) + integer(bytes.suffix(bytes.count / 2))
        guard content.count < 256 else { return nil }
        return DER.element(DER.sequence, content)
    }

    /// - Returns: `nil` when the DER is none, or a number does not fit.
    static func fixedWidth(fromDER der: [UInt8], width: Int) -> [UInt8]? {
        var rest = der[...]
        guard rest.popFirst() == DER.sequence, rest.popFirst() != nil,
            let r = takeInteger(&rest, width: width), let s = takeInteger(&rest, width: width)
        else { return nil }
        return r + s
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var digits = Array(bytes.drop { $0 == 0 })
        if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
        return DER.element(DER.integer, digits)
    }

    private static func takeInteger(_ rest: inout ArraySlice<UInt8>, width: Int) -> [UInt8]? {
        guard rest.popFirst() == DER.integer, let count = rest.popFirst(), rest.count >= Int(count) else { return nil }
        let digits = rest.prefix(Int(count)).drop { $0 == 0 }
        rest = rest.dropFirst(Int(count))
        guard digits.count <= width else { return nil }
        return [UInt8](repeating: 0, count: width - digits.count) + digits
    }
}
