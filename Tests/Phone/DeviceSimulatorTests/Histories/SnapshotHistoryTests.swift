import DeviceModel
import Fields
import Foundation
import JSON
import TestSupport
import Testing

@testable import DeviceSimulator

/// A snapshot taken in mid-run and loaded elsewhere continues as the original does.
@Suite struct SnapshotHistoryTests {
    @Test("a loaded device answers every question as the original, and continues like it", arguments: 0..<UInt64(60))
    func continuesLikeTheOriginal(_ seed: UInt64) throws {
        var generator = HistoryGenerator(seed: seed)
        let phone = generator.phone()
        for _ in 0..<60 { phone.take(generator.step(on: phone)) }
        let copy = try phone.loadedElsewhere()
        #expect(try difference(copy, from: phone.simulator).isEmpty)
        #expect(copy.essence.difference(from: phone.simulator.essence).isEmpty, "seed \(seed)")
        #expect(copy.answers.difference(from: phone.simulator.answers).isEmpty, "seed \(seed)")
        // Pending extensions run again, and the copy's own events follow.
        #expect(copy.takeExtensionRequests().map(\.notification) == phone.state.asked)
        for act in [DeviceAct.wake, .unlock, .clear(app: nil)] {
            let both = [copy, phone.simulator].map { simulator in
                (try? simulator.perform(act, on: Phone.name, at: phone.now)).map { "\($0.map(\.kind))" } ?? "refused"
            }
            #expect(both[0] == both[1], "seed \(seed)")
        }
        #expect(copy.answers == phone.simulator.answers)
        for _ in 0..<4 {
            phone.wait(.seconds(20 * 3600))
            copy.advance(to: phone.now)
            let difference = try difference(copy, from: phone.simulator)
            #expect(difference.isEmpty, "loaded is inserted, the original removed")
        }
    }

    @Test func rejectsWaitsForUnknownNotifications() throws {
        let phone = Phone { $0.isOnline = false }
        phone.alert()
        var snapshot = phone.simulator.snapshot()
        var details = try #require(snapshot.devices[0].details?.value)
        details.held[0].notification = 7
        snapshot.devices[0].details = Shared(details)
        #expect(throws: SnapshotError.badDevice(Phone.name)) { try phone.simulator.load(snapshot) }
    }

    @Test func rejectsAPushWhoseExtensionCannotRun() throws {
        let phone = Phone(app: { $0.extension = .stub })
        phone.alert("Hello", #""mutable-content":1"#)
        var snapshot = phone.simulator.snapshot()
        snapshot.notifications[0].extensionCircumstances = nil
        #expect(throws: SnapshotError.badDevice(Phone.name)) { try phone.simulator.load(snapshot) }
    }

    @Test func rejectsNumbersWithoutASuccessor() throws {
        let phone = Phone(app: { $0.extension = .stub })
        phone.alert("Hello", #""mutable-content":1"#)
        phone.change { $0.isOnline = false }
        phone.alert()
        func refuses(_ name: String, _ edit: (inout DeviceDetails) -> Void) {
            var snapshot = phone.simulator.snapshot()
            guard var details = snapshot.devices[0].details?.value else { return }
            edit(&details)
            snapshot.devices[0].details = Shared(details)
            #expect(throws: SnapshotError.badNumber(name)) { try phone.simulator.load(snapshot) }
        }
        refuses("an event of Phone") { $0.events[0].number = .max }
        refuses("the time of an event of Phone") { $0.events[0].milliseconds = .min }
        refuses("the time of an event of Phone") { $0.events[0].milliseconds = .max }
        refuses("since of a push of Phone") { $0.extending[0].since = .max }
        refuses("expiresAt of a push of Phone") { $0.held[0].expiresAt = .min }
    }

    /// The lines of the states' JSON that differ. Equal bytes have none, and are found at a fraction of the cost.
    private func difference(
        _ copy: DeviceSimulator, from original: DeviceSimulator
    ) throws -> CollectionDifference<Substring> {
        let snapshots = [copy, original].map { $0.snapshot() }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        if try encoder.encode(snapshots[0]) == encoder.encode(snapshots[1]) {
            return [Substring]().difference(from: [])
        }
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        let lines = try snapshots.map { String(decoding: try encoder.encode($0), as: UTF8.self).split(separator: "\n") }
        return lines[0].difference(from: lines[1])
    }

    @Test func aResetKeepsAnAppClipsTime() {
        let phone = Phone()
        phone.settings { $0.authorizationStatus = .ephemeral }
        phone.simulator.reset(keeping: [.devices, .apps])
        phone.wait(.seconds(8 * 3600))
        #expect(phone.app().settings.authorizationStatus == .denied)
    }
}

extension DeviceSimulator {
    /// All answers about the simulator, as comparable lines.
    fileprivate var answers: [String] {
        var contexts = ContextTexts()
        var lines = devicePage(after: nil, limit: .max).devices.map {
            "\($0.name) \($0.createdAt) \($0.inboxCount) \($0.storedCount) \($0.counts) \($0.eventCount)"
        }
        lines += apps().map(\.json.text)
        let page = notifications(NotificationQuery(limit: .max))
        lines.append("\(page.next) \(page.droppedCount) \(page.hasGap) \(String(describing: nextDue))")
        for item in page.items {
            lines.append(
                "\(item.sequence) \(item.identifier) \(item.state) \(item.settledAt) \(item.kind) \(item.places) "
                    + "\(String(describing: item.shownAt))")
            lines.append(
                "\(String(describing: item.outcome)) \(String(describing: item.category)) \(item.content.json.text)")
            lines.append(contexts.text(of: item.context))
            lines.append("\(item.context.assumptions) \(String(describing: item.extensionRecord?.rule))")
            lines.append(
                "\(String(describing: item.explanation?.outcome)) \((item.reasons?.trace ?? []).map(\.sentence)) "
                    + "\(item.explanation?.decidedBy ?? -1)")
        }
        for device in devicePage(after: nil, limit: .max).devices {
            let events = events(EventQuery(device: device.name, limit: .max))
            lines.append("\(events.hasGap) \(events.next)")
            lines += events.items.map { event in
                "\(event.number) \(event.at) \(event.kind) \(event.notification ?? 0) \(event.app ?? "") "
                    + "\(JSONValue.object(event.details).sorted.text)"
            }
            let screen = screen(of: device.name, at: .at(0))
            lines.append(
                "\([screen?.lockScreen, screen?.notificationCenter, screen?.nextSummary].map { $0?.map(\.sequence) })")
            lines += appsOnDevice(device.name).map { "\($0)" }
        }
        return lines
    }
}

/// Contexts and other shared values as text, each written once.
struct ContextTexts {
    private var texts: [ObjectIdentifier: String] = [:]

    mutating func text(of context: PolicyContext) -> String {
        text(of: context) { [$0.device.json, $0.settings.json, $0.app.json].map(\.text).joined(separator: " ") }
    }

    mutating func text(of value: Shared<some FieldDescribed>) -> String { text(of: value) { $0.value.json.text } }

    private mutating func text<Value: AnyObject>(of value: Value, _ make: (Value) -> String) -> String {
        if let text = texts[ObjectIdentifier(value)] { return text }
        let text = make(value)
        texts[ObjectIdentifier(value)] = text
        return text
    }
}

extension Phone {
    /// A simulator that loaded this one's snapshot, from JSON.
    func loadedElsewhere() throws -> DeviceSimulator {
        let bytes = try JSONEncoder().encode(simulator.snapshot())
        let other = DeviceSimulator(assumptions: simulator.assumptions, deriveToken: simulator.deriveToken)
        try other.load(JSONTextDecoder.decode(SimulatorSnapshot.self, from: Array(bytes)))
        return other
    }
}
