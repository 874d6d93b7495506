/// The Focus modes of a device, and which of them is on.
package struct FocusSettings: Sendable, Hashable {
    /// The identifier of the mode that is on; nil for none.
    package var active: String?
    /// All modes, in the person's order.
    package var modes: [Focus] = []

    /// No modes.
    package init() {}

    /// The mode that is on.
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

    /// What kind of Focus it is.
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

    /// Whose calls ring.
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

    /// On which days it starts.
    package enum Days: String, CaseIterable, Sendable {
        case everyDay, weekdays, weekends, monday, tuesday, wednesday, thursday, friday, saturday, sunday
    }
}

/// A Focus filter of an app: which `filter-criteria` get through.
package struct FocusFilter: Sendable, Hashable {
    /// The app.
    package var bundleID = ""
    /// The criteria that get through.
    package var allowedCriteria: [String] = []

    package init() {}
}
