import APNs
import Fields
import Foundation
import JSON
import LiveModel
import Synchronization
import TestSupport
import Testing
import Time

@testable import DeviceModel
@testable import DeviceSimulator

/// Replaying a journal gives the same simulator, including event numbers.
@Suite struct ReplayTests {
    @Test("replaying the journal of a random history gives the same simulator", arguments: 0..<UInt64(60))
    func isSame(_ seed: UInt64) throws {
        let kept = try KeptPhone(seed: seed)
        kept.live(steps: 40)
        try kept.expectSameAgain("seed \(seed)")
    }

    @Test("replaying after a checkpoint gives the same simulator", arguments: 0..<UInt64(60))
    func isSameFromCheckpoint(_ seed: UInt64) throws {
        let kept = try KeptPhone(seed: seed)
        kept.live(steps: 25)
        kept.keeper.commit()
        kept.keeper.writeCheckpoint()
        #expect(kept.journal.contents.isEmpty, "what the checkpoint holds need not be kept")
        try kept.expectSameAgain("seed \(seed), right after")
        kept.live(steps: 25)
        try kept.expectSameAgain("seed \(seed), later")
    }

    @Test("a restored simulator continues like the original", arguments: 0..<UInt64(20)) func goesOn(
        _ seed: UInt64
    ) throws {
        let kept = try KeptPhone(seed: seed)
        kept.live(steps: 30)
        kept.keeper.commit()
        kept.keeper.writeCheckpoint()
        let copy = try kept.readAgain()
        for _ in 0..<4 {
            kept.phone.wait(.seconds(20 * 3600))
            copy.advance(to: kept.phone.now)
            #expect(copy.essence == kept.phone.simulator.essence, "seed \(seed)")
        }
    }

    @Test("L3 replies, services, their tokens and pending ends are restored") func servicesAreKept() throws {
        let kept = try KeptPhone(seed: 1)
        let phone = kept.phone
        try phone.act(.open(app: Phone.chat))
        try phone.services { settings in
            settings.channel = "Team"
            settings.widgets = [.of("w1", "scores")]
            settings.controls = [.of("c1", "door")]
            settings.isEnrolled = true
        }
        try phone.reply { replies in
            replies.location = .init()
            replies.location?.reply = .timeout
            replies.widgets = ["scores": "2:1"]
        }
        phone.push("{}", topic: Phone.chat + ".push-type.widgets", type: .widgets, kind: .widgets)
        phone.push("{}", topic: Phone.chat + ".location-query", type: .location, kind: .location)
        try kept.expectSameAgain("while the extension runs")
        kept.keeper.commit()
        kept.keeper.writeCheckpoint()
        try kept.expectSameAgain("from a checkpoint")
        let copy = try kept.readAgain()
        phone.wait(.seconds(30))
        copy.advance(to: phone.now)
        #expect(phone.events(.appKilled).count == 1)
        #expect(copy.essence == phone.simulator.essence)
        try phone.services { $0.channel = nil }
        try phone.act(.uninstall(app: Phone.chat))
        try kept.expectSameAgain("uninstalled")
    }

    @Test func devicesAppsTokensAndResetsAreReplayed() throws {
        let kept = try KeptPhone(seed: 1)
        let simulator = kept.phone.simulator
        let tablet = simulator.registered("Tablet")
        simulator.push("one", to: tablet)
        simulator.setStatus(.unregistered, of: tablet.token, at: .at(5))
        _ = simulator.registered("Tablet")
        _ = try simulator.registerUnknown(
            .numbered(77), topic: "com.example.chat", environment: .production, kind: .app, at: .at(6))
        _ = simulator.setStatus(.expired, of: .numbered(77), at: .at(7))
        try simulator.perform(.uninstall(app: "com.example.chat"), on: Phone.name, at: .at(8))
        try simulator.remove(tablet.token, at: .at(8))
        simulator.deleteApp(Phone.chat, at: .at(8))
        simulator.clear(NotificationQuery(device: "Tablet"))
        simulator.setMetadata("yes", for: "note")
        try kept.expectSameAgain("before the deletion")
        simulator.deleteDevice(named: "Tablet")
        simulator.push("astray", to: tablet)
        try kept.expectSameAgain("after it")
        simulator.reset(keeping: [.devices])
        try kept.expectSameAgain("reset")
        try simulator.load(simulator.snapshot())
        try kept.expectSameAgain("loaded")
        simulator.reset()
        simulator.push("more", to: simulator.registered("New"))
        try kept.expectSameAgain("all reset")
        #expect(try kept.readAgain().metadata("note") == "yes")
    }

    @Test func aFleetIsReplayed() async throws {
        let kept = try KeptPhone(seed: 5)
        let simulator = kept.phone.simulator
        let night = DeviceConditions.with { ($0.focus.modes, $0.focus.active) = ([Focus(id: "sleep")], "sleep") }
        let denied = NotificationSettings.with { $0.authorizationStatus = .denied }
        let use = TokenRequest(device: "", topic: Phone.chat, environment: .sandbox, kind: .app)
        let taken = TokenRequest(device: "fleet-000003", topic: Phone.chat, environment: .sandbox, kind: .app)
        _ = try simulator.register(
            device: "Thief", topic: Phone.chat, environment: .sandbox, kind: .app, token: simulator.deriveToken(taken),
            at: .at(0))
        let parts: [Fleet.Part] = [.init(night), .init(DeviceConditions(), [Phone.chat: denied])]
        let fleet = Fleet(prefix: "fleet", uses: [use], parts: parts, assignment: (0..<200).map { UInt8($0 % 3) })
        try await simulator.generate(fleet, at: .at(10))
        #expect(
            simulator.device(named: "fleet-000003")?.registrations.map(\.entry.generation) == [1], "its token is taken")
        #expect(simulator.conditions(of: "fleet-000200")?.focus.active == "sleep")
        #expect(simulator.appsOnDevice("fleet-000003").map(\.settings.authorizationStatus) == [.denied])
        try kept.expectSameAgain("from inputs")
        kept.keeper.commit()
        kept.keeper.writeCheckpoint()
        try kept.expectSameAgain("from a checkpoint")
        await #expect(throws: SimulatorError.deviceExists("fleet-000001")) {
            try await simulator.generate(fleet, at: .at(11))
        }
        #expect(await simulator.deleteDevices(withPrefix: "fleet-") == 200)
        try kept.expectSameAgain("deleted")
    }

    @Test func categoriesOfAnAppAreReplayed() throws {
        let kept = try KeptPhone(seed: 2)
        let simulator = kept.phone.simulator
        try kept.phone.act(.setCategories([NotificationCategory(identifier: "OFFER")], app: Phone.chat))
        try kept.expectSameAgain("set")
        #expect(try kept.readAgain().appsOnDevice(Phone.name).contains { $0.hasOwnCategories })
        kept.keeper.commit()
        kept.keeper.writeCheckpoint()
        #expect(try kept.readAgain().appsOnDevice(Phone.name).contains { $0.hasOwnCategories })
        var app = try #require(simulator.app(Phone.chat))
        app.categories = [NotificationCategory(identifier: "NEW")]
        simulator.put(app)
        try kept.expectSameAgain("replaced by the developer's")
        #expect(try !kept.readAgain().appsOnDevice(Phone.name).contains { $0.hasOwnCategories })
    }

    @Test("raising a limit does not restore evicted items, lowering one applies at once")
    func limitsOfTheirTime() throws {
        let journal = MemoryJournal()
        func run(_ limits: InboxLimits) throws -> (DeviceSimulator, JournalKeeper) {
            let simulator = DeviceSimulator.make(limits: limits)
            let keeper = JournalKeeper(simulator, in: journal) { 0 }
            try keeper.open()
            return (simulator, keeper)
        }
        var (simulator, keeper) = try run(InboxLimits(perDevice: 3))
        let phone = simulator.registered("Phone")
        for number in 1...5 { simulator.push("\(number)", to: phone) }
        keeper.commit()
        (simulator, keeper) = try run(InboxLimits(perDevice: 10))
        #expect(simulator.bodies() == ["3", "4", "5"])
        keeper.commit()
        (simulator, keeper) = try run(InboxLimits(perDevice: 2))
        #expect(simulator.bodies() == ["4", "5"])
        #expect(simulator.counters.counts.dropped == 3)
    }

    @Test func evictionByAgeIsReplayed() throws {
        let journal = MemoryJournal()
        var limits = InboxLimits()
        limits.retention = 1000
        let simulator = DeviceSimulator.make(limits: limits)
        let keeper = JournalKeeper(simulator, in: journal) { 0 }
        try keeper.open()
        let phone = simulator.registered("Phone")
        func push(_ text: String, at milliseconds: Int64) {
            let push = Push.make(#"{"aps":{"alert":"\#(text)"}}"#, to: phone, at: .at(milliseconds))
            _ = simulator.receive(push, for: phone)
        }
        for number in 1...10 { push("\(number)", at: 0) }
        push("11", at: 1001)
        #expect(simulator.bodies() == ["5", "6", "7", "8", "9", "10", "11"], "four at a time")
        simulator.advance(to: .at(1500))
        #expect(simulator.bodies() == ["11"])
        push("12", at: 2001)
        try simulator.perform(.wake, on: "Phone", at: .at(2001))
        push("13", at: 2002)
        #expect(simulator.bodies() == ["12", "13"])
        #expect(simulator.counters.counts.dropped == 11)
        for time in [2500, 3600] as [Int64] { try simulator.perform(.wake, on: "Phone", at: .at(time)) }
        keeper.commit()
        let again = DeviceSimulator.make(limits: limits)
        try JournalKeeper(again, in: journal) { 0 }.open()
        #expect(again.essence == simulator.essence)
        let states = [simulator, again].map { $0.store.withLock { $0.devices["Phone"]?.state } }
        #expect(states[0] != nil && states[0] == states[1], "device events are evicted by age, too")
    }

    @Test("what fires in a long advance is evicted at the same instants in a replay")
    func evictionInAnAdvance() throws {
        let kept = try KeptPhone(seed: 1)
        let phone = Phone()
        for number in 0..<20 { try phone.schedule("\(number)", in: 60, repeats: true) }
        try kept.phone.simulator.load(phone.simulator.snapshot())
        kept.phone.simulator.store.withLock { $0.set(up: InboxLimits(perDevice: 10), $0.catalog.assumptions) }
        kept.phone.wait(.seconds(200 * 60))
        try kept.expectSameAgain("in steps of as many instants")
    }

    @Test("T6 a push in transit to a forgotten token is lost, also in a replay") func forgottenToken() throws {
        let kept = try KeptPhone(seed: 4)
        let phone = kept.phone
        try phone.services { $0.controls = [.of("c1", "door")] }
        let registration = try #require(phone.simulator.device(named: Phone.name)?.registrations.first)
        try phone.services { $0.controls = [] }
        phone.wait(.milliseconds(phone.simulator.assumptions.formerTokenTime))
        let count = phone.simulator.counters.counts.cleared
        phone.push("{}", to: registration, type: .controls)
        #expect(phone.simulator.counters.counts.cleared == count + 1)
        try kept.expectSameAgain("with a token that is unknown now")
    }

    @Test func inputsReplayUnderTheAssumptionsOfTheirTime() throws {
        let kept = try KeptPhone(seed: 3)
        kept.live(steps: 20)
        kept.phone.simulator.assumptions.backgroundBudget = 7
        kept.live(steps: 20)
        try kept.expectSameAgain("after a change of assumptions")
        let configured = try kept.readAgain(Assumptions())
        #expect(configured.assumptions == Assumptions(), "what is configured holds from the start on")
    }
}

/// A phone whose simulator writes to a journal in memory.
final class KeptPhone {
    let phone: Phone
    let journal = MemoryJournal()
    let keeper: JournalKeeper
    private var generator: HistoryGenerator

    init(seed: UInt64) throws {
        generator = HistoryGenerator(seed: seed)
        phone = generator.phone()
        // The generator's setup is not in the journal yet, so the journal begins with it.
        let snapshot = phone.simulator.snapshot()
        keeper = JournalKeeper(phone.simulator, in: journal) { 0 }
        try keeper.open()
        try phone.simulator.load(snapshot)
    }

    /// Applies random steps, committed in groups of random size.
    func live(steps: Int) {
        for step in 0..<steps {
            phone.take(generator.step(on: phone))
            // Rejected if the app is not running or the phone is off.
            if step % 4 == 0 { _ = try? phone.perform(generator.donationInput()) }
            if step % 3 == 0 { keeper.commit() }
        }
    }

    /// Another simulator that replayed the journal; nil for this simulator's assumptions.
    func readAgain(_ assumptions: Assumptions? = nil) throws -> DeviceSimulator {
        keeper.commit()
        let other = DeviceSimulator(
            assumptions: assumptions ?? phone.simulator.assumptions, deriveToken: phone.simulator.deriveToken)
        // A copy, so that the reader's writes do not affect the original.
        let copy = MemoryJournal()
        copy.contents = journal.contents
        if let checkpoint = journal.checkpoint() { try copy.replaceCheckpoint(checkpoint) }
        try JournalKeeper(other, in: copy) { 0 }.open()
        return other
    }

    func expectSameAgain(_ comment: Comment) throws {
        let again = try readAgain()
        #expect(again.essence == phone.simulator.essence, comment)
        // Each notification that waits for its extension is sent to it again, once.
        let waiting = phone.simulator.store.withLock { store in store.devices[Phone.name]?.state.asked ?? [] }
        #expect(again.store.withLock { $0.extensionTasks.map(\.arrival.sequence) } == waiting, comment)
    }
}

extension DeviceSimulator {
    /// The state as comparable lines.
    var essence: [String] {
        var contexts = ContextTexts()
        return store.withLock { store in
            var lines = [
                "\(store.lastSequence) \(store.lastDropped) \(store.counts) \(store.metadata.sorted { $0.key < $1.key })"
            ]
            lines += store.catalog.apps.values.map(\.json.text).sorted()
            let channels = store.channels
            for channel in channels.channels.values.sorted(by: { $0.key.id < $1.key.id }) {
                lines.append(
                    "\(channel.key) \(channel.policy) \(channel.published) \(channel.delivered) \(channel.isDeleted)"
                        + " \(channel.subscriptions) \(channels.subscribers[channel.key.id].devices.count)"
                        + " \(channel.latest?.number ?? 0)")
            }
            lines += store.shares.map { "\($0.source) \($0.items.count) \($0.changed) \($0.position?.name ?? "")" }
            lines += channels.queue.map { "\($0.message.number) \(String(describing: $0.position))" }
            for device in store.devices.values.sorted(by: { $0.name < $1.name }) {
                lines += device.state.subscriptions.map { "\($0.channel) \($0.since) \($0.stored?.number ?? 0)" }
                lines.append("\(device.name) \(device.createdAt) \(device.state.nextDue) \(device.state.lastEvent)")
                lines += device.registrations.map {
                    "\($0.token.hex) \($0.topic) \($0.kind) \($0.generation) \($0.status)"
                }
                lines += device.state.lines(&contexts)
                for item in device.state.inbox.items {
                    let push = store.log[item.sequence]?.push
                    lines.append(
                        "\(item.sequence) \(item.receivedEvent) \(item.deliveryEvent) \(item.state) \(item.stateDelay)"
                            + " \(item.presentation.rawValue) \(item.places.rawValue) \(item.level) \(item.kind)"
                            + " \(String(describing: item.timing)) \(item.categoryNumber)"
                            + " \(push?.apnsIDText ?? "") \(push?.receivedAt.milliseconds ?? 0)"
                            + " \(String(decoding: push?.payload ?? [], as: UTF8.self))"
                            + " \(contexts.text(of: item.context))")
                }
            }
            return lines
        }
    }
}

/// Comparable text: the order of members is the same in equal states.
private struct LiveDescription: CustomStringConvertible {
    let description: String

    init(_ live: LiveState) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        description = String(decoding: (try? encoder.encode(live)) ?? Data(), as: UTF8.self)
    }
}

extension DeviceState {
    fileprivate func lines(_ texts: inout ContextTexts) -> [String] {
        var lines = ["\(texts.text(of: conditions)) \(counts) \(lastEventAt) \(lastDropped) \(lastLostDelivery)"]
        lines.append("\(focus) \(summary) \(eventLog.lastDropped)")
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        lines.append((try? encoder.encode(siri)).map { String(decoding: $0, as: UTF8.self) } ?? "")
        lines += stored.map { "held \($0.arrival.sequence) \($0.expiresAt) \($0.arrival.topic) \($0.arrival.kind)" }
        lines += extending.map { "extending \($0.arrival.sequence) \($0.since)" }
        lines += extended.sorted { $0.key < $1.key }.map { number, push in
            "extended \(number) \(push.context.settings.json.text) \(String(describing: push.record?.value.run.end))"
        }
        lines.append("\(forgottenTokenCount) \(LiveDescription(live))")
        lines += collapsed.map { "\($0.key) \($0.value)" }.sorted()
        lines += apps.map { "\($0)" }
        lines += eventLog.entries.map { entry in
            switch entry.content {
            case .effect(let kind, let notification, let app, let details):
                "\(entry.number) \(entry.at) \(kind) \(notification ?? 0) \(app ?? "") \(JSONValue.object(details).sorted.text)"
            case .act(let act): "\(entry.number) \(entry.at) \(act)"
            case .broadcast(let mark, let fate): "\(entry.number) \(entry.at) \(mark.value) \(fate)"
            case .extended(let notification, let record):
                "\(entry.number) \(entry.at) \(notification) \(record.value.verdict) \(record.value.rule)"
            case .conditions(let conditions, let changed):
                "\(entry.number) \(entry.at) \(texts.text(of: conditions)) \(changed)"
            case .settings(let settings, let app):
                "\(entry.number) \(entry.at) \(String(describing: settings?.value.json.text)) \(app)"
            }
        }
        return lines
    }
}
