package import APNs

/// The Focus modes of a device, and which of them is on.
package struct FocusSettings: Sendable, Hashable {
    /// The identifier of the mode that is on; nil for none.
    package var active: String?
    /// All modes, in the person's order.
    package var modes: [Focus] = []

    package init() {}

    package var activeMode: Focus? { active.flatMap { id in modes.first { $0.id == id } } }
}

/// A Focus: what may interrupt while it is on.
package struct Focus: Sendable, Hashable {
    /// Its name in API and traces, such as `work`.
    package var id = ""
    /// Its name for people; empty shows the identifier.
    package var name = ""
    package var kind = Kind.custom
    /// Whose notifications get through: `contact:ID` or `person:BUNDLE/ID`.
    package var people = Selection()
    /// Which apps get through: bundle identifiers.
    package var apps = Selection()
    /// Whether Time Sensitive notifications get through.
    package var allowsTimeSensitive = true
    /// Apps whose Time Sensitive notifications do not, although others' do.
    package var timeSensitiveOptOutApps: [String] = []
    package var allowsCallsFrom = CallScope.allowedPeople
    /// Whether a second call within three minutes gets through.
    package var allowsRepeatedCalls = true
    /// Whether silenced notifications show on the lock screen.
    package var showsOnLockScreen = false
    package var dimsLockScreen = false
    package var hidesBadges = false
    package var sharesStatus = true
    /// When it switches itself on and off.
    package var schedule: [FocusSchedule] = []
    /// What apps filter while it is on.
    package var filters: [FocusFilter] = []

    /// A Focus that lets nothing through but Time Sensitive notifications.
    package init() {}

    package enum Kind: String, CaseIterable, Sendable {
        case work, sleep, reading, driving, personal, dnd, custom
    }

    /// People or apps, named or all but the named.
    package struct Selection: Sendable, Hashable {
        package var mode = Mode.allow
        package var ids: [String] = []

        /// Nobody.
        package init() {}

        /// `allow`: only the named; `silence`: all but the named.
        package enum Mode: String, CaseIterable, Sendable {
            case allow, silence
        }

        /// Whether an identifier gets through.
        package func allows(_ id: String) -> Bool { ids.contains(id) == (mode == .allow) }
    }

    package enum CallScope: String, CaseIterable, Sendable {
        case everyone, allowedPeople, favorites, contacts, nobody
    }
}

/// When a Focus is on by itself, in the device's time zone.
package struct FocusSchedule: Sendable, Hashable {
    package var days = Days.everyDay
    package var from = WallTime(hour: 9, minute: 0)
    /// Before `from`, it is on the next day.
    package var to = WallTime(hour: 17, minute: 0)

    package init() {}

    package enum Days: String, CaseIterable, Sendable {
        case everyDay, weekdays, weekends, monday, tuesday, wednesday, thursday, friday, saturday, sunday
    }
}

/// A Focus filter of an app: which `filter-criteria` get through.
package struct FocusFilter: Sendable, Hashable {
    package var bundleID = ""
    /// The criteria that get through.
    package var allowedCriteria: [String] = []

    package init() {}
}

extension FocusFilter {
    /// Whether a notification with these criteria gets through (B.2 F2; Apple, "Focus filters", WWDC22).
    ///
    /// - Parameter criteria: the notification's `filter-criteria`; without any it is not filtered (Assumption).
    package func allows(_ criteria: String?) -> Bool { criteria.map(allowedCriteria.contains) ?? true }
}

extension Focus {
    /// Whether the Focus filters of an app let a notification through; of several filters one is enough.
    ///
    /// - Parameters:
    ///   - criteria: the notification's `filter-criteria`.
    ///   - bundleID: the app it is for; another app's filters do not count.
    package func filtersAllow(_ criteria: String?, of bundleID: String) -> Bool {
        guard let criteria else { return true }
        var isFiltered = false
        for filter in filters where filter.bundleID == bundleID {
            if filter.allows(criteria) { return true }
            isFiltered = true
        }
        return !isFiltered
    }
}

/// A moment at which the schedules want another Focus on than before.
package struct FocusChange: Sendable, Hashable {
    package var at: Instant
    /// The mode they wanted until then; nil for none.
    package var from: String?
    /// The mode they want from then on; nil for none.
    package var to: String?
    /// Whether `to` starts at this instant, rather than coming to light because another one ends.
    package var isStart: Bool

    package init(at: Instant, from: String?, to: String?, isStart: Bool) {
        self.at = at
        self.from = from
        self.to = to
        self.isStart = isStart
    }

    /// The mode that is on afterwards.
    ///
    /// Assumption: a start takes over whatever is on; an end switches off its own mode only. So a mode that the
    /// person switched on stays when another one's time is over, and one switched off stays off until its next start.
    ///
    /// - Parameter active: the mode that is on before; nil for none.
    package func active(following active: String?) -> String? { isStart || active == from ? to : active }
}
