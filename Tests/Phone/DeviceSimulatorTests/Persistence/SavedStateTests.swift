import DeviceModel
import Foundation
import JSON
import SiriModel
import Synchronization
import TestSupport
import Testing

@testable import DeviceSimulator

/// The text of `GET /state`.
@Suite struct SavedStateTests {
    private static func text(_ state: SavedState) async throws -> String {
        var text: [UInt8] = []
        try await state.parts.write { text += $0 }
        return String(decoding: text, as: UTF8.self)
    }

    private static func encoded(_ simulator: DeviceSimulator) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(simulator.snapshot()), as: UTF8.self)
    }

    @Test("it is what one encoder writes of the whole", arguments: 0..<UInt64(20))
    func equalsTheEncoder(_ seed: UInt64) async throws {
        let kept = try KeptPhone(seed: seed)
        kept.live(steps: 30)
        let simulator = kept.phone.simulator
        for number in 0..<150 { simulator.push("\(number)", to: simulator.registered("Phone \(number % 70)")) }
        #expect(try await Self.text(simulator.saveState()) == Self.encoded(simulator))
    }

    @Test("an empty state, and apps whose texts look like its lists") func equalsTheEncoderAtTheEdges() async throws {
        let simulator = DeviceSimulator.make()
        #expect(try await Self.text(simulator.saveState()) == Self.encoded(simulator))
        for list in ["circumstances", "devices", "notifications"] {
            simulator.push(#"","\#(list)":[{"\#(list)":[]}]"#, to: simulator.registered(#""\#(list)":[]"#))
        }
        #expect(try await Self.text(simulator.saveState()) == Self.encoded(simulator))
    }

    @Test("reservations wait to be shared, and have members of the same names")
    func equalsTheEncoderWithShares() async throws {
        let simulator = DeviceSimulator.make()
        for number in 0..<100 {
            _ = try simulator.addDevice(named: "Phone \(number)", at: .at(0))
            try simulator.perform(.conditions(.with { $0.person = "maria" }), on: "Phone \(number)", at: .at(0))
        }
        var donation = try ReservationDonation([.table()])
        donation.reservations[0].actions[0].userActivity.userInfo = [
            "circumstances": .array([]), "devices": .array([]), "notifications": .array([]),
        ]
        try simulator.perform(.calendar(.markup(donation, .mail)), on: "Phone 0", at: .at(0))
        #expect(!simulator.store.withLock { $0.shares.isEmpty })
        #expect(try await Self.text(simulator.saveState()) == Self.encoded(simulator))
    }

    @Test("it has no change made while it is sent, and several may be sent at once", arguments: 0..<UInt64(10))
    func isOfOneMoment(_ seed: UInt64) async throws {
        let kept = try KeptPhone(seed: seed)
        let simulator = kept.phone.simulator
        var saved: [(state: SavedState, text: String)] = []
        for round in 0..<4 {
            kept.live(steps: 10)
            for number in 0..<80 { simulator.push("\(round)", to: simulator.registered("Phone \(number)")) }
            simulator.deleteDevice(named: "Phone \(round)")
            // A checkpoint is open.
            if round == 2 { _ = simulator.takeImage { _ in } }
            saved.append((simulator.saveState(), try Self.encoded(simulator)))
        }
        simulator.reset()
        for (state, text) in saved.reversed() { #expect(try await Self.text(state) == text) }
    }

    @Test("parts are short and end between devices and between notifications") func endsBetweenElements() async throws {
        let simulator = DeviceSimulator.make()
        for number in 0..<2000 { simulator.push("\(number)", to: simulator.registered("Phone \(number)")) }
        var parts: [[UInt8]] = []
        try await simulator.saveState().parts.write { parts.append($0) }
        #expect(parts.count > 10)
        for part in parts {
            #expect(part.last == UInt8(ascii: "}"), "a part ends inside an element")
            #expect(part.count < 100_000)
        }
    }
}
