internal import Foundation

/// Formats by the bytes that their files begin with.
enum PictureFormat: Sendable {
    case png, jpeg, gif, webP, heic

    init?(_ file: Data) {
        let head = [UInt8](file.prefix(12))
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            self = .png
        } else if head.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if head.starts(with: Array("GIF8".utf8)) {
            self = .gif
        } else if head.starts(with: Array("RIFF".utf8)), head.dropFirst(8).elementsEqual("WEBP".utf8) {
            self = .webP
        } else if head.dropFirst(4).starts(with: "ftyp".utf8) {
            self = .heic
        } else {
            return nil
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
