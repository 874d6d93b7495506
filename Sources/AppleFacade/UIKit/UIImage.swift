public import Foundation

/// A picture as the bytes of its file. Nothing is decoded: size and format are read from the file's first bytes.
open class UIImage: NSObject {
    private let file: Data
    /// In points; zero where the format does not tell easily (JPEG).
    public let size: CGSize
    public let scale: CGFloat

    /// The bytes of a file; nil unless they begin like a picture.
    public init?(data: Data, scale: CGFloat = 1) {
        guard let format = PictureFormat(data) else { return nil }
        (file, self.scale) = (data, scale)
        let pixels = format.size(of: data)
        size = CGSize(width: pixels.width / scale, height: pixels.height / scale)
    }

    /// An SF symbol: a transparent pixel that carries the symbol's name as PNG text. Every name but an empty one is known.
    public convenience init?(systemName name: String) {
        guard !name.isEmpty else { return nil }
        self.init(data: SymbolPicture.png(name))
    }

    /// A picture of the extension's bundle: its name, with or without an ending.
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

    /// The file, whatever its format; so is `jpegData`: nothing here encodes pictures.
    open func pngData() -> Data? { file }

    open func jpegData(compressionQuality: CGFloat) -> Data? { file }
}

/// Formats by the bytes that their files begin with.
enum PictureFormat: Sendable {
    case png, jpeg, gif, webP, heic

    init?(_ file: Data) {
        let head = [UInt8](file.prefix(12))
        let (start, brand) = (head.prefix(4), head.dropFirst(8))
        switch true {
        case start.elementsEqual([0x89, 0x50, 0x4E, 0x47]): self = .png
        case start.starts(with: [0xFF, 0xD8, 0xFF]): self = .jpeg
        case start.elementsEqual("GIF8".utf8): self = .gif
        case start.elementsEqual("RIFF".utf8) && brand.elementsEqual("WEBP".utf8): self = .webP
        case head.dropFirst(4).starts(with: "ftyp".utf8): self = .heic
        default: return nil
        }
    }

    /// In pixels, where the header has it in a fixed place.
    func size(of file: Data) -> CGSize {
        let bytes = [UInt8](file.prefix(24))
        switch self {
        case .png where bytes.count == 24:
            return CGSize(width: Self.big(bytes[16..<20]), height: Self.big(bytes[20..<24]))
        case .gif where bytes.count >= 10:
            return CGSize(width: Self.big([bytes[7], bytes[6]]), height: Self.big([bytes[9], bytes[8]]))
        case .png, .gif, .jpeg, .webP, .heic: return .zero
        }
    }

    private static func big(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}

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
