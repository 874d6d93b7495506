#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension JSONTree {
    /// Any encodable value, its members in alphabetical order.
    init(encoding value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        self = .raw(Array(try encoder.encode(value)))
    }
}

/// Standard base64, as JSON carries bytes that are no text.
func base64(_ bytes: some Sequence<UInt8>) -> String { Data(bytes).base64EncodedString() }
