import DeviceModel
import SiriModel
import Synchronization
import TestSupport
import Testing
import Time

@testable import DeviceSimulator

/// Devices of one person share their reservations.
@Suite struct PersonTests {
    private let phone = Phone()

    init() throws {
        phone.change { $0.person = "maria" }
        phone.add("Tablet")
    }

    private func join(_ edit: (inout DeviceConditions) -> Void = { _ in }) {
        phone.change("Tablet") {
            $0.person = "maria"
            edit(&$0)
        }
    }

    private var count: Int { phone.simulator.siri(of: "Tablet").calendar.items.count }

    @Test("S4-18 a device that joins a person gets the person's reservations") func joins() throws {
        try phone.book()
        join()
        #expect(count == 1)
        #expect(phone.simulator.events(EventQuery(device: "Tablet", kinds: [.calendarEvent])).items.count == 1)
        // It leaves, and gets nothing twice when it is back.
        join { $0.person = nil }
        join()
        #expect(count == 1)
    }

    // MARK: Many devices

    private static let many = (0..<200).map { "Device \(1000 + $0)" }

    private func joinMany(_ phone: Phone) { for name in Self.many { phone.add(name) { $0.person = "maria" } } }

    private func book(_ number: String, on phone: Phone) throws {
        try phone.book { ($0.itemReference.id, $0.reservationNumber) = (number, number) }
    }

    private func book(inHours hours: Int64, on device: String = Phone.name) throws {
        try phone.book(on: device) {
            $0.reservationNumber = "R1"
            $0.duration?.start = LocalTime(phone.now.advanced(by: hours * .hour), in: "Asia/Tokyo")
        }
    }

    private func numbers(of device: String) -> [String] {
        phone.simulator.siri(of: device).calendar.items.compactMap(\.reservation.reservationNumber).sorted()
    }

    private func holders(_ simulator: DeviceSimulator, _ count: Int = 1) -> [String] {
        Self.many.filter { simulator.siri(of: $0).calendar.items.count == count }
    }

    @Test("G.7 more devices than 64 get a reservation in parts, in order of creation") func parts() throws {
        joinMany(phone)
        try book("R1", on: phone)
        #expect(holders(phone.simulator).isEmpty, "the act does not wait for them")
        #expect(phone.simulator.shareReservations())
        let first = holders(phone.simulator)
        #expect(!first.isEmpty && first.count <= 64 && first == Array(Self.many.prefix(first.count)))
        // One that is passed and can be reached again gets it at once; one that is not yet reached, with the others.
        let (passed, next) = (Self.many[0], Self.many[199])
        for name in [passed, next] { phone.change(name) { $0.isOnline = false } }
        try book("R2", on: phone)
        while phone.simulator.shareReservations() {}
        #expect(holders(phone.simulator, 2) == Array(Self.many[1..<199]))
        for name in [passed, next] { phone.change(name) { $0.isOnline = true } }
        while phone.simulator.shareReservations() {}
        #expect(holders(phone.simulator, 2) == Self.many)
        #expect(
            phone.simulator.events(EventQuery(device: passed, kinds: [.calendarEvent], limit: .max)).items.count == 2)
    }

    @Test("G.7 a joining device gets what is on its way to the others") func joinsMeanwhile() throws {
        joinMany(phone)
        try book("R1", on: phone)
        #expect(phone.simulator.shareReservations())
        // Created before most of them.
        join()
        #expect(count == 1)
        while phone.simulator.shareReservations() {}
        #expect(count == 1)
    }

    @Test("G.7 a device that cannot be reached shares when it can be", arguments: [true, false])
    func sharesLater(_ isPower: Bool) throws {
        join()
        phone.change { $0.isOnline = false }
        try phone.book()
        #expect(count == 0)
        if isPower {
            phone.change { $0.isPoweredOn = false }
            phone.change { ($0.isPoweredOn, $0.isOnline) = (true, true) }
        } else {
            phone.change { $0.isOnline = true }
        }
        #expect(count == 1)
        phone.change { $0.isOnline = false }
        phone.change { $0.isOnline = true }
        #expect(phone.simulator.events(EventQuery(device: "Tablet", kinds: [.calendarEvent])).items.count == 1)
    }

    @Test("G.7 time that shares them ends waits for the person's other devices", .timeLimit(.minutes(1)))
    func wakesWaits() async throws {
        join()
        phone.change { ($0.isOnline, $0.offlineUntil) = (false, phone.now.advanced(by: 60_000)) }
        try phone.book()
        let simulator = phone.simulator
        async let found = simulator.waitForEvents(
            EventQuery(device: "Tablet", kinds: [.calendarEvent]), count: 1, timeout: .seconds(20))
        while simulator.withWaiters({ $0.sleeping.isEmpty }) { await Task.yield() }
        phone.wait(.seconds(60))
        #expect(await found.page.items.count == 1)
    }

    @Test("G.7 reservations go to the person that the device has when it books") func changesPerson() throws {
        joinMany(phone)
        join()
        try book("R1", on: phone)
        #expect(phone.simulator.shareReservations())
        // The first waits behind what is on its way.
        try book("R2", on: phone)
        phone.change { $0.person = "john" }
        join { $0.person = "john" }
        let before = count
        try book("R3", on: phone)
        while phone.simulator.shareReservations() {}
        #expect(count > before)
        #expect(holders(phone.simulator, 3).isEmpty)
    }

    @Test("G.7 what a device has from its former person reaches no other, and what it holds waits for that person")
    func belongsToPerson() throws {
        phone.add("Watch") { $0.person = "maria" }
        join { $0.person = "bob" }
        try book("R1", on: phone)
        phone.change { $0.isOnline = false }
        try book("R2", on: phone)
        phone.change { $0.person = "bob" }
        phone.change { $0.isOnline = true }
        #expect(count == 0)
        try book("R3", on: phone)
        phone.add("Watch of Bob") { $0.person = "bob" }
        #expect(numbers(of: "Tablet") == ["R3"] && numbers(of: "Watch of Bob") == ["R3"])
        #expect(numbers(of: "Watch") == ["R1"])
        // Known again, it is Bob's, too.
        try book("R1", on: phone)
        #expect(numbers(of: "Tablet") == ["R1", "R3"])
        phone.change { $0.person = "maria" }
        #expect(numbers(of: "Watch") == ["R1", "R2"] && numbers(of: "Tablet") == ["R1", "R3"])
    }

    @Test("G.7 what a device has while it has no person is shared when it joins one", arguments: [true, false])
    func belongsToNobody(_ isOnline: Bool) throws {
        join()
        phone.change { ($0.person, $0.isOnline) = (nil, isOnline) }
        try book("R1", on: phone)
        #expect(count == 0)
        phone.change { $0.person = "maria" }
        phone.change { $0.isOnline = true }
        #expect(numbers(of: "Tablet") == ["R1"])
    }

    @Test(
        "G.7 a cancellation on a device of nobody reaches the person whom it joins; one as another person stays on the device"
    )
    func cancels() throws {
        join()
        for number in ["R1", "R2"] { try book(number, on: phone) }
        func cancel(_ number: String, as person: String?) throws {
            phone.wait(.seconds(60))
            phone.change { $0.person = person }
            try phone.book {
                ($0.itemReference.id, $0.reservationNumber, $0.status) = (number, number, .canceled)
            }
            phone.change { $0.person = "maria" }
        }
        func states(of device: String) -> [CalendarItem.State] {
            phone.simulator.siri(of: device).calendar.items.map(\.state)
        }
        try cancel("R1", as: nil)
        #expect(states(of: "Tablet") == [.cancelled, .inbox])
        try cancel("R2", as: "bob")
        try book("R3", on: phone)
        #expect(states(of: "Tablet") == [.cancelled, .inbox, .inbox])
        // A later change is of both devices again.
        phone.wait(.seconds(60))
        try book("R2", on: phone)
        try cancel("R2", as: "maria")
        #expect(states(of: "Tablet") == [.cancelled, .cancelled, .inbox])
        #expect(states(of: Phone.name) == [.cancelled, .cancelled, .inbox])
    }

    @Test("G.7 what waits to be shared goes back with the clock") func clockReturns() throws {
        joinMany(phone)
        phone.wait(.seconds(3600))
        try book("R1", on: phone)
        #expect(phone.simulator.shareReservations())
        phone.setBack(by: .hour)
        while phone.simulator.shareReservations() {}
        #expect(holders(phone.simulator) == Self.many)
        #expect(!phone.simulator.isAhead(of: phone.now))
    }

    @Test("G.7 what waits on an unreachable device reaches no device before the others") func waitsForAll() throws {
        join { $0.isOnline = false }
        phone.change { $0.isOnline = false }
        try phone.book()
        join { $0.isOnline = true }
        #expect(count == 0)
        phone.change { $0.isOnline = true }
        #expect(count == 1)
    }

    @Test("G.7 what a device shared before it went offline reaches who joins; what it then booked waits with it")
    func sharesOnlyItsOwn() throws {
        try book("R1", on: phone)
        phone.change { $0.isOnline = false }
        try book("R2", on: phone)
        join()
        #expect(numbers(of: "Tablet") == ["R1"])
        phone.change { $0.isOnline = true }
        #expect(numbers(of: "Tablet") == ["R1", "R2"])
    }

    @Test("G.7 a joining device reads one that can be reached, however many cannot") func joinsBehindMany() throws {
        joinMany(phone)
        for name in Self.many {
            // They know something else, which does not count.
            try phone.simulator.perform(
                .donation(.donate(DonationTests.checkWeather("x", name)), app: Phone.chat, .foreground), on: name,
                at: phone.now)
            phone.change(name) { $0.isPoweredOn = false }
        }
        try book("R1", on: phone)
        while phone.simulator.shareReservations() {}
        join()
        #expect(count == 1)
    }

    @Test("G.7 an event that moves into the past does so on a device that was off, too") func moves() throws {
        join()
        try book(inHours: 72)
        join { $0.isPoweredOn = false }
        phone.wait(.seconds(60))
        try book(inHours: 1)
        let start = phone.now.advanced(by: .hour)
        phone.wait(.seconds(2 * 3600))
        join { $0.isPoweredOn = true }
        #expect(phone.simulator.siri(of: "Tablet").calendar.items.map(\.reservation.start) == [start])
    }

    @Test("G.7 of changes in the same millisecond, all devices have the same one", arguments: [(2, 3), (3, 2)])
    func changesAtOnce(_ first: Int64, _ second: Int64) throws {
        joinMany(phone)
        try book(inHours: 1)
        while phone.simulator.shareReservations() {}
        func starts() -> Set<Instant?> {
            let names = [Phone.name] + Self.many
            return Set(names.flatMap { phone.simulator.siri(of: $0).calendar.items.map(\.reservation.start) })
        }
        // Neither device knows of the other's change.
        try book(inHours: first)
        try book(inHours: second, on: Self.many[0])
        while phone.simulator.shareReservations() {}
        #expect(starts().count == 1)
        // A device that knows the former change has the later one.
        try book(inHours: 4, on: Self.many[1])
        while phone.simulator.shareReservations() {}
        #expect(starts() == [phone.now.advanced(by: 4 * .hour)])
        try book(inHours: 1, on: Self.many[2])
        while phone.simulator.shareReservations() {}
        #expect(starts() == [phone.now.advanced(by: .hour)])
        // The same change, made again on another device, is one of the chain there, too.
        try book(inHours: 2)
        try book(inHours: 3)
        try book(inHours: 3, on: Self.many[0])
        while phone.simulator.shareReservations() {}
        for hours in [1, 5] as [Int64] {
            try book(inHours: hours, on: Self.many[0])
            while phone.simulator.shareReservations() {}
            #expect(starts() == [phone.now.advanced(by: hours * .hour)])
        }
    }

    @Test("G.7 when 1,000 devices wait to share, no other takes a reservation until fewer do")
    func bounds() throws {
        let names = (0...SimulatorState.maximumShareCount).map { "Phone \($0)" }
        for name in names { phone.add(name) { $0.person = "eve" } }
        for name in names.dropLast() { try book(inHours: 1, on: name) }
        let last = names[names.count - 1]
        #expect(throws: SimulatorError.tooManyShares(limit: 1000)) { try book(inHours: 2, on: last) }
        // Alone, it shares nothing.
        phone.change(last) { $0.person = nil }
        try book(inHours: 2, on: last)
        phone.change(last) { $0.person = "eve" }
        let waiting = { phone.simulator.store.withLock { $0.shares.count } }
        // What it booked alone waits, too.
        #expect(waiting() == names.count)
        while waiting() >= SimulatorState.maximumShareCount { _ = phone.simulator.shareReservations() }
        try book(inHours: 3, on: last)
    }

    @Test("G.7 a device says once that it does not take a reservation") func rejectsOnce() throws {
        joinMany(phone)
        let first = Self.many[0]
        let settings = CalendarSettings.with { $0.isWhatsNewAcknowledged = false }
        try phone.simulator.perform(.calendar(.settings(settings)), on: first, at: phone.now)
        try book("R1", on: phone)
        #expect(phone.simulator.shareReservations())
        for isOnline in [false, true] { phone.change(first) { $0.isOnline = isOnline } }
        while phone.simulator.shareReservations() {}
        let events = phone.simulator.events(EventQuery(device: first, kinds: [.calendarEvent], limit: .max)).items
        #expect(events.map { $0.text("act") } == ["rejected"])
    }

    @Test("G.7 a restart and a snapshot continue to share where they were") func restarts() throws {
        let kept = try KeptPhone(seed: 1)
        let phone = kept.phone
        phone.change { $0.person = "maria" }
        joinMany(phone)
        try book("R1", on: phone)
        try kept.expectSameAgain("before the first part")
        #expect(phone.simulator.shareReservations())
        try kept.expectSameAgain("after it")
        kept.keeper.commit()
        kept.keeper.writeCheckpoint()
        let (restarted, copy) = (try kept.readAgain(), phone.simulator.makeAnother())
        try copy.load(phone.simulator.snapshot())
        for simulator in [restarted, copy] {
            #expect(holders(simulator) == holders(phone.simulator))
            while simulator.shareReservations() {}
            #expect(holders(simulator) == Self.many)
        }
        while phone.simulator.shareReservations() {}
        #expect(restarted.essence == phone.simulator.essence)
        phone.simulator.reset()
        try kept.expectSameAgain("reset")
        #expect(!phone.simulator.shareReservations())
    }

    @Test("G.7 a device that is off or offline gets a reservation once it can be reached", arguments: [true, false])
    func waits(_ isPower: Bool) throws {
        join { if isPower { $0.isPoweredOn = false } else { $0.isOnline = false } }
        try phone.book()
        #expect(count == 0)
        join { ($0.isPoweredOn, $0.isOnline) = (true, true) }
        #expect(count == 1)
    }
}

extension DeviceSimulator {
    /// A new one with the same tokens.
    fileprivate func makeAnother() -> DeviceSimulator {
        DeviceSimulator(assumptions: assumptions, deriveToken: deriveToken)
    }
}
