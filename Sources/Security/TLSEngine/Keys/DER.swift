/// The subset of DER (X.690 §8) that signatures and Apple's certificate extensions need.
enum DER {
    static let integer: UInt8 = 0x02
    static let utf8String: UInt8 = 0x0c
    static let sequence: UInt8 = 0x30
    static let null: [UInt8] = [0x05, 0x00]

    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        switch content.count {
        case ..<128: [tag, UInt8(content.count)] + content
        case ..<256: [tag, 0x81, UInt8(content.count)] + content
        default: [tag, 0x82, UInt8(content.count >> 8 & 0xff), UInt8(content.count & 0xff)] + content
        }
    }

    static func text(_ text: String) -> [UInt8] { element(utf8String, Array(text.utf8)) }

    /// Consecutive elements; nil when they are not DER or longer than 64 KiB.
    static func elements(_ bytes: ArraySlice<UInt8>) -> [(tag: UInt8, content: ArraySlice<UInt8>)]? {
        var rest = bytes
        var elements: [(tag: UInt8, content: ArraySlice<UInt8>)] = []
        while let tag = rest.popFirst() {
            guard let first = rest.popFirst() else { return nil }
            var count = Int(first)
            if first >= 0x80 {
                guard first == 0x81 || first == 0x82, rest.count >= Int(first & 3) else { return nil }
                count = rest.prefix(Int(first & 3)).reduce(0) { $0 << 8 | Int($1) }
                rest = rest.dropFirst(Int(first & 3))
            }
            guard rest.count >= count else { return nil }
            elements.append((tag, rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return elements
    }
}

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
