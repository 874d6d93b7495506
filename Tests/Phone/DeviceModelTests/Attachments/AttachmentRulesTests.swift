import Testing

@testable import DeviceModel

@Suite("C.7 files that may be attached to a notification") struct AttachmentRulesTests {
    static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
    static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// The first bytes of each kind of file, by file extension.
    static let files: [(names: [String], type: String, family: AttachmentType.Family, head: [UInt8])] = [
        (["a.jpg", "a.JPEG", "a.b.jpe"], "public.jpeg", .image, jpeg),
        (["a.png"], "public.png", .image, png),
        (["a.gif"], "com.compuserve.gif", .image, Array("GIF89a".utf8)),
        (["a.aif", "a.aiff"], "public.aiff-audio", .audio, Array("FORM0000AIFF".utf8)),
        (["a.aifc"], "public.aiff-audio", .audio, Array("FORM0000AIFC".utf8)),
        (["a.wav"], "com.microsoft.waveform-audio", .audio, Array("RIFF0000WAVE".utf8)),
        (["a.mp3"], "public.mp3", .audio, Array("ID3".utf8)),
        (["a.mp3"], "public.mp3", .audio, [0xFF, 0xFB, 0x90]),
        (["a.m4a"], "public.mpeg-4-audio", .audio, Array("0000ftypM4A ".utf8)),
        (["a.mpg", "a.mpeg"], "public.mpeg", .movie, [0, 0, 1, 0xBA]),
        (["a.m2v"], "public.mpeg-2-video", .movie, [0, 0, 1, 0xB3]),
        (["a.mp4", "a.m4v"], "public.mpeg-4", .movie, Array("0000ftypisom".utf8)),
        (["a.avi"], "public.avi", .movie, Array("RIFF0000AVI ".utf8)),
    ]

    /// - Returns: the type, or the code of the error.
    static func outcome(_ name: String, hint: String? = nil, byteCount: Int = 100, _ head: [UInt8]) -> String {
        var attachment = NotificationAttachment(url: "file:///t/\(name)")
        if let hint {
            attachment.options = .init()
            attachment.options?.typeHint = hint
        }
        do throws(AttachmentError) {
            return try AttachmentRules.type(
                of: attachment, named: name, byteCount: byteCount, head: head.span.bytes
            ).identifier
        } catch {
            return "\(error.code.rawValue)"
        }
    }

    @Test("C.7 every supported type is accepted", arguments: files)
    func accepts(_ names: [String], _ type: String, _ family: AttachmentType.Family, _ head: [UInt8]) {
        for name in names { #expect(Self.outcome(name, head) == type, "\(name)") }
        #expect(Self.outcome("noname", hint: type, head) == type)
        #expect(AttachmentType(ofFileNamed: names[0])?.family == family)
    }

    @Test("C.7 every type is in the table above") func isComplete() {
        #expect(Set(Self.files.map(\.type)) == Set(AttachmentType.all.map(\.identifier)))
    }

    @Test(
        "C.7 the limits of 5, 10 and 50 MB, on both sides",
        arguments: [
            ("a.mp3", 5 << 20), ("a.jpg", 10 << 20), ("a.gif", 10 << 20), ("a.mp4", 50 << 20), ("a.wav", 5 << 20),
        ])
    func limits(_ name: String, _ limit: Int) throws {
        let file = try #require(Self.files.first { $0.names.contains(name) })
        #expect(Self.outcome(name, byteCount: limit, file.head) == file.type)
        #expect(Self.outcome(name, byteCount: limit + 1, file.head) == "102")
    }

    static let refused: [(name: String, hint: String?, byteCount: Int, head: [UInt8], code: String)] = [
        ("a.webp", nil, 10, jpeg, "101"), ("a", nil, 10, jpeg, "101"), (".jpg.", nil, 10, jpeg, "101"),
        ("jpg", nil, 10, jpeg, "101"), ("a.jpg", "public.webp", 10, jpeg, "101"), ("a.mov", nil, 10, jpeg, "101"),
        ("a.jpg", nil, 10, png, "105"), ("a.jpg", "public.png", 10, jpeg, "105"), ("a.jpg", nil, 0, [], "102"),
        ("a.jpg", nil, 2, [0xFF, 0xD8], "105"), ("a.wav", nil, 12, Array("RIFF0000AVI ".utf8), "105"),
        ("a.mp3", nil, 2, [0xFF, 0x00], "105"),
        // The type is checked before the size, the size before the content.
        ("a.webp", nil, 60 << 20, jpeg, "101"), ("a.jpg", nil, 60 << 20, png, "102"),
    ]

    @Test("C.7 unknown, empty, oversized and corrupt files are rejected", arguments: refused)
    func refuses(_ name: String, _ hint: String?, _ byteCount: Int, _ head: [UInt8], _ code: String) {
        #expect(Self.outcome(name, hint: hint, byteCount: byteCount, head) == code)
    }

    @Test(
        "C.7 a type hint overrides the file extension",
        arguments: [("a.tmp", "public.png"), ("a.jpg", "public.png"), ("a.jpg", "")])
    func hints(_ name: String, _ hint: String) {
        #expect(Self.outcome(name, hint: hint, hint.isEmpty ? Self.jpeg : Self.png).hasPrefix("public."))
    }

    @Test(
        "C.7 file addresses become paths",
        arguments: [
            ("file:///tmp/a.jpg", "/tmp/a.jpg"), ("file://localhost/a", "/a"), ("FILE:///a%20b", "/a b"),
            ("file:///%E7%8C%AB.png", "/猫.png"), ("https://cats.example/a.jpg", nil), ("/tmp/a.jpg", nil),
            ("file://elsewhere/a", nil), ("file:///a%2", nil), ("file:///a%zz", nil), ("file:///%FF", nil),
            ("file:///a%00", nil), ("", nil), ("file://", nil),
        ] as [(String, String?)])
    func paths(_ url: String, _ path: String?) { #expect(AttachmentRules.path(of: url) == path) }

    @Test("pictures are recognised by their first bytes") func sniffs() {
        #expect(AttachmentType(ofFileBeginningWith: Self.png.span.bytes)?.mediaType == "image/png")
        #expect(AttachmentType(ofFileBeginningWith: Self.jpeg.span.bytes)?.mediaType == "image/jpeg")
        #expect(AttachmentType(ofFileBeginningWith: Array("<svg".utf8).span.bytes) == nil)
    }
}
