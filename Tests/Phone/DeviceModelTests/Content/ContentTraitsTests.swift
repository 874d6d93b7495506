import DeviceModel
import Testing

@Suite struct ContentTraitsTests {
    @Test func equalThoseOfTheDecodedContent() {
        var generator = PayloadGenerator(seed: 20_211_010)
        var seen = Seen()
        for _ in 0..<30_000 {
            let bytes = generator.payload()
            let digest = PayloadDigest(bytes.span.bytes)
            let (verdict, traits) = (digest.verdict, digest.traits)
            let decoded = DecodedPayload(bytes.span.bytes)
            #expect(verdict == PayloadScan(bytes.span.bytes).discardReason, "\(String(decoding: bytes, as: UTF8.self))")
            #expect(traits == decoded.content.traits, "\(String(decoding: bytes, as: UTF8.self))")
            seen.add(traits, verdict)
        }
        // Every value of every trait occurred, so the comparison was effective.
        #expect(seen.levels.count == 5)
        #expect(seen.sounds.count == 3)
        #expect(seen.flags == Set(0..<8))
        #expect(seen.verdicts.count == 3)
        #expect(seen.badges.isSuperset(of: [nil, 0, 1, 12, 3, 100, 123_456_789_012_345_678]))
    }

    private struct Seen {
        var levels: Set<InterruptionLevel?> = []
        var sounds: Set<ContentTraits.SoundKind> = []
        var flags: Set<Int> = []
        var verdicts: Set<DiscardReason?> = []
        var badges: Set<Int?> = []

        mutating func add(_ traits: ContentTraits, _ verdict: DiscardReason?) {
            levels.insert(traits.level)
            sounds.insert(traits.sound)
            flags.insert((traits.hasAlert ? 1 : 0) + (traits.isMutable ? 2 : 0) + (traits.isContentAvailable ? 4 : 0))
            verdicts.insert(verdict)
            badges.insert(traits.badge)
        }
    }

    @Test func surviveRandomInput() {
        var generator = DocumentGenerator(seed: 11)
        for _ in 0..<20_000 {
            let bytes = generator.noise()
            let decoded = DecodedPayload(bytes.span.bytes)
            let digest = PayloadDigest(bytes.span.bytes)
            let (verdict, traits) = (digest.verdict, digest.traits)
            #expect(verdict == PayloadScan(bytes.span.bytes).discardReason)
            #expect(traits == decoded.content.traits)
        }
    }

    @Test(arguments: [
        (#"{"aps":{"alert":{"title":"A"},"alert":{"title":""}}}"#, false),
        (#"{"aps":{"alert":"A","alert":7}}"#, true),
        (#"{"aps":{"alert":{"loc-key":"K","loc-key":7}}}"#, true),
    ]) func theLastValidDuplicateKeyWins(_ text: String, _ hasAlert: Bool) {
        let bytes = Array(text.utf8)
        #expect(PayloadDigest(bytes.span.bytes).traits.hasAlert == hasAlert)
        #expect(DecodedPayload(bytes.span.bytes).content.hasAlert == hasAlert)
    }
}
