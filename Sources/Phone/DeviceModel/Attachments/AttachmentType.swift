/// A type of file that a notification can show or play (C.7; Apple, "UNNotificationAttachment").
package struct AttachmentType: Sendable, Hashable {
    /// A uniform type identifier, such as `public.jpeg`.
    package var identifier: String
    /// For HTTP, such as `image/jpeg`.
    package var mediaType: String
    package var family: Family
    /// In lower case.
    var extensions: [String]
    /// Type identifiers that conform to this one.
    var aliases: [String] = []
    var signature: Signature

    /// Types with a common size limit.
    package enum Family: String, CaseIterable, Sendable { case audio, image, movie }

    enum Signature { case jpeg, png, gif, aiff, wave, mp3, mpeg4, mpeg, avi }

    package static let all: [AttachmentType] = [
        .init("public.jpeg", "image/jpeg", .image, ["jpg", "jpeg", "jpe"], .jpeg),
        .init("public.png", "image/png", .image, ["png"], .png),
        .init("com.compuserve.gif", "image/gif", .image, ["gif"], .gif),
        .init("public.aiff-audio", "audio/aiff", .audio, ["aif", "aiff", "aifc"], .aiff, ["public.aifc-audio"]),
        .init("com.microsoft.waveform-audio", "audio/wav", .audio, ["wav", "wave"], .wave),
        .init("public.mp3", "audio/mpeg", .audio, ["mp3"], .mp3),
        .init("public.mpeg-4-audio", "audio/mp4", .audio, ["m4a", "mp4a"], .mpeg4, ["com.apple.m4a-audio"]),
        .init("public.mpeg", "video/mpeg", .movie, ["mpg", "mpeg", "m1v"], .mpeg),
        .init("public.mpeg-2-video", "video/mpeg", .movie, ["m2v"], .mpeg),
        .init("public.mpeg-4", "video/mp4", .movie, ["mp4", "m4v"], .mpeg4, ["com.apple.m4v-video"]),
        .init("public.avi", "video/x-msvideo", .movie, ["avi"], .avi),
    ]

    private init(
        _ identifier: String, _ mediaType: String, _ family: Family, _ extensions: [String],
        _ signature: Signature, _ aliases: [String] = []
    ) {
        (self.identifier, self.mediaType, self.family) = (identifier, mediaType, family)
        (self.extensions, self.aliases, self.signature) = (extensions, aliases, signature)
    }

    /// - Parameter hint: A uniform type identifier; overrides the name.
    /// - Returns: nil for a type that notifications do not show.
    package init?(ofFileNamed name: String, hint: String? = nil) {
        let found: AttachmentType?
        if let hint, !hint.isEmpty {
            found = Self.all.first { $0.identifier == hint || $0.aliases.contains(hint) }
        } else {
            let parts = name.split(separator: ".", omittingEmptySubsequences: false)
            let suffix = parts.count > 1 ? parts[parts.count - 1].lowercased() : ""
            found = Self.all.first { $0.extensions.contains(suffix) }
        }
        guard let found else { return nil }
        self = found
    }

    /// - Returns: nil when no known type starts with these bytes.
    package init?(ofFileBeginningWith head: RawSpan) {
        guard let found = Self.all.first(where: { $0.signature.begins(head) }) else { return nil }
        self = found
    }
}

extension AttachmentType.Signature {
    func begins(_ head: RawSpan) -> Bool {
        func has(_ text: String, at offset: Int = 0) -> Bool { head.has(Array(text.utf8), at: offset) }
        return switch self {
        case .jpeg: head.has([0xFF, 0xD8, 0xFF])
        case .png: head.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        case .gif: has("GIF87a") || has("GIF89a")
        case .aiff: has("FORM") && (has("AIFF", at: 8) || has("AIFC", at: 8))
        case .wave: has("RIFF") && has("WAVE", at: 8)
        // A tag, or a frame's eleven synchronization bits with a layer that is not reserved (ISO 11172-3).
        case .mp3: has("ID3") || head.has([0xFF]) && head.has(at: 1) { $0 & 0xE0 == 0xE0 && $0 & 0x06 != 0 }
        case .mpeg4: has("ftyp", at: 4)
        // A pack header or a sequence header (ISO 13818).
        case .mpeg: head.has([0, 0, 1, 0xBA]) || head.has([0, 0, 1, 0xB3])
        case .avi: has("RIFF") && has("AVI ", at: 8)
        }
    }
}

extension RawSpan {
    fileprivate func has(_ bytes: [UInt8], at offset: Int = 0) -> Bool {
        guard byteCount >= offset + bytes.count else { return false }
        return bytes.indices.allSatisfy { unsafeLoad(fromByteOffset: offset + $0, as: UInt8.self) == bytes[$0] }
    }

    fileprivate func has(at offset: Int, _ test: (UInt8) -> Bool) -> Bool {
        byteCount > offset && test(unsafeLoad(fromByteOffset: offset, as: UInt8.self))
    }
}
