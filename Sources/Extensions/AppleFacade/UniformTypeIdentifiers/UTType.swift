public struct UTType: Hashable, Sendable {
    public let identifier: String
    public let preferredMIMEType: String?
    /// Preferred one first.
    package let filenameExtensions: [String]
    /// The type this conforms to besides `public.data`.
    private let family: String?

    public var preferredFilenameExtension: String? { filenameExtensions.first }

    private init(_ identifier: String, _ filenameExtensions: [String], _ mimeType: String?, _ family: String? = nil) {
        (self.identifier, self.filenameExtensions, self.family) = (identifier, filenameExtensions, family)
        preferredMIMEType = mimeType
    }

    public init?(_ identifier: String) { self.init(where: { $0.identifier == identifier }) }

    public init?(filenameExtension: String) {
        self.init(where: { $0.filenameExtensions.contains(filenameExtension.lowercased()) })
    }

    public init?(mimeType: String) { self.init(where: { $0.preferredMIMEType == mimeType.lowercased() }) }

    private init?(where matches: (UTType) -> Bool) {
        guard let type = Self.all.first(where: matches) else { return nil }
        self = type
    }

    public func conforms(to type: UTType) -> Bool { self == type || type == .data || type.identifier == family }

    private static let all: [UTType] = [
        .jpeg, .png, .gif, .webP, .heic, .tiff, .mp3, .wav, .aiff, .mpeg4Audio, .mpeg, .mpeg2Video, .mpeg4Movie, .avi,
        .quickTimeMovie, .pdf, .plainText, .html, .json, .data, .image, .audio, .movie,
    ]

    public static let data = UTType("public.data", [], nil)
    public static let image = UTType("public.image", [], nil)
    public static let audio = UTType("public.audio", [], nil)
    public static let movie = UTType("public.movie", [], nil)
    public static let jpeg = UTType("public.jpeg", ["jpeg", "jpg", "jpe"], "image/jpeg", "public.image")
    public static let png = UTType("public.png", ["png"], "image/png", "public.image")
    public static let gif = UTType("com.compuserve.gif", ["gif"], "image/gif", "public.image")
    public static let webP = UTType("org.webmproject.webp", ["webp"], "image/webp", "public.image")
    public static let heic = UTType("public.heic", ["heic"], "image/heic", "public.image")
    public static let tiff = UTType("public.tiff", ["tiff", "tif"], "image/tiff", "public.image")
    public static let mp3 = UTType("public.mp3", ["mp3"], "audio/mpeg", "public.audio")
    public static let wav = UTType("com.microsoft.waveform-audio", ["wav", "wave"], "audio/vnd.wave", "public.audio")
    public static let aiff = UTType("public.aiff-audio", ["aiff", "aif", "aifc"], "audio/aiff", "public.audio")
    public static let mpeg4Audio = UTType("public.mpeg-4-audio", ["m4a", "mp4a"], "audio/mp4", "public.audio")
    public static let mpeg = UTType("public.mpeg", ["mpg", "mpeg", "m1v"], "video/mpeg", "public.movie")
    public static let mpeg2Video = UTType("public.mpeg-2-video", ["m2v"], "video/mpeg2", "public.movie")
    public static let mpeg4Movie = UTType("public.mpeg-4", ["mp4", "m4v"], "video/mp4", "public.movie")
    public static let avi = UTType("public.avi", ["avi"], "video/avi", "public.movie")
    public static let quickTimeMovie = UTType("com.apple.quicktime-movie", ["mov"], "video/quicktime", "public.movie")
    public static let pdf = UTType("com.adobe.pdf", ["pdf"], "application/pdf")
    public static let plainText = UTType("public.plain-text", ["txt"], "text/plain")
    public static let html = UTType("public.html", ["html", "htm"], "text/html")
    public static let json = UTType("public.json", ["json"], "application/json")
}
