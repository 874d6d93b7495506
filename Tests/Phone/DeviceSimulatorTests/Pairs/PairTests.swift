import APNs
import DeviceModel
import Testing

@testable import DeviceSimulator

/// What each thing that can happen on a device does while the device is in each condition: the table of pairs.
@Suite struct PairTests {
    enum Condition: String, CaseIterable, Sendable {
        /// The clock runs for an hour; it is set back by 30 s.
        case advanced, setBack
        case off, restarted, offline, focus
        case reset = "reset with keep"
        /// Another device of the same person: what happens there.
        case person = "shared person"
        /// The app's extension has another push meanwhile.
        case extending = "extension running"
        case uninstalled
        /// iOS 15; for a channel, iOS 17, on which an activity can begin.
        case oldOS = "old iOS"
    }

    enum Fate: Sendable, Equatable {
        /// Its event comes at once.
        case happens
        /// Its event comes after the condition has ended.
        case waits
        case never
    }

    struct Row: Sendable {
        let condition: Condition
        let happenings: [PairPhone.Happening]
        let fate: Fate
        let reason: String

        init(_ condition: Condition, _ happenings: [PairPhone.Happening], _ fate: Fate, _ reason: String) {
            (self.condition, self.happenings, self.fate, self.reason) = (condition, happenings, fate, reason)
        }
    }

    /// The cells in which something else than `happens` must hold, with the reason.
    static let exceptions = [
        Row(.off, [.alert, .background, .voip, .widget, .activity, .channel], .waits, "APNs stores it"),
        Row(.off, [.local, .summary], .waits, "what was missed is shown at the start"),
        Row(.off, [.donation, .reservation], .never, "no app runs"),
        Row(.offline, [.alert, .background, .voip, .widget, .activity, .channel], .waits, "APNs stores it"),
        Row(.focus, [.alert], .never, "the Focus silences it, and its end only releases it"),
        Row(.reset, [.local, .summary, .channel], .never, "the pending request, notification or activity is history"),
        Row(
            .person,
            [.alert, .background, .voip, .widget, .activity, .local, .donation, .summary, .channel], .never,
            "a person's devices share reservations only"),
        Row(.uninstalled, [.alert, .background, .voip, .widget, .activity], .never, "APNs answers 410 Unregistered"),
        Row(.uninstalled, [.donation], .never, "an app that is not there cannot donate"),
        Row(.uninstalled, [.local, .summary, .channel], .never, "it went with the app"),
        Row(.oldOS, [.widget], .never, "widget pushes need iOS 26"),
        Row(.oldOS, [.activity], .never, "Live Activities need iOS 16.1"),
        Row(.oldOS, [.channel], .never, "channels need iOS 18"),
    ]

    @Test(
        "every pair of a condition and something that happens", arguments: Condition.allCases,
        PairPhone.Happening.allCases)
    func holds(_ condition: Condition, _ happening: PairPhone.Happening) throws {
        let rows = Self.exceptions.filter { $0.condition == condition && $0.happenings.contains(happening) }
        try #require(rows.count <= 1, "a cell has one row")
        let phone = try PairPhone(happening, onOldOS: condition == .oldOS)
        let device = condition == .person ? PairPhone.tablet : Phone.name
        var before = phone.count(on: device)
        try phone.begin(condition)
        if condition == .reset { before = phone.count(on: device) }
        phone.happen()
        phone.phone.simulator.finishBroadcasts()
        let during = phone.count(on: device) - before
        try phone.end(condition)
        let after = phone.count(on: device) - before
        let fate: Fate? =
            switch (during, after) {
            case (1, 1): .happens
            case (0, 1): .waits
            case (0, 0): .never
            default: nil
            }
        #expect(
            fate == rows.first?.fate ?? .happens, "\(rows.first?.reason ?? "nothing prevents it"): \(during), \(after)")
    }
}
