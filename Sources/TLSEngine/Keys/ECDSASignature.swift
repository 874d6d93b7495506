/// Converts between DER `SEQUENCE { INTEGER r, INTEGER s }` and r‖s.
enum ECDSASignature {
    /// - Parameter bytes: r‖s, half each.
    static func der(fromFixedWidth bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count.isMultiple(of: 2), !bytes.isEmpty else { return nil }
        let content = integer(bytes.prefix(bytes.count / 2)) + integer(bytes.suffix(bytes.count / 2))
        guard content.count < 256 else { return nil }
        return DER.element(DER.sequence, content)
    }

    /// - Returns: nil when `der` is invalid or a number does not fit.
    static func fixedWidth(fromDER der: [UInt8], width: Int) -> [UInt8]? {
        guard let sequence = DER.elements(der[...])?.first, sequence.tag == DER.sequence,
            let numbers = DER.elements(sequence.content), numbers.count == 2
        else { return nil }
        let digits = numbers.map { $0.content.drop { $0 == 0 } }
        guard numbers.allSatisfy({ $0.tag == DER.integer }), digits.allSatisfy({ $0.count <= width }) else {
            return nil
        }
        return digits.flatMap { [UInt8](repeating: 0, count: width - $0.count) + $0 }
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var digits = Array(bytes.drop { $0 == 0 })
        if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
        return DER.element(DER.integer, digits)
    }
}
