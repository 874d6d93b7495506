import APNs
import DeviceModel
import Synchronization
import Testing

@testable import DeviceSimulator

/// Equal inputs at equal moments give equal state and effects.
@Suite struct PurityTests {
    private enum Source: CaseIterable { case anything, locals, activities }

    @Test("a random history on two copies, in turn, gives the same state and effects", arguments: 0..<UInt64(30))
    func isPure(_ seed: UInt64) throws {
        var effects: Set<String> = []
        for source in Source.allCases {
            let phone = try phone(seed, source)
            let (inputs, start) = phone.simulator.store.withLock {
                ($0.tape?.inputs ?? [], $0.momentWithoutTokens(at: .at(0)))
            }
            var copies = [Run(phone, start), Run(phone, start)]
            let surroundings = Surroundings(phone)
            #expect(inputs.count > 10)
            for (number, input) in inputs.enumerated() {
                for index in copies.indices { copies[index].take(input) }
                let comment: Comment = "seed \(seed), \(source), input \(number): \(input)"
                #expect(copies[0].state == copies[1].state, comment)
                try #require(copies[0].outcomes == copies[1].outcomes, comment)
            }
            #expect(Surroundings(phone) == surroundings, "seed \(seed), \(source)")
            effects.formUnion(copies[0].outcomes.map { String($0.prefix { $0 != " " }) })
        }
        #expect(effects.isSuperset(of: ["changed", "fired", "request"]))
    }

    /// A phone with a random history on its tape.
    private func phone(_ seed: UInt64, _ source: Source) throws -> Phone {
        var (generator, random) = (HistoryGenerator(seed: seed), LinearGenerator(state: seed &+ 4000))
        let phone = generator.phone()
        _ = phone.simulator.beginTape()
        var live = LiveHistory(phone, seed)
        for _ in 0..<80 {
            switch source {
            case .anything:
                phone.take(generator.step(on: phone))
                _ = try? phone.perform(generator.donationInput())
            case .locals: phone.happen(&random)
            case .activities: live.happen()
            }
        }
        return phone
    }
}

/// What inputs read besides a device's state, and must not change.
private struct Surroundings: Equatable {
    private let channels: [String: Channel]
    private let revision: UInt32

    init(_ phone: Phone) {
        (channels, revision) = phone.simulator.store.withLock { ($0.channels.channels, $0.catalog.revision) }
    }
}

/// A copy of a phone's state, and what its inputs led to.
private struct Run {
    private let device: Device
    private var now: Moment
    private(set) var state: DeviceState
    private(set) var outcomes: [String] = []

    /// - Parameter now: Of the beginning.
    init(_ phone: Phone, _ now: Moment) {
        device = phone.simulator.store.withLock { $0.devices[Phone.name]! }
        state = DeviceState(conditions: device.state.conditions)
        self.now = Moment(
            time: now.time, catalog: now.catalog, tokens: DeviceTokens(device), lastSequence: 0, isFollowed: true)
    }

    mutating func take(_ record: JournalRecord) {
        do throws(SimulatorError) {
            switch record {
            case .push(let push, let token, let sequence):
                guard let entry = device.registrations.first(where: { $0.token == token }) else { return }
                state.advance(to: now.at(push.receivedAt))
                now.lastSequence = max(state.effects.lastSequence(after: now.lastSequence) + 1, sequence)
                let arrival = Arrival(push, for: entry, sequence: now.lastSequence, push.digest)
                state.receive(
                    arrival, now.catalog.context(of: entry.bundleID, on: state),
                    at: now.at(push.receivedAt).notBefore(state.lastEventAt))
            case .change(.input(let input, _, let at)): try state.reduce(input, at: now.at(at))
            case .change(.registration(let use, _, let at, isFormer: false)):
                state.countToken(of: use.bundleID, at: now.at(at))
            case .change: return
            }
        } catch {
            outcomes.append("refused \(error)")
        }
        now.lastSequence = state.effects.lastSequence(after: now.lastSequence)
        outcomes += state.effects.map(\.text)
        state.effects = []
    }
}

extension StoreEffect {
    fileprivate var text: String {
        switch self {
        case .changed(let notification): "changed \(notification)"
        case .fired(let entry): "fired \(entry.sequence)"
        case .extending(let task): "extending \(task.arrival.sequence) \(task.since)"
        case .gotBroadcast(let channel): "gotBroadcast \(channel)"
        case .request(let request, let at): "request \(request) \(at)"
        }
    }
}
