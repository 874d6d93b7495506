import APNs
import DeviceSimulator
import TLSEngine
import TestSupport
import Testing
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
        let stored = [Self.rule("counted", "Shutdown"), Self.rule("replaced", "Shutdown")]
        try gateway.store(stored)
        #expect(keeper.commit())
        _ = gateway.faults.fire(.request, FaultFacts(), at: .start)

        journal.problem = JournalProblem(file: "memory", reason: "is full", remedy: "Make room")
        var webhook = Webhook()
        (webhook.name, webhook.url) = ("orders", "http://localhost:9/")
        _ = try gateway.store(webhook)
        let key = ProviderKey(keyID: "KEY0000002", teamID: "TEAM000002")
        gateway.store(key, publicKey: P256PrivateKey().publicKey)
        let refused = [Self.rule("replaced", "ServiceUnavailable"), Self.rule("new", "ServiceUnavailable")]
        try gateway.store(refused) { $0.name == "replaced" }
        #expect(!keeper.commit())
        #expect(gateway.webhooks.isEmpty)
        #expect(gateway.keys.keys.isEmpty)
        #expect(gateway.faults.statuses.map(\.rule) == stored)
        #expect(gateway.faults.statuses.map(\.fired) == [1, 0])
    }
}
