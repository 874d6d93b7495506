import APNs
import DeviceModel
import LiveModel
import SiriModel
import Synchronization
import TestSupport
import Testing

@testable import DeviceSimulator

@Suite struct ResetTests {
    @Test("a reset that keeps devices keeps what was set up on them, and no history") func keepsSettings() throws {
        let phone = Phone()
        let activities = LiveSettingsChange.with { ($0.setting, $0.frequentEnabled) = (.always, false) }
        let place = DevicePlace.with { ($0.latitude, $0.longitude) = (35.67, 139.76) }
        for input in [
            DeviceInput.activity(.settings(app: Phone.chat, activities)), .local(.move(to: place)),
            .activity(.issuePushToStart(app: Phone.chat, .sandbox)),
        ] { try phone.perform(input) }
        try phone.services {
            ($0.widgets, $0.controls) = ([.of("one", "Kind")], [.of("one", "Kind")])
            $0.locationAuthorization = .whenInUse
        }
        try phone.reply { $0.background = .failed }
        try phone.perform(.calendar(.settings(.with { $0.travelTime = 60_000 })))
        let before = (phone.state.live, phone.state.siri)
        let tokens = phone.tokens

        // History, which goes.
        phone.background()
        try phone.services { $0.call = .ringing }
        try phone.book()
        #expect(phone.state(of: phone.pushStart()) == .delivered)
        #expect(phone.tokens.count == tokens.count + 2)

        phone.simulator.reset(keeping: [.devices, .apps])
        #expect(phone.state.live == before.0)
        #expect(phone.state.siri.calendar == before.1.calendar)
        #expect(phone.tokens.filter { $0.kind != .app }.map(\.token) == tokens.map(\.token))
    }
}

extension Phone {
    fileprivate var tokens: [Registration] {
        simulator.store.withLock { $0.devices[Self.name]!.registrations.map(\.snapshot) }
    }
}
