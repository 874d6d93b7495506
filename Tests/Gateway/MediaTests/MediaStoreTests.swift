import Files
import Foundation
import Synchronization
import Testing

@testable import Media

/// A folder that is deleted after the test.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "media-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file and creates its folders.
    @discardableResult
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        let file = URL(fileURLWithPath: "\(path)/\(name)")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        return file.path
    }

    func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(path)/\(name)") }

    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
}

@Suite("Pictures and attachments are stored by their SHA-256") struct MediaStoreTests {
    /// `sha256sum` of "cat".
    static let cat = "77af778b51abd4a3c51c5ddd97204a9c3ae614ebccb75a606c3b6865aed6744e"

    static func bytes(_ number: Int, count: Int = 4096) -> [UInt8] {
        Array("\(number)".utf8) + [UInt8](repeating: 0, count: count - "\(number)".utf8.count)
    }

    @Test func storedBytesReadBack() throws {
        let folder = try Folder()
        let store = try MediaStore(folder: folder.path + "/a/b")
        #expect(try store.put(Array("cat".utf8)) == Self.cat)
        #expect(store.data(Self.cat) == Array("cat".utf8))
        #expect(store.index.withLock { $0.file(Self.cat)?.byteCount } == 3)
        #expect(store.data(String(repeating: "0", count: 64)) == nil)
        #expect(store.data("../\(Self.cat)") == nil && store.data("") == nil)
    }

    @Test(.timeLimit(.minutes(1))) func aPipeInPlaceOfAFileIsNotWaitedFor() throws {
        let folder = try Folder()
        let store = try MediaStore(folder: folder.path)
        _ = try store.put(Array("cat".utf8))
        let file = folder.path + "/" + folder.names[0]
        try FileManager.default.removeItem(atPath: file)
        try #require(mkfifo(file, 0o600) == 0)
        #expect(store.data(Self.cat) == nil)
        #expect(folder.names == [])
    }

    @Test(
        "A file that a crash of the machine has damaged is not served, and is written again", arguments: ["cow", "c"])
    func damage(_ text: String) throws {
        let folder = try Folder()
        _ = try MediaStore(folder: folder.path).put(Array("cat".utf8))
        try folder.write(Array(text.utf8), to: folder.names[0])
        let store = try MediaStore(folder: folder.path)
        if text == "cow" { #expect(store.data(Self.cat) == nil) }
        _ = try store.put(Array("cat".utf8))
        #expect(store.data(Self.cat) == Array("cat".utf8))
        #expect(store.byteCount == 4096 && folder.names.count == 1)
    }

    @Test func aFileThatAnotherProcessRemovedIsWrittenAgain() throws {
        let folder = try Folder()
        let store = try MediaStore(folder: folder.path)
        _ = try store.put(Array("cat".utf8))
        try FileManager.default.removeItem(atPath: "\(folder.path)/\(folder.names[0])")
        #expect(store.data(Self.cat) == nil)
        _ = try store.put(Array("cat".utf8))
        #expect(store.data(Self.cat) == Array("cat".utf8))
        #expect(store.byteCount == 4096 && folder.names.count == 1)
    }

    @Test func equalBytesAreStoredOnce() throws {
        let folder = try Folder()
        let store = try MediaStore(folder: folder.path)
        _ = try store.put(Array("cat".utf8))
        _ = try store.put(Array("cat".utf8))
        #expect(store.byteCount == 4096 && folder.names.count == 1)
    }

    @Test func theOldestIsEvictedFirst() throws {
        let folder = try Folder()
        let store = try MediaStore(folder: folder.path, maximumByteCount: 3 * 4096)
        let digests = try (0..<3).map { try store.put(Self.bytes($0)) }
        #expect(store.byteCount == 3 * 4096)
        // Storing the first one again makes it the newest.
        _ = try store.put(Self.bytes(0))
        _ = try store.put(Self.bytes(3))
        #expect(digests.map { store.data($0) != nil } == [true, false, true])
        #expect(folder.names.count == 3)
        _ = try store.put(Self.bytes(4, count: 3 * 4096))
        #expect(store.byteCount == 3 * 4096 && folder.names.count == 1)
    }

    @Test("the limit of the store, on both sides", arguments: [(4096, true), (4097, false)])
    func refusesWhatNeverFits(_ count: Int, _ fits: Bool) throws {
        let folder = try Folder()
        let store = try MediaStore(folder: folder.path, maximumByteCount: 4096)
        let digest = try? store.put(Self.bytes(1, count: count))
        #expect((digest != nil) == fits)
        #expect((store.byteCount > 0) == fits && folder.names.count == (fits ? 1 : 0))
    }

    @Test func aReopenedStoreKeepsItsOrder() throws {
        let folder = try Folder()
        var digests: [String] = []
        do {
            let store = try MediaStore(folder: folder.path)
            digests = try (0..<12).map { try store.put(Self.bytes($0)) }
        }
        try folder.write([1], to: "\(Self.cat).99.new")
        let store = try MediaStore(folder: folder.path, maximumByteCount: 2 * 4096)
        #expect(digests.map { store.data($0) != nil } == Array(repeating: false, count: 10) + [true, true])
        #expect(folder.names.count == 2, "neither half a file nor what does not fit is left")
        _ = try store.put(Self.bytes(99))
        #expect(store.data(digests[10]) == nil && store.data(digests[11]) != nil)
    }

    @Test func theListOfUsesIsBounded() throws {
        var index = MediaIndex(maximumByteCount: 4 * 4096)
        for number in 0..<4 { #expect(index.add("\(number)", named: "\(number)", byteCount: 1) == []) }
        for _ in 0..<1000 { #expect(["0", "2", "3"].allSatisfy { index.renew($0, byteCount: 1) }) }
        #expect(index.add("4", named: "4", byteCount: 1) == ["1"])
        #expect(index.add("5", named: "5", byteCount: 1) == ["0"])
        #expect(
            !index.renew("0", byteCount: 1) && ["2", "3", "4", "5"].allSatisfy { index.file($0) != nil }
                && index.byteCount == 4 * 4096)
    }

    @Test func concurrentUseIsSafe() async throws {
        let folder = try Folder()
        let store = try MediaStore(folder: folder.path, maximumByteCount: 8 * 4096)
        await withTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<50 {
                        let bytes = Self.bytes((task + number) % 12)
                        guard let digest = try? store.put(bytes) else {
                            Issue.record("not kept")
                            continue
                        }
                        if let found = store.data(digest) { #expect(found == bytes) }
                    }
                }
            }
        }
        #expect(store.byteCount <= 8 * 4096 && folder.names.count * 4096 == store.byteCount)
    }

    @Test func anImpossibleFolderIsAnError() throws {
        let folder = try Folder()
        try folder.write([1], to: "file")
        #expect(throws: FileProblem.self) { try MediaStore(folder: folder.path + "/file/store") }
    }

    @Test func onlyTheOwnerReadsTheFiles() throws {
        let folder = try Folder()
        let store = try MediaStore(folder: folder.path + "/store")
        _ = try store.put(Array("cat".utf8))
        let files = FileManager.default
        func mode(_ path: String) throws -> Int? { try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int }
        #expect(try mode(store.folder) == 0o700)
        let names = try files.contentsOfDirectory(atPath: store.folder)
        #expect(try names.map { try mode("\(store.folder)/\($0)") } == [0o600])
    }
}

extension MediaStore {
    var byteCount: Int { index.withLock { $0.byteCount } }
}
