import APNs
import DeviceModel
import DeviceSimulator
import Dispatch
import Foundation
import RequestWire
import TestSupport
import Testing
import Time

@testable import Journal

/// One server for the suite, a house for each test.
@Suite(
    .enabled(if: PostgresServer.binaries != nil, "Postgres is not installed: scripts/install-packages test"),
    .serialized)
struct PostgresJournalTests {
    private static let server = Result { try PostgresServer() }
    private let house = UUID().uuidString

    private func lease(_ name: String = "a", seconds: Int = 3) throws -> OwnerLease {
        OwnerLease(
            PostgresSettings(
                address: try PostgresAddress(try Self.server.get().connection), house: house,
                owner: LeaseOwner(name: name, address: "\(name):8197"), lease: .seconds(seconds), requiresQuorum: false)
        )
    }

    /// A journal whose lease is not renewed.
    private func owned(_ lease: OwnerLease) throws -> PostgresJournal {
        let journal = PostgresJournal(lease)
        #expect(
            try lease.acquire { () throws(JournalProblem) in
                _ = try journal.takeOver(now: 0)
            } report: { _ in
            })
        return journal
    }

    private static func batch(_ number: UInt64, bytes: [UInt8] = [1, 2, 3], at: Int64 = 0) -> JournalBatch {
        SQLiteJournalTests.batch(number, bytes: bytes, at: at)
    }

    @Test func readsWhatItWrote() throws {
        let lease = try lease(seconds: 1)
        let journal = try owned(lease)
        let large = Self.batch(2, bytes: (0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
        try journal.append([Self.batch(1)])
        try journal.append([large])
        #expect(try journal.batches(after: 0, limit: 10) == [Self.batch(1), large])
        #expect(try journal.batches(after: 1, limit: 1) == [large])
        #expect(try journal.batches(after: 2, limit: 10).isEmpty)
        #expect(try journal.checkpoint() == nil)
        #expect(journal.byteCount() > 300_000)
    }

    @Test("a group of batches is written as one row") func joinsGroups() throws {
        let journal = try owned(try lease())
        try journal.append([Self.batch(1), Self.batch(2), Self.batch(3)])
        let found = try journal.batches(after: 0, limit: 10)
        #expect(found.map(\.count) == [3])
        #expect(found.first?.last == 3)
        #expect(found.first?.bytes == [1, 2, 3, 1, 2, 3, 1, 2, 3])
    }

    @Test func aCheckpointReplacesTheOneBefore() throws {
        let journal = try owned(try lease())
        try SQLiteJournalTests.replaceCheckpoints(in: journal)
        try journal.probe()
        #expect(try journal.checkpoint()?.parts == [])
    }

    @Test(arguments: SQLiteJournalTests.retentions)
    func forgets(_ row: (count: Int, age: Int64, left: [UInt64])) throws {
        try SQLiteJournalTests.forget(row, in: try owned(try lease()))
    }

    // MARK: Two owners

    @Test("a standby takes over a house when the lease expires, and the former owner cannot write")
    func fence() throws {
        let former = try lease("former", seconds: 6)
        let old = try owned(former)
        try old.append([Self.batch(1, at: 500)])
        #expect(former.ownership.isHeld && old.ownership == JournalOwnership(isHeld: true, epoch: 1, hasQuorum: false))
        let successor = try lease("successor", seconds: 30)
        let new = PostgresJournal(successor)
        var waited: [OwnerLease.Standing] = []
        var time: Int64 = 0
        #expect(
            try successor.acquire { () throws(JournalProblem) in
                time = try new.takeOver(now: 100)
            } report: {
                waited.append($0)
            })
        #expect(waited == [.standby(of: LeaseOwner(name: "former", address: "former:8197"))])
        #expect(!former.ownership.isHeld, "the owner's own clock ends the lease first")
        #expect(time == 500, "time does not go back behind the former owner's")
        // The owner renews its lease with an empty batch.
        #expect(try new.batches(after: 0, limit: 10).map(\.count) == [1, 0])

        try new.replaceCheckpoint(JournalCheckpoint(position: 2, parts: [[1]]))
        try new.trim(JournalSettings(), now: 1000)
        // Its position is free again; only the epoch rejects it.
        for write in [
            { try old.append([Self.batch(2)]) }, { try old.probe() },
            { try old.replaceCheckpoint(JournalCheckpoint(position: 1, parts: [])) },
            { try old.trim(JournalSettings(), now: 0) }, { try old.store([1], as: "a", now: 0, limit: 1) },
        ] {
            let problem = #expect(throws: JournalProblem.self) { try write() }
            #expect(problem?.reason == "another gateway has taken over")
        }
        #expect(try new.checkpoint()?.position == 2)
        #expect(former.run() == LeaseOwner(name: "successor", address: "successor:8197"))
        let third = try lease("third", seconds: 30)
        successor.stop()
        #expect(successor.run() == nil)
        // The lease was released, so the standby need not wait.
        #expect(
            try third.acquire { () throws(JournalProblem) in
            } report: { _ in
                Issue.record("it waited")
            })
        #expect(third.epoch == 3)
    }

    @Test("a group is written once even if the outcome of its commit was unknown") func unknownOutcome() throws {
        let journal = try owned(try lease())
        try journal.append([Self.batch(1)])
        // As if the connection broke between the commit and its answer.
        try journal.append([Self.batch(1)])
        #expect(try journal.batches(after: 0, limit: 10) == [Self.batch(1)])
        let other = #expect(throws: JournalProblem.self) { try journal.append([Self.batch(1, bytes: [9])]) }
        #expect(other?.reason.contains("was written after all") == true)
    }

    @Test("a group that waited for a long statement of a checkpoint is written") func waitsForTheSession() throws {
        let journal = try owned(try lease())
        let start = ContinuousClock.now
        let isInside = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            defer { isInside.signal() }
            try? journal.fenced { execute throws(PostgresFailure) in
                isInside.signal()
                try execute("SELECT $1, pg_sleep(2.2)", [])
            }
        }
        isInside.wait()
        try journal.append([Self.batch(1)])
        #expect(start.duration(to: .now) > PostgresJournal.patience, "it waited")
        #expect(try journal.batches(after: 0, limit: 1) == [Self.batch(1)])
    }

    @Test("a server without synchronous standbys fails the quorum requirement") func guarantee() throws {
        let lease = try lease()
        #expect(try PostgresJournal(lease).guarantee()?.contains("on the primary alone") == true)
        var settings = lease.settings
        settings.requiresQuorum = true
        #expect(throws: JournalProblem.self) { try PostgresJournal(OwnerLease(settings)).guarantee() }
    }

    @Test("descriptions redact the connection string") func secrecy() {
        let problem = #expect(throws: JournalProblem.self) { try PostgresAddress("password=secret oops") }
        #expect(problem?.description.contains("secret") == false)
    }

    @Test func picturesSurviveUpToALimit() throws {
        let journal = try owned(try lease())
        for number in 1...3 {
            try journal.store([UInt8](repeating: 7, count: 100), as: "\(number)", now: Int64(number), limit: 200)
        }
        #expect(journal.file("1") == nil)
        #expect(journal.file("3")?.count == 100)
    }

    // MARK: The keeper

    @Test("SQLite and Postgres write the same checkpoint for the same history") func sameCheckpoint() throws {
        let folder = TemporaryFolder()
        let journals: [any Journal] = [
            MemoryJournal(), try SQLiteJournal(file: folder.path + "/journal.sqlite"), try owned(try lease()),
        ]
        let checkpoints = try journals.map { journal in
            let simulator = DeviceSimulator { _ in DeviceToken(bytes: [UInt8](repeating: 7, count: 32))! }
            let keeper = JournalKeeper(simulator, in: journal) { 5 }
            try keeper.open()
            let phone = try simulator.register(
                device: "Phone", topic: "com.example.chat", environment: .sandbox, kind: .app, at: Instant(seconds: 1))
            for number in 0..<50 {
                simulator.receive(SQLiteJournalTests.push(for: phone), for: phone)
                if number % 7 == 0 { keeper.commit() }
            }
            keeper.commit()
            // Read from the database, not from memory.
            let again = DeviceSimulator { _ in DeviceToken(bytes: [1])! }
            let reader = JournalKeeper(again, in: journal) { 5 }
            try reader.open()
            reader.writeCheckpoint()
            return try #require(try journal.checkpoint())
        }
        #expect(checkpoints[0].parts.joined().count > 1000)
        for checkpoint in checkpoints {
            #expect(checkpoint.position == checkpoints[0].position)
            #expect(
                checkpoint.parts == checkpoints[0].parts,
                "\(checkpoint.parts.map { String(decoding: $0, as: UTF8.self) })")
        }
    }
}
