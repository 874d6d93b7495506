public import Foundation

/// The bytes of a picture file; only size and format are read, from its header.
open class UIImage: NSObject {
    private let file: Data
    /// In points; zero if the format does not store it at a fixed place (JPEG).
    public let size: CGSize
    public let scale: CGFloat

    /// nil unless the data begins with a known picture format.
    public init?(data: Data, scale: CGFloat = 1) {
        guard let pixels = pixelSize(data) else { return nil }
        (file, self.scale) = (data, scale)
        size = CGSize(width: pixels.width / scale, height: pixels.height / scale)
    }

    /// A transparent pixel with the symbol's name in PNG text. Any name except an empty one works.
    public convenience init?(systemName name: String) {
        guard !name.isEmpty else { return nil }
        self.init(data: SymbolPicture.png(name))
    }

    /// A picture in the extension's bundle; the extension of the file name is optional.
    public convenience init?(named name: String) {
        let file = ["", "png", "jpg", "jpeg", "gif"].lazy
            .compactMap { Bundle.main.url(forResource: name, withExtension: $0.isEmpty ? nil : $0) }
            .compactMap { try? Data(contentsOf: $0) }.first
        guard let file else { return nil }
        self.init(data: file)
    }

    public convenience init?(contentsOfFile path: String) {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        self.init(data: data)
    }

    /// The original file in any format, as is `jpegData`: nothing is encoded.
    open func pngData() -> Data? { file }

    open func jpegData(compressionQuality: CGFloat) -> Data? { file }
}

/// A picture's size in pixels: zero if its header does not have it at a fixed place; nil for an unknown format.
private func pixelSize(_ file: Data) -> CGSize? {
    let head = [UInt8](file.prefix(24))
    func has(_ text: some Sequence<UInt8>, at index: Int = 0) -> Bool { head.dropFirst(index).starts(with: text) }
    func number(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
    if has([0x89, 0x50, 0x4E, 0x47]) {
        return head.count < 24 ? .zero : CGSize(width: number(head[16..<20]), height: number(head[20..<24]))
    }
    if has("GIF8".utf8) {
        guard head.count >= 10 else { return .zero }
        return CGSize(width: number(head[6..<8].reversed()), height: number(head[8..<10].reversed()))
    }
    let isOther = has([0xFF, 0xD8, 0xFF]) || has("RIFF".utf8) && has("WEBP".utf8, at: 8) || has("ftyp".utf8, at: 4)
    return isOther ? .zero : nil
}

/// A transparent pixel with a symbol's name in its text chunk, because Apple's symbols must not be redistributed.
enum SymbolPicture {
    static func png(_ symbolName: String) -> Data {
        var file = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        // 1 × 1, 8 bits, gray and alpha.
        append("IHDR", [0, 0, 0, 1, 0, 0, 0, 1, 8, 4, 0, 0, 0], to: &file)
        append("tEXt", Array("Symbol\0\(symbolName)".utf8), to: &file)
        // zlib: one stored block of three zero bytes (filter, gray, alpha) and their Adler-32.
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
