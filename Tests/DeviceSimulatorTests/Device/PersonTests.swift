import APNs
import DeviceModel
import LiveModel
import SiriModel
import Testing

@testable import DeviceSimulator

/// Devices of one person share their reservations.
@Suite struct PersonTests {
    private let phone = Phone()

    init() throws {
        phone.change { $0.person = "maria" }
        _ = try phone.simulator.addDevice(named: "Tablet", at: phone.now)
    }

    private func join(_ edit: (inout DeviceConditions) -> Void = { _ in }) throws {
        var conditions = phone.simulator.conditions(of: "Tablet") ?? DeviceConditions()
        conditions.person = "maria"
        edit(&conditions)
        try phone.simulator.setConditions(conditions, of: "Tablet", at: phone.now)
    }

    private func book() throws {
        var donation = ReservationDonation()
        donation.reservations = [try .table()]
        try phone.simulator.perform(.calendar(.markup(donation, .mail)), on: Phone.name, at: phone.now)
    }

    private var count: Int { phone.simulator.siri(of: "Tablet").calendar.items.count }

    @Test("S4-18 a device that joins a person gets the person's reservations") func joins() throws {
        try book()
        try join()
        #expect(count == 1)
        #expect(phone.simulator.events(EventQuery(device: "Tablet", kinds: [.calendarEvent])).items.count == 1)
        // It leaves, and gets nothing twice when it is back.
        try join { $0.person = nil }
        try join()
        #expect(count == 1)
    }

    @Test("G.7 a device that is off or offline gets a reservation once it can be reached", arguments: [true, false])
    func waits(_ isPower: Bool) throws {
        try join { if isPower { $0.isPoweredOn = false } else { $0.isOnline = false } }
        try book()
        #expect(count == 0)
        try join { ($0.isPoweredOn, $0.isOnline) = (true, true) }
        #expect(count == 1)
    }
}
