import Foundation
import JSON
import LiveModel
import TestSupport
import Testing

@testable import DeviceModel
@testable import DeviceSimulator

/// The state wraps values that already have as many levels as an input may have.
@Suite struct DepthTests {
    @Test("values as deep as inputs may have are read again from inputs, a checkpoint and a state")
    func deepValues() throws {
        let phone = Phone()
        try phone.allowActivities()
        let deep = String(repeating: "[", count: 124) + String(repeating: "]", count: 124)
        phone.pushStart(ActivityTests.start.replacing(#"{"step":1}"#, with: #"{"step":\#(deep)}"#))
        #expect(phone.state.live.activities.activities.count == 1)
        let state = phone.simulator.snapshot()
        let kept = try KeptPhone(seed: 1)
        try kept.phone.simulator.load(
            JSONTextDecoder.decode(SimulatorSnapshot.self, from: JSONTextEncoder.bytes(state), trust: .foreign))
        try kept.expectSameAgain("from inputs")
        kept.keeper.writeCheckpoint()
        #expect(kept.journal.contents.isEmpty)
        try kept.expectSameAgain("from a checkpoint")
    }
}
