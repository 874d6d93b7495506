import APNs
import DeviceModel
import JSON
import LiveModel
import SiriModel
import Synchronization
import Time

@testable import DeviceSimulator

/// Invariants of a step, checked on the states before and after it.
struct Invariants {
    private let before: DeviceState
    private let after: DeviceState
    private let phone: Phone
    private let step: HistoryGenerator.Step
    /// Events of this step.
    private let news: [EventLog.Entry]
    /// Apps without notification permission.
    private let denied: [String]
    /// Notifications delivered in this step.
    private let delivered: [InboxEntry]

    init(before: DeviceState, phone: Phone, step: HistoryGenerator.Step) {
        (self.before, self.phone, self.step) = (before, phone, step)
        after = phone.state
        denied = phone.simulator.appsOnDevice(Phone.name).filter { !$0.settings.allowsAnything }.map(\.app.bundleID)
        news = Array(after.eventLog.entries(after: UInt64(before.lastEvent)))
        delivered = after.inbox.items.filter { $0.state == .delivered && $0.deliveryEvent > before.lastEvent }
    }

    /// The violated invariants.
    func problems() -> [String] {
        var problems: [String] = []
        for (name, check) in checks where !check { problems.append(name) }
        return problems
    }

    private var checks: [(String, Bool)] {
        [
            ("something is due in the past", after.nextDue > phone.now),
            ("the queue wakes the device too late", (phone.simulator.nextDue ?? .never) <= after.nextDue),
            ("the lock screen has a list while unlocked", after.conditions.value.isLocked || !has(.lockScreen)),
            (
                "a Focus holds something back although none is on",
                after.conditions.value.focus.active != nil || !after.conditions.value.isPoweredOn || !has(.withheld)
            ),
            ("a push is in no state, or in two", hasOneStateEach()),
            ("a terminal state changed", keepsTerminalStates()),
            ("more than one push of a topic waits", holdsOnePerTopic()),
            ("the summary's list is wrong", agreesOnSummary()),
            ("something deferred got lost", losesNothingDeferred()),
            ("a lost notification was shown", after.shownLater.keys.allSatisfy { after.inbox.index(of: $0) != nil }),
            ("a denied app shows something", showsNothingDenied()),
            ("a critical alert is silent", soundsCriticalAlerts()),
            ("a badge changed without a rule", changesBadgesByRule()),
            ("the explanation is of another decision", explainsWhatHappened()),
            ("a refused act changed something", refusesWithoutChange()),
            ("a device that is off did something", restsWhileOff()),
            ("something of an uninstalled app is left", leavesNothingOfUninstalled()),
        ]
    }

    private func has(_ place: Places) -> Bool { after.inbox.items.contains { $0.places.contains(place) } }

    private func isAllowed(_ app: String) -> Bool { !denied.contains(app) }

    // MARK: Pushes

    private func hasOneStateEach() -> Bool {
        let stored = after.inbox.items.filter { $0.state.kind == .stored }.map(\.sequence)
        let counts = after.counts
        return Set(stored) == Set(after.stored.map(\.arrival.sequence)) && stored.count == after.stored.count
            && after.inbox.items.filter { $0.state == .accepted }.map(\.sequence)
                == after.extending.map(\.arrival.sequence).sorted()
            && counts.received == counts.delivered + counts.discarded + stored.count + after.extending.count
            && phone.simulator.counters.counts.delivered == counts.delivered
    }

    private func keepsTerminalStates() -> Bool {
        before.inbox.items.allSatisfy { old in
            guard old.state.kind == .delivered || old.state.kind == .discarded else { return true }
            guard let place = after.inbox.index(of: old.sequence) else { return false }
            return after.inbox[place].state == old.state && after.inbox[place].deliveryEvent == old.deliveryEvent
        }
    }

    private func holdsOnePerTopic() -> Bool {
        let places = after.stored.map { waiting in
            let arrival = waiting.arrival
            let place = after.inbox.index(of: arrival.sequence).map { after.inbox[$0].state }
            // APNs stores one, and the device may hold back an earlier one.
            return [arrival.topic, arrival.subject.map { "\($0)" } ?? "", "\(place == .stored(.backgroundBudget))"]
        }
        return !phone.simulator.assumptions.storesOnePerApp || Set(places).count == places.count
    }

    // MARK: Scheduled summary

    private func agreesOnSummary() -> Bool {
        let placed = after.inbox.items.filter { $0.places.contains(.nextSummary) }
        return placed.map(\.sequence) == after.summary.items.map(\.sequence).sorted()
            && placed.allSatisfy { !$0.places.isListed }
            && (placed.isEmpty || !after.conditions.value.isPoweredOn
                || after.summary.dueAt == after.conditions.value.nextSummary(after: phone.now))
    }

    private func losesNothingDeferred() -> Bool {
        let waiting = Set(after.summary.items.map(\.sequence))
        let told = Set(news.flatMap(\.notifications))
        return before.summary.items.allSatisfy { item in
            waiting.contains(item.sequence) || told.contains(item.sequence) || !isAllowed(item.app)
        }
    }

    // MARK: What is shown

    private func showsNothingDenied() -> Bool {
        for item in delivered where !item.context.settings.allowsAnything {
            guard item.kind != .alert || item.presentation.isEmpty, !item.places.isPresent else { return false }
        }
        return after.inbox.items.allSatisfy { !$0.places.isPresent || isAllowed($0.bundleID) }
    }

    private func soundsCriticalAlerts() -> Bool {
        delivered.filter { $0.kind == .alert }.allSatisfy { item in
            let traits = phone.simulator.notification(item.sequence)!.content.traits
            let context = item.context
            guard traits.level == .critical || traits.sound == .critical, context.app.has(.criticalAlerts),
                context.settings.criticalAlert == .enabled, context.settings.allowsAnything,
                item.timing == .now
            else { return item.level != .critical || item.timing != .now }
            return item.level == .critical && item.presentation.contains(.sound) == (traits.sound != .none)
        }
    }

    private func explainsWhatHappened() -> Bool {
        delivered.filter { $0.kind == .alert }.allSatisfy { item in
            let push = phone.simulator.notification(item.sequence)!.push
            let inputs = item.inputs(push, after.extended[item.sequence]?.record?.value)
            return inputs.map { MadeDecision($0, last: nil).outcome } == item.outcome
        }
    }

    // MARK: Badges

    private func changesBadgesByRule() -> Bool {
        [Phone.chat, HistoryGenerator.mail].allSatisfy { app in
            var changes: [(number: UInt64, badge: Int)] = []
            for item in delivered where item.bundleID == app && item.presentation.contains(.badge) {
                changes.append((item.deliveryEvent, phone.simulator.notification(item.sequence)!.content.badge!))
            }
            for entry in news {
                if case .effect(.badge, _, app, let details) = entry.content,
                    case .integer(let count) = details["count"]
                {
                    changes.append((entry.number, count))
                }
            }
            let last = changes.max { $0.number < $1.number }
            return (after.app(app)?.badge ?? 0) == last?.badge ?? before.app(app)?.badge ?? 0
        }
    }

    // MARK: Acts

    private func restsWhileOff() -> Bool {
        guard !before.conditions.value.isPoweredOn else { return true }
        return switch step {
        case .time: news.isEmpty && after.conditions == before.conditions
        case .act: after == before
        // Its answer waits, donations included.
        case .extended: news.allSatisfy { if case .extended = $0.content { true } else { false } }
        case .conditions, .settings: after.conditions.value.isPoweredOn || news.allSatisfy(\.isOfOffDevice)
        case .push: true
        }
    }

    private func leavesNothingOfUninstalled() -> Bool {
        let isGone = after.uninstalled.allSatisfy {
            !after.live.has($0) && !after.siri.has($0) && after.conditions.value.foregroundApp != $0
        }
        guard isGone else { return false }
        guard case .act(.uninstall(let app)) = step, !news.isEmpty else { return true }
        return after.app(app) == nil && !after.stored.contains { $0.arrival.bundleID == app }
            && !after.extending.contains { $0.arrival.bundleID == app }
            && !after.inbox.items.contains {
                $0.bundleID == app && ($0.places.isPresent || $0.places.contains(.banner))
            }
            && !phone.simulator.device(named: Phone.name)!.registrations.contains {
                $0.status == .active && $0.topic.hasPrefix(app)
            }
    }

    private func refusesWithoutChange() -> Bool {
        guard case .act(let act) = step, !news.contains(where: { $0.content == .act(act) }) else { return true }
        var untouched = before
        untouched.advance(to: phone.moment())
        return after == untouched
    }
}

extension EventLog.Entry {
    /// The notifications that the event names.
    fileprivate var notifications: [UInt64] {
        guard case .effect(let kind, let notification, _, let details) = content else { return [] }
        if let notification { return [notification] }
        guard kind == .summaryDelivered, case .array(let values) = details["notifications"] else { return [] }
        return values.compactMap { if case .integer(let number) = $0 { UInt64(number) } else { nil } }
    }
}

extension EventLog.Entry {
    /// Whether it happens without power: the person or a test changes something, and only lists change.
    fileprivate var isOfOffDevice: Bool {
        switch content {
        case .conditions, .settings: true
        case .effect(let kind, _, _, _): [.focusStarted, .focusEnded, .removed].contains(kind)
        case .act, .extended, .broadcast: false
        }
    }
}
