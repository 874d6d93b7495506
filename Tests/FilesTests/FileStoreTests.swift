import Files
import Foundation
import Testing

/// A file is written completely or not at all.
@Suite struct FileStoreTests {
    @Test("a draft that could not replace the file is deleted, as it may be a private key") func leavesNoDraft() throws
    {
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
}
