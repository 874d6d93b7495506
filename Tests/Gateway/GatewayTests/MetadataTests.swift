import APNs
import DeviceSimulator
import TLSEngine
import TestSupport
import Testing
import Time
import Webhooks

@testable import Gateway

/// Keys, webhooks and fault rules set through the API are persisted with the devices.
@Suite struct MetadataTests {
    private static func rule(_ name: String, _ reason: String) -> FaultRule {
        FaultRule(name, effect: FaultEffect { $0.answer = FaultAnswer(503, reason) })
    }

    @Test("what the journal could not write is undone, and nothing else") func undoes() throws {
        let journal = MemoryJournal()
        let simulator = DeviceSimulator(deriveToken: Gateway.deriveToken)
        let keeper = JournalKeeper(simulator, in: journal) { 0 }
        try keeper.open()
        let gateway = Gateway(
            settings: GatewaySettings(), simulator: simulator, seed: 7, requestCapacity: 1, tokenCapacity: 1,
            keeper: keeper, now: { .start })
        let ofFile = Webhook.named("file")
        _ = try gateway.webhooks.set(ofFile)
        let stored = ["replaced", "counted"].map { Self.rule($0, "Shutdown") }
        try gateway.store(stored.map { FaultElement($0) })
        #expect(keeper.commit())

        journal.problem = JournalProblem(file: "memory", reason: "is full", remedy: "Make room")
        _ = try gateway.store(Webhook.named("orders"))
        _ = try gateway.store(ofFile)
        let key = ProviderKey(keyID: "KEY0000002", teamID: "TEAM000002")
        gateway.store(key, publicKey: P256PrivateKey().publicKey)
        let refused = [Self.rule("replaced", "ServiceUnavailable"), Self.rule("new", "ServiceUnavailable")]
        try gateway.store(refused.map { FaultElement($0) }) { $0.name == "replaced" }
        _ = gateway.faults.fire(.request, FaultFacts(), at: .start)
        #expect(!keeper.commit())
        #expect(gateway.webhooks.statuses.map(\.webhook.name) == ["file"])
        #expect(gateway.keys.keys.isEmpty)
        #expect(gateway.faults.statuses.map(\.rule) == stored)
        #expect(gateway.faults.statuses.map(\.fired) == [0, 1])
    }

    @Test("of several who store a key at once, one learns that it is new") func keysAreNewOnce() async {
        let store = KeyStore()
        for number in 0..<200 {
            let key = ProviderKey(keyID: "KEY\(1_000_000 + number)", teamID: "TEAM000001")
            let publicKey = Self.publicKey
            let replaced = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<4 { group.addTask { store.register(key, publicKey: publicKey) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(replaced.count { !$0 } == 1)
        }
    }

    private static let publicKey = P256PrivateKey().publicKey

    @Test("a visit of the past is not persisted") func visits() async throws {
        let simulator = DeviceSimulator(deriveToken: Gateway.deriveToken)
        let keeper = JournalKeeper(simulator, in: MemoryJournal()) { 0 }
        try keeper.open()
        let gateway = Gateway(
            settings: GatewaySettings(), simulator: simulator, seed: 7, requestCapacity: 1, tokenCapacity: 1,
            keeper: keeper, now: { .start })
        try await gateway.stopClock()
        let persisted = simulator.metadata(Gateway.clockName)
        #expect(persisted == gateway.clock.text)
        try await gateway.visit(Instant.start.advanced(by: .seconds(-86400))) {
            try await gateway.stopClock(at: Instant.start.advanced(by: .seconds(-60)))
            #expect(simulator.metadata(Gateway.clockName) == persisted && gateway.clock.text != persisted)
        }
        #expect(simulator.metadata(Gateway.clockName) == persisted && gateway.clock.text == persisted)
        await gateway.resetClock()
        #expect(simulator.metadata(Gateway.clockName) == nil)
    }
}

extension Webhook {
    fileprivate static func named(_ name: String) -> Webhook {
        var webhook = Webhook()
        (webhook.name, webhook.url) = (name, "http://localhost:9/")
        return webhook
    }
}
