public import Foundation

/// A picture as the bytes of its file. Nothing is decoded: size and format are read from the file's first bytes.
open class UIImage: NSObject {
    private let file: Data
    private let format: PictureFormat
    /// In points; zero where the format does not tell easily (JPEG).
    public let size: CGSize
    public let scale: CGFloat
    package let symbolName: String?

    private init(_ file: Data, _ format: PictureFormat, scale: CGFloat = 1, symbolName: String? = nil) {
        self.file = file
        self.format = format
        self.scale = scale
        self.symbolName = symbolName
        let pixels = format.size(of: file)
        size = CGSize(width: pixels.width / scale, height: pixels.height / scale)
    }

    /// An SF symbol: a transparent pixel that carries the symbol's name as PNG text. Every name but an empty one is known.
    public convenience init?(systemName name: String) {
        guard !name.isEmpty else { return nil }
        self.init(SymbolPicture.png(name), .png, symbolName: name)
    }

    /// A picture of the extension's bundle: its name, with or without an ending.
    public convenience init?(named name: String) {
        let file = ["", "png", "jpg", "jpeg", "gif"].lazy
            .compactMap { Bundle.main.url(forResource: name, withExtension: $0.isEmpty ? nil : $0) }
            .compactMap { try? Data(contentsOf: $0) }.first
        guard let file else { return nil }
        self.init(data: file)
    }

    /// The bytes of a file; `nil` unless they begin like a picture.
    public convenience init?(data: Data) { self.init(data: data, scale: 1) }

    /// The bytes of a file; `nil` unless they begin like a picture.
    public convenience init?(data: Data, scale: CGFloat) {
        guard let format = PictureFormat(data) else { return nil }
        self.init(data, format, scale: scale)
    }

    public convenience init?(contentsOfFile path: String) {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        self.init(data: data)
    }

    /// The file, whatever its format: nothing here could encode it anew.
    open func pngData() -> Data? { file }

    /// The file, whatever its format: nothing here could encode it anew.
    open func jpegData(compressionQuality: CGFloat) -> Data? { file }
}
