import Files
import Foundation
import Testing

/// A file is written completely or not at all.
@Suite struct FileStoreTests {
    @Test("a draft that could not replace the file is deleted, as it may be a private key")
    func leavesNoDraft() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pushcote-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // A file cannot replace a folder, so the final rename fails.
        try FileStore.makeFolder(folder + "/server.key/inside")
        #expect(throws: FileProblem(path: folder + "/server.key", reason: String(cString: strerror(EISDIR)))) {
            try FileStore.write(Array("secret".utf8), to: folder + "/server.key", access: .ownerOnly)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["server.key"])
        try FileStore.write(Array("secret".utf8), to: folder + "/ca.key", access: .ownerOnly)
        #expect(try FileStore.text(folder + "/ca.key") == "secret")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["ca.key", "server.key"])
    }

    @Test("what /dev/stdout may lead to is written to, not replaced") func keepsPipesAndLinks() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pushcote-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileStore.makeFolder(folder)
        let (pipe, link, file) = (folder + "/pipe", folder + "/link", folder + "/file")
        try #require(mkfifo(pipe, 0o600) == 0)
        let reader = open(pipe, O_RDWR)
        defer { close(reader) }
        try FileStore.write(Array("one".utf8), to: pipe, access: .everybody)
        var received = [UInt8](repeating: 0, count: 8)
        #expect(read(reader, &received, received.count) == 3)
        #expect(received.prefix(3) == Array("one".utf8)[...])

        try FileStore.write(Array("old".utf8), to: file, access: .ownerOnly)
        try #require(symlink("file", link) == 0)
        try FileStore.write(Array("new".utf8), to: link, access: .ownerOnly)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "file")
        #expect(try FileStore.text(file) == "new")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["file", "link", "pipe"])
    }

    @Test("a path from the API is read only if it is a regular file, and at once", .timeLimit(.minutes(1)))
    func readsRegularFiles() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pushcote-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileStore.makeFolder(folder)
        try FileStore.write(Array("text".utf8), to: folder + "/file", access: .ownerOnly)
        try #require(mkfifo(folder + "/pipe", 0o600) == 0)
        try #require(symlink("pipe", folder + "/link") == 0)
        #expect(try FileStore.text(folder + "/file", isRegular: true) == "text")
        for path in [folder + "/pipe", folder + "/link", folder, "/dev/zero"] {
            #expect(throws: FileProblem(path: path, reason: "not a regular file")) {
                try FileStore.text(path, isRegular: true)
            }
        }
    }
}
