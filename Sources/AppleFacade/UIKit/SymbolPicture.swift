internal import Foundation

/// A PNG of one transparent pixel, with an SF symbol's name in its text chunk: Apple's symbols cannot be shipped.
enum SymbolPicture {
    static func png(_ symbolName: String) -> Data {
        var file = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        // 1 × 1, 8 bits, grey and alpha.
        append("IHDR", [0, 0, 0, 1, 0, 0, 0, 1, 8, 4, 0, 0, 0], to: &file)
        append("tEXt", Array("Symbol\0\(symbolName)".utf8), to: &file)
        // zlib: one stored block of three zero bytes (filter, grey, alpha) and their Adler-32.
        append("IDAT", [0x78, 0x01, 0x01, 3, 0, 0xFC, 0xFF, 0, 0, 0, 0, 3, 0, 1], to: &file)
        append("IEND", [], to: &file)
        return file
    }

    private static func append(_ name: String, _ content: [UInt8], to file: inout Data) {
        let body = Array(name.utf8) + content
        file.append(contentsOf: big(UInt32(content.count)) + body + big(crc32(body)))
    }

    private static func big(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
    }
}
