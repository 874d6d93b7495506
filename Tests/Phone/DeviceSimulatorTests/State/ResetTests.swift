import APNs
import DeviceModel
import LiveModel
import SiriModel
import Synchronization
import Testing

@testable import DeviceSimulator

@Suite struct ResetTests {
    @Test("a reset that keeps devices keeps what was set up on them, and no history") func keepsSettings() throws {
        let phone = Phone()
        var activities = LiveSettingsChange()
        (activities.setting, activities.frequentEnabled) = (.always, false)
        var place = DevicePlace()
        (place.latitude, place.longitude) = (35.67, 139.76)
        for input in [
            DeviceInput.activity(.settings(app: Phone.chat, activities)), .local(.move(to: place)),
            .activity(.issuePushToStart(app: Phone.chat, .sandbox)),
        ] { try phone.perform(input) }
        try phone.services {
            var surface = PlacedSurface()
            (surface.id, surface.kind) = ("one", "Kind")
            ($0.widgets, $0.controls) = ([surface], [surface])
            $0.locationAuthorization = .whenInUse
        }
        try phone.reply { $0.background = .failed }
        var calendar = CalendarSettings()
        calendar.travelTime = 60_000
        try phone.perform(.calendar(.settings(calendar)))
        let before = (phone.state.live, phone.state.siri)
        let tokens = phone.tokens

        // History, which goes.
        phone.background()
        try phone.services { $0.call = .ringing }
        var donation = ReservationDonation()
        donation.reservations = [try .table()]
        try phone.perform(.calendar(.markup(donation, .mail)))
        let start = phone.push(
            ActivityTests.start, topic: Phone.chat + PushType.liveactivity.topicSuffix, type: .liveactivity,
            kind: .pushtostart)
        #expect(phone.state(of: start) == .delivered)
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
