import DeviceModel
import Foundation
import JSON
import Testing
import Time

@testable import SiriModel

/// Random histories satisfy the invariants.
@Suite struct HistoryTests {
    @Test(
        "deleted donations cause no suggestions, and a restored state gives the same answers", arguments: 0..<UInt64(40)
    )
    func holds(_ seed: UInt64) throws {
        var lab = Lab()
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func random(_ count: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % count
        }
        let cities = ["a", "b", "c"]
        for step in 0..<120 {
            lab.now = lab.now.advanced(by: Int64(random(5)) * 3_600_000)
            switch random(8) {
            case 0: lab.wake()
            case 1:
                let city = cities[Int(random(3))]
                try lab.perform(.delete(.group(city)))
                #expect(!lab.siri.donations.entries.contains { $0.donation.groupIdentifier == city })
                #expect(!lab.predictions.contains { $0.id.hasSuffix("=\(city)") }, "step \(step)")
            case 2: lab.advance()
            default:
                let city = cities[Int(random(3))]
                try lab.donate(Lab.weather(city), group: city)
            }
            let ids = Set(lab.predictions.map(\.id))
            let keys = lab.siri.donations.entries.flatMap { entry in entry.keys.map { "\(entry.app)/\($0.text)" } }
            #expect(ids == Set(keys), "step \(step)")
        }
        let copy = try JSONDecoder().decode(SiriState.self, from: try JSONEncoder().encode(lab.siri))
        #expect(copy == lab.siri)
        var restored = lab
        restored.siri = copy
        #expect(restored.shown(.spotlight) == lab.shown(.spotlight))
        #expect(restored.predictions.map(\.sentence) == lab.predictions.map(\.sentence))
    }

    @Test("F.1 new donations evict the oldest, which are counted") func isBounded() throws {
        var lab = Lab()
        for _ in 0..<DonationStore.limit { try lab.donate(Lab.weather("a")) }
        #expect(lab.siri.donations.evictedCount == 0)
        try lab.donate(Lab.weather("a"))
        #expect(lab.siri.donations.evictedCount == 1)
        #expect(lab.siri.donations.entries.count == DonationStore.limit)
        #expect(lab.siri.donations.entries.first?.number == 2)
    }

    @Test("one donation has at most 64 KiB of JSON") func isLimited() throws {
        var lab = Lab()
        let empty = Donation(identifier: "d", intent: ["class": .string("A"), "text": .string("")])
        let room = DonationCall.byteLimit - empty.json.bytes.count
        for (count, isAccepted) in [(room, true), (room + 1, false)] {
            var donation = empty
            donation.intent = ["class": .string("A"), "text": .string(String(repeating: "x", count: count))]
            let result = Result { try lab.perform(.donate(donation), by: "a") }
            #expect(((try? result.get()) != nil) == isAccepted)
        }
        #expect(lab.siri.donations.entries.count == 1)
    }

    private static func call(_ count: Int) -> [DonationCall] {
        let text = JSONValue.string(String(repeating: "x", count: count))
        let intent: JSONValue = ["class": .string("INPlayMediaIntent"), "text": text]
        return [
            .donate(Donation(identifier: "d", intent: intent)),
            .becomeCurrent(["activityType": .string("a"), "userInfo": ["text": text]]),
            .setRelevantShortcuts([["intent": intent]]), .setSuggestedMediaIntents([intent]),
        ]
    }

    @Test("an extension's calls have the limits of the app's", arguments: 0..<4) func isOneIntake(_ index: Int) {
        for (count, isAccepted) in [(60_000, true), (70_000, false)] {
            var (lab, effects) = (Lab(), DeviceEffects())
            lab.siri.take(Self.call(count)[index], by: "a", lab.context, &effects)
            #expect((lab.siri.donations == DonationStore()) != isAccepted)
            #expect(effects.events.contains { $0.kind == .diagnostic } != isAccepted)
        }
    }

    @Test("an extension's media must be INPlayMediaIntents, as an app's must") func checksMedia() {
        var (lab, effects) = (Lab(), DeviceEffects())
        lab.siri.take(.setSuggestedMediaIntents([["class": .string("Other")]]), by: "a", lab.context, &effects)
        #expect(lab.siri.donations == DonationStore() && effects.events.map(\.kind) == [.diagnostic])
    }
}
