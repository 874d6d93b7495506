import Foundation
import Testing

@testable import DeviceModel
@testable import Media

@Suite("C.7 attachments are moved into the store, only from the extension's folder") struct AttachmentMoveTests {
    static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]

    /// A store and the folder of an extension.
    struct Scene {
        let folder: Folder
        let store: MediaStore
        let folders: ExtensionFolders

        init() throws {
            folder = try Folder()
            store = try MediaStore(folder: folder.path + "/store")
            folders = ExtensionFolders(folder.path + "/app/")
            try folder.write(png, to: "app/tmp/cat.png")
            try folder.write(png + [4], to: "app/bundle/logo.png")
            try folder.write(png + [5], to: "secret.png")
        }

        func url(_ name: String) -> String { "file://\(folder.path)/\(name)" }

        /// - Returns: the digest, or the error's code.
        func accept(_ name: String, hint: String? = nil) -> String {
            var attachment = NotificationAttachment(identifier: "i", url: url(name))
            if let hint {
                attachment.options = .init()
                attachment.options?.typeHint = hint
            }
            do throws(AttachmentError) {
                return try store.accept(attachment, from: folders).sha256 ?? "none"
            } catch {
                return "\(error.code.rawValue)"
            }
        }
    }

    @Test("C.7 a moved file is deleted, and listed by type, size and digest") func moves() throws {
        let scene = try Scene()
        let attachment = NotificationAttachment(identifier: "cat", url: scene.url("app/tmp/cat.png"))
        let accepted = try scene.store.accept(attachment, from: scene.folders)
        #expect(accepted.identifier == "cat" && accepted.type == "public.png" && accepted.byteCount == 11)
        #expect(scene.store.data(try #require(accepted.sha256)) == Self.png)
        #expect(!scene.folder.has("app/tmp/cat.png"))
    }

    @Test("C.7 resources of the app are copied, and can be attached again") func copies() throws {
        let scene = try Scene()
        #expect(scene.accept("app/bundle/logo.png").count == 64)
        #expect(scene.folder.has("app/bundle/logo.png"))
        #expect(scene.accept("app/bundle/logo.png").count == 64)
    }

    @Test("C.7 attaching a moved file again is error 104") func movesOnce() throws {
        let scene = try Scene()
        #expect(scene.accept("app/tmp/cat.png").count == 64)
        #expect(scene.accept("app/tmp/cat.png") == "104")
        try scene.folder.write(Self.png, to: "app/tmp/cat.png")
        #expect(scene.accept("app/tmp/cat.png").count == 64, "another file of the name")
    }

    @Test(
        "C.7 the folder and the file may have other paths", arguments: ["/./app", "//app", "/app/../app/", "/link/app"])
    func findsByEitherPath(_ path: String) throws {
        let scene = try Scene()
        let root = scene.folder.path
        try FileManager.default.createSymbolicLink(atPath: "\(root)/link", withDestinationPath: root)
        let folders = ExtensionFolders(root + path)
        for url in [scene.url("app/bundle/logo.png"), "file://\(root)\(path)/tmp/cat.png"] {
            let accepted = try? scene.store.accept(NotificationAttachment(url: url), from: folders)
            #expect(accepted?.sha256 != nil, "\(url)")
        }
        #expect(scene.folder.has("app/bundle/logo.png"), "resources are copied")
    }

    @Test(
        "C.7 a missing file, or one outside the extension's folders, is error 100",
        arguments: [
            "app/tmp/dog.png", "secret.png", "app/../secret.png", "app/tmp/../../secret.png", "app/link.png",
            "app/links/secret.png", "app/tmp", "app/tmp/pipe.png", "app", "app/", "apple/cat.png",
        ])
    func refuses(_ name: String) throws {
        let scene = try Scene()
        let root = scene.folder.path
        try scene.folder.write(Self.png, to: "apple/cat.png")
        try FileManager.default.createSymbolicLink(
            atPath: "\(root)/app/link.png", withDestinationPath: "\(root)/secret.png")
        try FileManager.default.createSymbolicLink(atPath: "\(root)/app/links", withDestinationPath: root)
        #expect(mkfifo("\(root)/app/tmp/pipe.png", 0o600) == 0)
        #expect(scene.accept(name) == "100")
        let error = #expect(throws: AttachmentError.self) {
            try scene.store.accept(NotificationAttachment(identifier: "i", url: scene.url(name)), from: scene.folders)
        }
        let isThere = ["app/link.png", "app/links/secret.png", "app/tmp", "app/tmp/pipe.png", "app/"].contains(name)
        #expect(error?.detail.contains("no regular file") == isThere)
        #expect(scene.folder.has("secret.png") && scene.store.byteCount == 0)
    }

    @Test("C.7 resources behind a link are refused") func refusesALinkedBundle() throws {
        let scene = try Scene()
        let root = scene.folder.path
        try scene.folder.write(Self.png, to: "other/cat.png")
        try? FileManager.default.removeItem(atPath: "\(root)/app/bundle")
        try FileManager.default.createSymbolicLink(atPath: "\(root)/app/bundle", withDestinationPath: "\(root)/other")
        #expect(scene.accept("app/bundle/cat.png") == "100")
    }

    @Test("C.7 a folder that was replaced by a link is refused") func refusesALinkedFolder() throws {
        let scene = try Scene()
        let root = scene.folder.path
        try FileManager.default.moveItem(atPath: "\(root)/app", toPath: "\(root)/other")
        try FileManager.default.createSymbolicLink(atPath: "\(root)/app", withDestinationPath: "\(root)/other")
        #expect(scene.accept("app/tmp/cat.png") == "100")
    }

    @Test("C.7 findings about attachments are bounded") func manyInvalidAttachments() throws {
        let scene = try Scene()
        let missing = (0..<2000).map { NotificationAttachment(url: scene.url("app/tmp/\($0).png")) }
        let good = NotificationAttachment(url: scene.url("app/tmp/cat.png"))
        let (accepted, findings) = scene.store.accept(missing + [good], from: scene.folders)
        #expect(accepted.count == 1 && findings.count == 51)
        #expect(findings[50].id == "findings.more" && findings[50].message.hasPrefix("1950 more findings"))
    }

    @Test("C.7 an address other than of a file is error 100", arguments: ["https://cats.example/1.png", "cat.png", ""])
    func refusesAddresses(_ url: String) throws {
        let scene = try Scene()
        let error = #expect(throws: AttachmentError.self) {
            try scene.store.accept(NotificationAttachment(url: url), from: scene.folders)
        }
        #expect(error?.code == .attachmentInvalidURL)
    }

    @Test("C.7 a rejected file is not moved") func refusedStays() throws {
        let scene = try Scene()
        try scene.folder.write(Array("no picture".utf8), to: "app/tmp/bad.png")
        try scene.folder.write(Self.png, to: "app/tmp/cat.webp")
        #expect(scene.accept("app/tmp/bad.png") == "105")
        #expect(scene.accept("app/tmp/cat.webp") == "101")
        #expect(scene.folder.has("app/tmp/bad.png") && scene.folder.has("app/tmp/cat.webp"))
        #expect(scene.accept("app/tmp/cat.webp", hint: "public.png").count == 64)
    }

    @Test("C.7 the limit of 10 MB for pictures, on both sides", arguments: [(10 << 20, 64), (10 << 20 + 1, 3)])
    func limits(_ byteCount: Int, _ length: Int) throws {
        let scene = try Scene()
        let file = Self.png + [UInt8](repeating: 0, count: byteCount - Self.png.count)
        try scene.folder.write(file, to: "app/tmp/big.png")
        #expect(scene.accept("app/tmp/big.png").count == length)
    }

    @Test("C.7 exceeding the store's capacity is error 104") func fullStore() throws {
        let scene = try Scene()
        let small = try MediaStore(folder: scene.folder.path + "/small", maximumByteCount: 4096)
        try scene.folder.write(Self.png + [UInt8](repeating: 0, count: 4096), to: "app/tmp/big.png")
        let error = #expect(throws: AttachmentError.self) {
            try small.accept(NotificationAttachment(url: scene.url("app/tmp/big.png")), from: scene.folders)
        }
        #expect(error?.code == .attachmentMoveIntoDataStoreFailed)
        #expect(scene.folder.has("app/tmp/big.png"))
    }

    @Test("C.3 an invalid attachment is dropped, the rest is delivered") func dropsOne() throws {
        let scene = try Scene()
        let names = ["app/tmp/cat.png", "app/tmp/cat.png", "app/tmp/dog.png", "app/bundle/logo.png"]
        let attachments = names.enumerated().map {
            NotificationAttachment(identifier: "\($0.offset)", url: scene.url($0.element))
        }
        let (accepted, findings) = scene.store.accept(attachments, from: scene.folders)
        #expect(accepted.map(\.identifier) == ["0", "3"])
        #expect(findings.map(\.id) == ["attachment.dropped", "attachment.dropped"])
        #expect(findings[0].message.contains("UNErrorDomain 104") && findings[1].message.contains("UNErrorDomain 100"))
    }

    @Test("E.2 pictures of people, in each of their kinds") func images() throws {
        let scene = try Scene()
        func keep(_ image: IntentImage) -> [UInt8]? {
            scene.store.put(image, from: scene.folders).flatMap { scene.store.data($0) }
        }
        #expect(keep(.bytes([1, 2])) == [1, 2])
        #expect(keep(.bytes([])) == nil)
        #expect(keep(.bytes([UInt8](repeating: 0, count: MediaStore.maximumImageByteCount + 1))) == nil)
        #expect(keep(.url(scene.url("app/tmp/cat.png"))) == Self.png)
        #expect(scene.folder.has("app/tmp/cat.png"), "a picture is not moved")
        #expect(keep(.url(scene.url("secret.png"))) == nil)
        #expect(keep(.url("https://cats.example/1.png")) == nil)
        #expect(keep(.named("logo")) == Self.png + [4])
        #expect(keep(.named("logo.png")) == Self.png + [4])
        #expect(keep(.named("../tmp/cat")) == nil && keep(.named("cat")) == nil)
        #expect(keep(.system("cat.fill")) == nil)
    }
}
