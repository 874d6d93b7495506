/// The two forms of an ECDSA signature: DER `SEQUENCE { INTEGER r, INTEGER s }`, and r and s side by side.
enum ECDSASignature {
    /// - Parameter bytes: r and s in half of the bytes each.
    static func der(fromFixedWidth bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count.isMultiple(of: 2), !bytes.isEmpty else { return nil }
        let content = integer(bytes.prefix(bytes.count / 2)) + integer(bytes.suffix(bytes.count / 2))
        guard content.count < 256 else { return nil }
        let length: [UInt8] = content.count < 128 ? [UInt8(content.count)] : [0x81, UInt8(content.count)]
        return [0x30] + length + content
    }

    /// - Returns: `nil` when the DER is none, or a number does not fit.
    static func fixedWidth(fromDER der: [UInt8], width: Int) -> [UInt8]? {
        var rest = der[...]
        guard rest.popFirst() == 0x30, rest.popFirst() != nil,
            let r = takeInteger(&rest, width: width), let s = takeInteger(&rest, width: width)
        else { return nil }
        return r + s
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var digits = Array(bytes.drop { $0 == 0 })
        if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
        return [0x02, UInt8(digits.count)] + digits
    }

    private static func takeInteger(_ rest: inout ArraySlice<UInt8>, width: Int) -> [UInt8]? {
        guard rest.popFirst() == 0x02, let count = rest.popFirst(), rest.count >= Int(count) else { return nil }
        let digits = rest.prefix(Int(count)).drop { $0 == 0 }
        rest = rest.dropFirst(Int(count))
        guard digits.count <= width else { return nil }
        return [UInt8](repeating: 0, count: width - digits.count) + digits
    }
}
