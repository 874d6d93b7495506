import APNs
import DeviceModel
import SiriModel
import Synchronization
import Testing
import Time

@testable import DeviceSimulator

/// Random histories of a person with three devices.
@Suite struct PersonHistoryTests {
    private static let names = [Phone.name, "Tablet", "Watch"]

    /// Events that need no running device: APNs, Settings in the tests' hands, the tokens they ask for, and the conditions.
    private static let whileOff: Set<DeviceEvent.Kind> = [
        .conditionsChanged, .settingsChanged, .received, .stored, .discarded, .nseFinished, .tokenIssued,
    ]

    /// `PUSHCOTE_HISTORIES=500 swift test --filter HistoryTests` runs as many in each of twenty batches.
    @Test(
        "a device that is off does nothing, those that can be reached have what was booked, and replaying gives the same",
        arguments: 0..<UInt64(20))
    func holds(_ batch: UInt64) throws {
        let count = HistoryTests.historiesPerBatch
        for seed in batch * count..<(batch + 1) * count {
            guard try follow(seed) else { return }
        }
    }

    /// Runs one history; false if an invariant failed.
    private func follow(_ seed: UInt64) throws -> Bool {
        var history = try PersonHistory(seed, Self.names)
        for step in 0..<40 {
            let before = Self.names.map { (wasOff: history.isOff($0), last: history.lastEvent(of: $0)) }
            let input = history.happen()
            var problems = history.problems()
            for (name, (wasOff, last)) in zip(Self.names, before) {
                let news = history.events(on: name, after: last)
                if !history.areInOrder(news, after: last) { problems.append("events of \(name): \(news)") }
                let kinds = Set(news.map(\.kind)).subtracting(Self.whileOff)
                if wasOff, history.isOff(name), !kinds.isEmpty { problems.append("\(name) is off: \(kinds)") }
            }
            #expect(problems == [], "seed \(seed), step \(step): \(input)")
            guard problems.isEmpty else { return false }
        }
        let isSame = try history.isReplayed()
        #expect(isSame, "seed \(seed): the journal makes other devices")
        return isSame
    }
}

/// The same seed gives the same history.
private struct PersonHistory {
    private struct Booking: Equatable {
        var start: Instant
        var isCanceled: Bool
        var bookedAt: Instant
    }

    private let kept: KeptPhone
    private let names: [String]
    private var random: LinearGenerator
    private var count = 0
    /// By reservation number, what devices that could be reached booked.
    private var booked: [String: Booking] = [:]
    /// By device, what it booked while it could not be reached.
    private var held: [String: [String: Booking]] = [:]

    private var phone: Phone { kept.phone }

    init(_ seed: UInt64, _ names: [String]) throws {
        self.names = names
        random = LinearGenerator(state: seed &* 0x9E37_79B9_7F4A_7C15)
        kept = try KeptPhone(seed: seed)
        var chat = App(bundleID: Phone.chat)
        chat.extension = .stub
        phone.simulator.put(chat)
        for name in names {
            if name != Phone.name { _ = try phone.simulator.addDevice(named: name, at: phone.now) }
            change(name) {
                $0 = DeviceConditions()
                $0.person = "maria"
            }
        }
    }

    private mutating func change(_ name: String, _ edit: (inout DeviceConditions) -> Void) {
        var conditions = phone.simulator.conditions(of: name)!
        edit(&conditions)
        _ = try? phone.simulator.perform(.conditions(conditions), on: name, at: phone.now)
        guard isReachable(name) else { return }
        for (number, booking) in held[name] ?? [:] where booking.bookedAt > booked[number]?.bookedAt ?? .at(-1) {
            booked[number] = booking
        }
        held[name] = nil
    }

    /// Takes a step, and describes it.
    mutating func happen() -> String {
        let name = names.randomElement(using: &random)!
        count += 1
        let kind = Int.random(in: 0..<11, using: &random)
        switch kind {
        case 0, 1: change(name) { $0.isPoweredOn.toggle() }
        case 2: change(name) { $0.isOnline.toggle() }
        case 3, 4: book(on: name)
        case 5: push(to: name)
        case 6: finishExtensions()
        case 7:
            let donation = DonationTests.checkWeather("x", "\(count)")
            _ = try? phone.simulator.perform(
                .donation(.donate(donation), app: Phone.chat, .foreground), on: name, at: phone.now)
        case 8:
            let acts: [DeviceAct] = [.lock, .unlock, .restart]
            _ = try? phone.simulator.perform(acts.randomElement(using: &random)!, on: name, at: phone.now)
        default: phone.wait([.seconds(1), .seconds(600), .seconds(2 * 3600)].randomElement(using: &random)!)
        }
        return "\(kind) on \(name) at \(phone.now.text)"
    }

    /// Books, moves or cancels one of three tables.
    private mutating func book(on name: String) {
        guard var table = try? Reservation.table() else { return }
        // Of changes at the same instant that do not know each other, none is the newer one.
        if names.contains(where: { !isReachable($0) }) { phone.wait(.seconds(1)) }
        let number = "R\(Int.random(in: 1...3, using: &random))"
        (table.itemReference.id, table.reservationNumber) = (number, number)
        let hours = [1, 3, 24, 48].randomElement(using: &random)!
        let start = phone.now.advanced(by: Int64(hours) * .hour)
        table.duration?.start = LocalTime(start, in: "Asia/Tokyo")
        let isCanceled = Int.random(in: 0..<4, using: &random) == 0
        if isCanceled { table.status = .canceled }
        guard (try? phone.book(on: name, { $0 = table })) != nil else { return }
        let booking = Booking(start: start, isCanceled: isCanceled, bookedAt: phone.now)
        if isReachable(name) { booked[number] = booking } else { held[name, default: [:]][number] = booking }
    }

    private func push(to name: String) {
        let token = try? phone.simulator.register(
            device: name, topic: Phone.chat, environment: .sandbox, kind: .app, at: phone.now)
        guard let registration = token else { return }
        phone.push(#"{"aps":{"alert":"Hello","mutable-content":1}}"#, to: registration, type: .alert)
    }

    private func finishExtensions() {
        for request in phone.simulator.takeExtensionRequests() {
            let run = ExtensionRun(.answered, startedAt: phone.now, endedAt: phone.now)
            _ = phone.simulator.finishExtension(run, of: request, at: phone.now)
        }
    }

    // MARK: Reading

    func isOff(_ name: String) -> Bool { phone.simulator.conditions(of: name)?.isPoweredOn == false }

    func isReachable(_ name: String) -> Bool { phone.simulator.conditions(of: name)?.isReachable == true }

    func lastEvent(of name: String) -> UInt64 { phone.simulator.device(named: name)?.eventCount ?? 0 }

    func events(on name: String, after last: UInt64) -> [DeviceEvent] {
        phone.simulator.events(EventQuery(device: name, since: last, limit: .max)).items
    }

    /// Whether the numbers follow one another, and no date is in the future.
    func areInOrder(_ events: [DeviceEvent], after last: UInt64) -> Bool {
        events.map(\.number) == events.indices.map { last + UInt64($0) + 1 } && events.allSatisfy { $0.at <= phone.now }
    }

    func isReplayed() throws -> Bool { try kept.readAgain().essence == phone.simulator.essence }

    /// What does not hold now.
    func problems() -> [String] {
        var problems: [String] = []
        if !phone.simulator.store.withLock({ $0.shares.isEmpty }) { problems.append("reservations wait") }
        let waiting = Set(held.values.flatMap(\.keys))
        for name in names {
            let items = phone.simulator.siri(of: name).calendar.items
            if Set(items.map(\.reservation.reservationNumber)).count < items.count {
                problems.append("\(name) has a reservation twice")
            }
            guard isReachable(name) else { continue }
            for (number, booking) in booked where !waiting.contains(number) {
                let item = items.first { $0.reservation.reservationNumber == number && $0.hasEvent }
                // One that has ended reaches only devices that know it (G1.4).
                let isWanted = !booking.isCanceled && booking.start > phone.now
                let isRight =
                    isWanted
                    ? item?.reservation.start == booking.start
                    : item == nil || !booking.isCanceled && item?.reservation.start == booking.start
                if !isRight {
                    problems.append("\(number) is \(item.map { "\($0.reservation.times)" } ?? "missing") on \(name)")
                }
            }
        }
        return problems
    }
}
