import APNs
import DeviceModel
import DeviceSimulator
import Foundation
import RequestWire
import TestSupport
import Testing
import Time

@testable import Journal

@Suite struct SQLiteJournalTests {
    let folder = TemporaryFolder()
    var file: String { folder.path + "/journal.sqlite" }

    static func batch(_ number: UInt64, bytes: [UInt8] = [1, 2, 3], at: Int64 = 0) -> JournalBatch {
        JournalBatch(
            previous: number - 1, last: number, count: 1, writtenAt: at, bytes: bytes,
            checksum: JournalBatch.checksum(of: bytes))
    }

    @Test func readsWhatItWrote() throws {
        let journal = try SQLiteJournal(file: file)
        let large = Self.batch(3, bytes: (0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
        try journal.append([Self.batch(1), Self.batch(2)])
        try journal.append([large])
        journal.close()
        let again = try SQLiteJournal(file: file)
        #expect(try again.batches(after: 0, limit: 10) == [Self.batch(1), Self.batch(2), large])
        #expect(try again.batches(after: 1, limit: 1) == [Self.batch(2)])
        #expect(try again.batches(after: 3, limit: 10).isEmpty)
        #expect(try again.checkpoint() == nil)
        #expect(again.byteCount() > 300_000)
    }

    private func modes() throws -> [String: Int] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)
                return (name, attributes[.posixPermissions] as? Int ?? 0)
            })
    }

    @Test func onlyTheOwnerReadsItsFiles() throws {
        let journal = try SQLiteJournal(file: file)
        try journal.append([Self.batch(1)])
        #expect(try modes() == ["journal.sqlite": 0o600, "journal.sqlite-wal": 0o600])
        // As an older version left it: a copy beside its log.
        let copy = folder.path + "/copy.sqlite"
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: file + suffix, toPath: copy + suffix)
            chmod(copy + suffix, 0o644)
        }
        let again = try SQLiteJournal(file: copy)
        #expect(try again.batches(after: 0, limit: 10) == [Self.batch(1)])
        #expect(try Set(modes().values) == [0o600])
    }

    @Test("a link may lead to the file, which may be new", arguments: [false, true])
    func onlyTheOwnerReadsTheFilesBehindALink(_ exists: Bool) throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/real", withIntermediateDirectories: false)
        let target = folder.path + "/real/journal.sqlite"
        if exists { try SQLiteJournal(file: target).close() }
        chmod(target, 0o644)
        // Relative, as `ln -s` in the folder makes it.
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "real/journal.sqlite")
        let journal = try SQLiteJournal(file: file)
        try journal.append([Self.batch(1)])
        for name in [target, target + "-wal"] {
            let mode = try FileManager.default.attributesOfItem(atPath: name)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(name)")
        }
        #expect(journal.byteCount() > 4096, "it counts the log behind the link")
        try FileManager.default.removeItem(atPath: target + "-wal")
        #expect(throws: JournalProblem.self) { try journal.append([Self.batch(2)]) }
    }

    @Test("a batch that cannot be written fails its whole group") func allOrNone() throws {
        let journal = try SQLiteJournal(file: file)
        try journal.append([Self.batch(1)])
        #expect(throws: JournalProblem.self) { try journal.append([Self.batch(2), Self.batch(1)]) }
        #expect(try journal.batches(after: 0, limit: 10) == [Self.batch(1)])
    }

    @Test func aCheckpointReplacesTheOneBefore() throws {
        let journal = try SQLiteJournal(file: file)
        try Self.replaceCheckpoints(in: journal)
        try journal.replaceCheckpoint(JournalCheckpoint(position: 11, parts: [[7]]))
        journal.close()
        #expect(try SQLiteJournal(file: file).checkpoint()?.parts == [[7]])
    }

    static func replaceCheckpoints(in journal: any Journal) throws {
        for checkpoint in [
            JournalCheckpoint(position: 7, parts: [[1], [2], [3]]), JournalCheckpoint(position: 9, parts: [[4], [5]]),
            JournalCheckpoint(position: 9, parts: [[6]]), JournalCheckpoint(position: 10, parts: []),
        ] {
            try journal.replaceCheckpoint(checkpoint)
            #expect(try journal.checkpoint() == checkpoint)
        }
    }

    static let retentions: [(count: Int, age: Int64, left: [UInt64])] = [
        (0, 1000, [9, 10]), (3, 1000, [6, 7, 8, 9, 10]), (100, 1000, Array(1...10)), (100, 5, [5, 6, 7, 8, 9, 10]),
        (2, 5, [7, 8, 9, 10]), (100, 0, [9, 10]),
    ]

    @Test("records in a checkpoint are deleted by count and age, later records are retained", arguments: retentions)
    func forgets(_ row: (count: Int, age: Int64, left: [UInt64])) throws {
        try Self.forget(row, in: try SQLiteJournal(file: file))
    }

    static func forget(_ row: (count: Int, age: Int64, left: [UInt64]), in journal: any Journal) throws {
        for number in 1...10 { try journal.append([batch(UInt64(number), at: Int64(number))]) }
        try journal.trim(JournalSettings(), now: 10)
        #expect(try journal.batches(after: 0, limit: 20).count == 10, "without a checkpoint nothing goes")
        try journal.replaceCheckpoint(JournalCheckpoint(position: 8, parts: []))
        try journal.trim(JournalSettings(retainedCount: row.count, retainedAge: row.age), now: 10)
        #expect(try journal.batches(after: 0, limit: 20).map(\.last) == row.left)
    }

    // MARK: Failures

    private func problem(_ file: String? = nil) -> JournalProblem? {
        #expect(throws: JournalProblem.self) { try SQLiteJournal(file: file ?? self.file) }
    }

    @Test func isNotShared() throws {
        let first = try SQLiteJournal(file: file)
        #expect(problem()?.reason == "is in use by another process")
        first.close()
        _ = try SQLiteJournal(file: file)
    }

    @Test func namesTheProblemWithTheFile() throws {
        let unwritable = "cannot be opened for writing"
        #expect(problem(folder.path + "/missing/journal.sqlite")?.reason.hasPrefix(unwritable) == true)
        #expect(problem(folder.path)?.reason.hasPrefix(unwritable) == true)
        try Data("This is a text and no database, and it is long enough.".utf8).write(to: URL(filePath: file))
        let damaged = try #require(problem())
        #expect(damaged.reason == "is not a SQLite file, or its header is damaged")
        #expect(damaged.description.hasPrefix(file))
        #expect(damaged.remedy.contains("remove it"))
        #expect(try String(contentsOf: URL(filePath: file), encoding: .utf8).hasPrefix("This is a text"))
    }

    @Test("reading detects overwritten pages") func findsDamage() throws {
        var journal = try SQLiteJournal(file: file)
        try journal.append((1...200).map { Self.batch(UInt64($0), bytes: [UInt8](repeating: 7, count: 2000)) })
        journal.close()
        var content = try Data(contentsOf: URL(filePath: file))
        content.replaceSubrange(
            content.count / 2..<content.count / 2 + 8192, with: [UInt8](repeating: 0x55, count: 8192))
        try content.write(to: URL(filePath: file))
        let simulator = DeviceSimulator { _ in DeviceToken(bytes: [1])! }
        let problem = #expect(throws: JournalProblem.self) {
            journal = try SQLiteJournal(file: file)
            try JournalKeeper(simulator, in: journal) { 0 }.open()
        }
        #expect(problem?.reason.hasPrefix("is damaged") == true)
    }

    @Test("a full disk rejects writes and stores nothing; the same journal continues once there is room")
    func fullDisk() throws {
        let journal = try SQLiteJournal(file: file, maximumPageCount: 100)
        let simulator = DeviceSimulator { _ in DeviceToken(bytes: [UInt8](repeating: 7, count: 32))! }
        let keeper = JournalKeeper(simulator, in: journal) { 0 }
        try keeper.open()
        let phone = try simulator.register(
            device: "Phone", topic: "com.example.chat", environment: .sandbox, kind: .app, at: Instant(seconds: 1))
        keeper.commit()
        var written = 0
        while keeper.problem == nil, written < 1000 {
            for _ in 0..<20 { simulator.receive(Self.push(for: phone), for: phone) }
            if keeper.commit() { written += 20 }
        }
        #expect(keeper.problem?.reason == "cannot grow: the disk is full")
        #expect((20..<1000).contains(written))
        #expect(simulator.counters.notifications == written)
        #expect(throws: JournalRefusal.self) { try simulator.accept(Self.push(for: phone), for: phone) }
        #expect(!keeper.recover())
        try journal.allowPages(100_000)
        #expect(keeper.recover())
        simulator.receive(Self.push(for: phone), for: phone)
        #expect(keeper.commit())
        journal.close()
        let again = DeviceSimulator { _ in DeviceToken(bytes: [1])! }
        try JournalKeeper(again, in: try SQLiteJournal(file: file)) { 0 }.open()
        #expect(again.counters.notifications == written + 1)
    }

    @Test("a write to a file that was moved away fails", arguments: ["", "-wal"])
    func seesThatAFileWasRemoved(_ suffix: String) throws {
        let journal = try SQLiteJournal(file: file)
        try journal.append([Self.batch(1)])
        try FileManager.default.moveItem(atPath: file + suffix, toPath: file + ".away")
        let problem = #expect(throws: JournalProblem.self) { try journal.append([Self.batch(2)]) }
        #expect(problem?.reason == "was removed or replaced while it was in use")
        #expect(problem?.file == file + suffix)
        #expect(throws: JournalProblem.self) { try journal.probe() }
        try Data("another file".utf8).write(to: URL(filePath: file + suffix))
        #expect(throws: JournalProblem.self) { try journal.probe() }
        try FileManager.default.removeItem(atPath: file + suffix)
        try FileManager.default.moveItem(atPath: file + ".away", toPath: file + suffix)
        try journal.probe()
        try journal.append([Self.batch(3)])
    }

    static func push(for registration: Registration) -> Push {
        let request = RequestBlock(
            fields: [(":method", "POST"), ("apns-topic", registration.topic)],
            body: Array(#"{"aps":{"alert":"\#(String(repeating: "long ", count: 100))"}}"#.utf8))
        return Push.make(
            request, token: registration.token,
            PushFacts(
                apnsID: APNsID(high: 1, low: 2), uniqueID: APNsID(high: 3, low: 4), environment: .sandbox,
                pushType: .alert, priority: .immediate, expiration: .unspecified, receivedAt: Instant(seconds: 2),
                connection: 1))
    }
}

/// A folder that is deleted with its test.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.appending(path: "pushcote-\(UUID().uuidString)").path(
            percentEncoded: false)
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
