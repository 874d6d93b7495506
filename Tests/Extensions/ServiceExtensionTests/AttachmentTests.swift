import ExtensionWire
import Foundation
import Testing
import UniformTypeIdentifiers

@testable import DeviceModel
@testable import UserNotifications

@Suite final class AttachmentTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// A sparse file.
    private func file(_ name: String, byteCount: UInt64 = 8) throws -> URL {
        let url = folder.appendingPathComponent(name)
        try Data().write(to: url)
        let handle = try FileHandle(forWritingTo: url)
        try handle.truncate(atOffset: byteCount)
        try handle.close()
        return url
    }

    private func code(_ url: URL, _ options: [AnyHashable: Any]? = nil) -> UNError.Code? {
        do {
            _ = try UNNotificationAttachment(identifier: "a", url: url, options: options)
            return nil
        } catch {
            return (error as? UNError)?.code
        }
    }

    @Test(arguments: [
        ("a.jpg", "public.jpeg"), ("a.GIF", "com.compuserve.gif"), ("a.png", "public.png"), ("a.mp3", "public.mp3"),
        ("a.wav", "com.microsoft.waveform-audio"), ("a.m4a", "public.mpeg-4-audio"), ("a.mp4", "public.mpeg-4"),
        ("a.aiff", "public.aiff-audio"), ("a.avi", "public.avi"), ("a.mpg", "public.mpeg"),
    ]) func theExtensionDeterminesTheType(_ name: String, _ type: String) throws {
        let attachment = try UNNotificationAttachment(identifier: "", url: try file(name))
        #expect(attachment.type == type)
        #expect(!attachment.identifier.isEmpty)
    }

    @Test(arguments: [("a.png", UInt64(10)), ("a.mp3", 5), ("a.mp4", 50)])
    func sizeHasALimit(_ name: String, _ megabytes: UInt64) throws {
        let limit = megabytes << 20
        #expect(code(try file(name, byteCount: limit)) == nil)
        #expect(code(try file(name, byteCount: limit + 1)) == .attachmentInvalidFileSize)
        #expect(code(try file(name, byteCount: 0)) == .attachmentInvalidFileSize)
    }

    @Test func aFileMustBeThere() throws {
        #expect(code(folder.appendingPathComponent("none.png")) == .attachmentInvalidURL)
        #expect(code(folder) == .attachmentInvalidURL)
        #expect(code(try #require(URL(string: "https://example.com/a.png"))) == .attachmentInvalidURL)
    }

    @Test func theHintOverridesTheExtension() throws {
        let hint = { [UNNotificationAttachmentOptionsTypeHintKey: $0] }
        #expect(code(try file("a.tmp")) == .attachmentUnrecognizedType)
        #expect(code(try file("a.tmp"), hint("public.jpeg")) == nil)
        #expect(code(try file("a.png"), hint("public.plain-text")) == .attachmentUnrecognizedType)
        #expect(code(try file("a.tmp"), hint(UTType.png.identifier)) == nil)
        #expect(code(try file("a.tmp"), hint("com.apple.m4a-audio")) == nil)
        #expect(code(try file("a.tmp"), hint("png")) == .attachmentUnrecognizedType)
    }

    /// Options as an extension writes them and as the protocol encodes them.
    static let options: [(name: String, options: @Sendable () -> [AnyHashable: Any], json: String?)] = [
        ("hidden", { [UNNotificationAttachmentOptionsThumbnailHiddenKey: true] }, #"{"thumbnailHidden":true}"#),
        (
            "hidden as a number", { [UNNotificationAttachmentOptionsThumbnailHiddenKey: NSNumber(value: 1)] },
            #"{"thumbnailHidden":true}"#
        ),
        (
            "hint", { [UNNotificationAttachmentOptionsTypeHintKey: UTType.png.identifier] },
            #"{"typeHint":"public.png"}"#
        ),
        (
            "hint as Core Foundation has it",
            { [UNNotificationAttachmentOptionsTypeHintKey: NSString(string: "public.png")] },
            #"{"typeHint":"public.png"}"#
        ),
        ("time", { [UNNotificationAttachmentOptionsThumbnailTimeKey: 2] }, #"{"thumbnailTime":2.0}"#),
        (
            "time of Core Media",
            {
                [UNNotificationAttachmentOptionsThumbnailTimeKey: ["value": 3, "timescale": 2, "flags": 1, "epoch": 0]]
            },
            #"{"thumbnailTime":1.5}"#
        ),
        (
            "part",
            {
                let part = CGRect(x: 0.25, y: 0, width: 0.5, height: 1)
                return [UNNotificationAttachmentOptionsThumbnailClippingRectKey: part.dictionaryRepresentation]
            }, #"{"clippingRect":{"height":1.0,"width":0.5,"x":0.25,"y":0.0}}"#
        ),
        (
            "a part that is not within the unit square",
            {
                let part = CGRect(x: 0, y: 0, width: 100, height: 100)
                return [UNNotificationAttachmentOptionsThumbnailClippingRectKey: part.dictionaryRepresentation]
            }, nil
        ),
        ("another's", { ["sparkles": true] }, nil),
    ]

    @Test(arguments: options.indices) func optionsHaveTheProtocolsNames(_ index: Int) throws {
        let (name, options, json) = Self.options[index]
        let attachment = try UNNotificationAttachment(identifier: "a", url: try file("a.png"), options: options())
        #expect(attachment.json["options"]?.json == json, "\(name)")
    }

    @Test func aRectangleReadsBackFromItsDictionary() {
        let part = CGRect(x: 0.25, y: 0, width: 0.5, height: 1)
        #expect(CGRect(dictionaryRepresentation: part.dictionaryRepresentation) == part)
        #expect(CGRect(dictionaryRepresentation: ["X": 1]) == nil)
    }

    @Test func errorCodesAreApples() {
        #expect(
            UNError.Code.allCases.map(\.rawValue) == [1, 100, 101, 102, 103, 104, 105, 1400, 1401, 1500, 1501, 1600])
    }

    @Test func aSymbolIsAnImageWithItsName() throws {
        let data = try #require(Pictures.symbol("applelogo"))
        #expect(data.range(of: Data("Symbol\0applelogo".utf8)) != nil)
        #expect(Pictures.size(data) == CGSize(width: 1, height: 1))
        #expect(Pictures.symbol("") == nil)
        #expect(Pictures.size(Data("text".utf8)) == nil)
    }

    @Test("extension, gateway and UTType support the same attachment types") func typesAreTheGateways() {
        let gateways = AttachmentType.all.map { type in
            [type.identifier, "\(type.family.maximumByteCount)"] + type.extensions.sorted() + type.aliases
        }
        let extensions = AttachableType.all.map { type in
            let aliases = AttachableType.aliases.filter { $0.value == type }.keys
            return [type.identifier, "\(AttachableType.maximumByteCount(of: type))"] + type.filenameExtensions.sorted()
                + aliases.sorted()
        }
        #expect(extensions == gateways)
        for type in AttachmentType.all {
            for ending in type.extensions {
                #expect(UTType(filenameExtension: ending)?.identifier == type.identifier, "\(ending)")
            }
        }
    }

    @Test func typesHaveTheirExtensions() {
        #expect(UTType(filenameExtension: "jpg")?.identifier == "public.jpeg")
        #expect(UTType(mimeType: "image/png")?.preferredFilenameExtension == "png")
        #expect(UTType("public.mpeg-4")?.conforms(to: .movie) == true)
        #expect(UTType(filenameExtension: "nothing") == nil)
    }
}
