public struct UTType: Hashable, Sendable {
    public let identifier: String
    public let preferredFilenameExtension: String?
    public let preferredMIMEType: String?
    private let parents: [String]

    private init(_ identifier: String, _ filenameExtension: String?, _ mimeType: String?, _ parents: String...) {
        self.identifier = identifier
        preferredFilenameExtension = filenameExtension
        preferredMIMEType = mimeType
        self.parents = parents
    }

    public init?(_ identifier: String) { self.init(where: { $0.identifier == identifier }) }

    public init?(filenameExtension: String) {
        let ending = filenameExtension.lowercased()
        self.init(where: { $0.preferredFilenameExtension == ending || $0.otherFilenameExtensions.contains(ending) })
    }

    public init?(mimeType: String) {
        self.init(where: { $0.preferredMIMEType == mimeType.lowercased() })
    }

    private init?(where matches: (UTType) -> Bool) {
        guard let type = Self.all.first(where: matches) else { return nil }
        self = type
    }

    public func conforms(to type: UTType) -> Bool { self == type || parents.contains(type.identifier) }

    private var otherFilenameExtensions: [String] { Self.otherFilenameExtensions[identifier] ?? [] }

    /// Those of attachments are `AttachmentType`'s.
    private static let otherFilenameExtensions = [
        "public.jpeg": ["jpg", "jpe"], "public.aiff-audio": ["aif", "aifc"], "com.microsoft.waveform-audio": ["wave"],
        "public.mpeg-4-audio": ["mp4a"], "public.mpeg": ["mpeg", "m1v"], "public.mpeg-2-video": ["m2v"],
        "public.mpeg-4": ["m4v"], "public.html": ["htm"], "public.tiff": ["tif"],
    ]

    private static let all: [UTType] = [
        .jpeg, .png, .gif, .webP, .heic, .tiff, .mp3, .wav, .aiff, .mpeg4Audio, .mpeg, .mpeg2Video, .mpeg4Movie, .avi,
        .quickTimeMovie, .pdf, .plainText, .html, .json, .data, .image, .audio, .movie,
    ]

    public static let data = UTType("public.data", nil, nil)
    public static let image = UTType("public.image", nil, nil, "public.data")
    public static let audio = UTType("public.audio", nil, nil, "public.data")
    public static let movie = UTType("public.movie", nil, nil, "public.data")
    public static let jpeg = UTType("public.jpeg", "jpeg", "image/jpeg", "public.image", "public.data")
    public static let png = UTType("public.png", "png", "image/png", "public.image", "public.data")
    public static let gif = UTType("com.compuserve.gif", "gif", "image/gif", "public.image", "public.data")
    public static let webP = UTType("org.webmproject.webp", "webp", "image/webp", "public.image", "public.data")
    public static let heic = UTType("public.heic", "heic", "image/heic", "public.image", "public.data")
    public static let tiff = UTType("public.tiff", "tiff", "image/tiff", "public.image", "public.data")
    public static let mp3 = UTType("public.mp3", "mp3", "audio/mpeg", "public.audio", "public.data")
    public static let wav = UTType(
        "com.microsoft.waveform-audio", "wav", "audio/vnd.wave", "public.audio", "public.data")
    public static let aiff = UTType("public.aiff-audio", "aiff", "audio/aiff", "public.audio", "public.data")
    public static let mpeg4Audio = UTType("public.mpeg-4-audio", "m4a", "audio/mp4", "public.audio", "public.data")
    public static let mpeg = UTType("public.mpeg", "mpg", "video/mpeg", "public.movie", "public.data")
    public static let mpeg2Video = UTType("public.mpeg-2-video", "m2v", "video/mpeg2", "public.movie", "public.data")
    public static let mpeg4Movie = UTType("public.mpeg-4", "mp4", "video/mp4", "public.movie", "public.data")
    public static let avi = UTType("public.avi", "avi", "video/avi", "public.movie", "public.data")
    public static let quickTimeMovie = UTType(
        "com.apple.quicktime-movie", "mov", "video/quicktime", "public.movie", "public.data")
    public static let pdf = UTType("com.adobe.pdf", "pdf", "application/pdf", "public.data")
    public static let plainText = UTType("public.plain-text", "txt", "text/plain", "public.data")
    public static let html = UTType("public.html", "html", "text/html", "public.data")
    public static let json = UTType("public.json", "json", "application/json", "public.data")
}
