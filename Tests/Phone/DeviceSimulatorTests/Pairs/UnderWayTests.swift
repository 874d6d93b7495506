import DeviceModel
import LiveModel
import TestSupport
import Testing

@testable import DeviceSimulator

/// What becomes of something under way on a device when a condition comes: of a push at its service extension, a call that
/// rings, a reservation and a broadcast that have reached none of their devices.
@Suite struct UnderWayTests {
    enum Happening: String, CaseIterable, Sendable {
        case extending = "push at its extension"
        case ringing = "ringing call"
        case sharing = "reservation on its way"
        case broadcast = "broadcast on its way"

        fileprivate var pair: PairPhone.Happening {
            switch self {
            case .extending: .alert
            case .ringing: .voip
            case .sharing: .reservation
            case .broadcast: .channel
            }
        }
    }

    /// The cells in which it does not go on, with the reason.
    static let exceptions: [(condition: PairTests.Condition, happenings: [Happening], fate: PairTests.Fate, String)] = [
        (.off, [.extending], .waits, "the content is shown at the next start"),
        (.off, [.broadcast], .waits, "APNs stores it"),
        (.offline, [.broadcast], .waits, "APNs stores it"),
        (.off, [.ringing], .never, "the call ends with the phone"),
        (.restarted, [.ringing], .never, "the call ends with the phone"),
        (.advanced, [.ringing], .never, "nobody answers"),
        (.focus, [.extending], .never, "the Focus silences it, and its end only releases it"),
        (.reset, [.extending, .ringing, .sharing, .broadcast], .never, "it is history"),
        (.uninstalled, [.extending, .ringing, .broadcast], .never, "it went with the app"),
        (.oldOS, [.broadcast], .never, "channels need iOS 18"),
    ]

    @Test(
        "every pair of a condition and something under way", arguments: PairTests.Condition.allCases,
        Happening.allCases)
    func holds(_ condition: PairTests.Condition, _ happening: Happening) throws {
        let rows = Self.exceptions.filter { $0.condition == condition && $0.happenings.contains(happening) }
        try #require(rows.count <= 1, "a cell has one row")
        let way = try UnderWay(happening, onOldOS: condition == .oldOS)
        try way.pair.begin(condition)
        if condition == .reset { way.forgetEvents() }
        way.goOn()
        let during = way.isSeen
        try way.pair.end(condition)
        let fate: PairTests.Fate = during ? .happens : way.isSeen ? .waits : .never
        #expect(fate == rows.first?.fate ?? .happens, "\(rows.first?.3 ?? "nothing prevents it")")
    }
}

private final class UnderWay {
    let pair: PairPhone
    private let happening: UnderWayTests.Happening
    private var notification: UInt64 = 0
    private var before = 0

    init(_ happening: UnderWayTests.Happening, onOldOS: Bool) throws {
        self.happening = happening
        pair = try PairPhone(happening.pair, onOldOS: onOldOS)
        switch happening {
        case .extending: notification = pair.phone.alert("Hello", #""mutable-content":1"#)
        case .ringing: pair.happen()
        case .sharing, .broadcast:
            // More than what happens at once.
            for number in 0..<70 {
                let name = "Device \(100 + number)"
                // Never on an old iOS.
                pair.phone.add(name) { $0 = .with { $0.person = happening == .sharing ? "maria" : nil } }
                if happening == .broadcast { try pair.follow(on: name) }
            }
            pair.happen()
        }
        forgetEvents()
    }

    func forgetEvents() { before = count }

    private var device: String { happening == .sharing ? PairPhone.tablet : Phone.name }

    private var count: Int {
        pair.phone.simulator.events(EventQuery(device: device, kinds: [happening.pair.event], limit: .max)).items.count
    }

    /// A call is seen as long as it rings.
    var isSeen: Bool {
        happening == .ringing ? pair.phone.state.live.services[Phone.chat].settings.call == .ringing : count > before
    }

    func goOn() {
        let phone = pair.phone
        switch happening {
        case .extending: phone.answer(notification) { $0.title = "Hello" }
        case .ringing: break
        case .sharing, .broadcast: phone.simulator.finishBroadcasts()
        }
    }
}
