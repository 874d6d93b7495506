import APNs
import DeviceModel
import Foundation
import Testing

@testable import DeviceSimulator

/// A snapshot of a device in the middle of things, loaded elsewhere, goes on as the original does.
@Suite struct SnapshotHistoryTests {
    @Test(arguments: 0..<UInt64(60)) func goesOnAsTheOriginal(_ seed: UInt64) throws {
        var generator = HistoryGenerator(seed: seed)
        let phone = generator.phone()
        for _ in 0..<40 { phone.take(generator.step(on: phone)) }
        let copy = try phone.loadedElsewhere()
        #expect(try json(copy) == json(phone.simulator))
        for _ in 0..<4 {
            phone.wait(.seconds(20 * 3600))
            copy.advance(to: phone.now)
            let difference = try json(copy).difference(from: json(phone.simulator))
            #expect(difference.isEmpty, "loaded is inserted, the original removed")
        }
    }

    private func json(_ simulator: DeviceSimulator) throws -> [Substring] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        return String(decoding: try encoder.encode(simulator.snapshot()), as: UTF8.self).split(separator: "\n")
    }

    @Test("B.4 a schedule that came while the simulator was away is followed when it is back") func makesUpForLostTime()
        throws
    {
        let phone = Phone()
        phone.change { $0.focus.modes = [FocusTests.work { $0.schedule = [FocusTests.officeHours] }] }
        phone.wait(until: "10:00")
        let push = phone.alert()
        let copy = try phone.loadedElsewhere(at: .at(18 * .hour))
        copy.advance(to: .at(18 * .hour))
        #expect(copy.conditions(of: Phone.name)?.focus.active == nil)
        #expect(copy.screen(of: Phone.name)?.lockScreen.map(\.sequence) == [push])
    }

    @Test("B.10 a prompt, a budget and an App Clip's time outlast a restart") func keepsWhatAppsAreDue() throws {
        let phone = Phone()
        phone.alert("Hello", PromptTests.timeSensitive)
        for _ in 0..<4 { phone.background() }
        phone.settings("com.example.clip") { $0.authorizationStatus = .ephemeral }
        let copy = try phone.loadedElsewhere()
        let app = copy.appsOnDevice(Phone.name).first { $0.app.bundleID == Phone.chat }
        #expect(app?.prompt == .timeSensitiveIntro)
        copy.advance(to: .at(.hour))
        #expect(copy.notification(5)?.state == .delivered)
        copy.advance(to: .at(8 * .hour))
        let clip = copy.appsOnDevice(Phone.name).first { $0.app.bundleID == "com.example.clip" }
        #expect(clip?.settings.authorizationStatus == .denied)
    }

    @Test func startsOverWithoutForgettingAnAppClip() {
        let phone = Phone()
        phone.settings { $0.authorizationStatus = .ephemeral }
        phone.simulator.reset(keeping: [.devices, .apps])
        phone.wait(.seconds(8 * 3600))
        #expect(phone.app().settings.authorizationStatus == .denied)
    }
}

extension Phone {
    /// A simulator that loaded what this phone's holds, from its JSON.
    fileprivate func loadedElsewhere(at instant: Instant? = nil) throws -> DeviceSimulator {
        let bytes = try JSONEncoder().encode(simulator.snapshot())
        let other = DeviceSimulator(assumptions: simulator.assumptions) { _ in .numbered(1) }
        try other.load(JSONDecoder().decode(SimulatorSnapshot.self, from: bytes), at: instant ?? now)
        return other
    }
}
