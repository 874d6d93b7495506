/// The Focus modes of a device, and which of them is on.
public struct FocusSettings: Sendable, Hashable {
    /// The identifier of the mode that is on; nil for none.
    public var active: String?
    /// All modes, in the person's order.
    public var modes: [Focus] = []

    /// No modes.
    public init() {}

    /// The mode that is on.
    public var activeMode: Focus? { active.flatMap { id in modes.first { $0.id == id } } }
}

/// A Focus: what may interrupt while it is on.
public struct Focus: Sendable, Hashable {
    /// Its name in API and traces, such as `work`.
    public var id = ""
    /// Its name for people; empty shows the identifier.
    public var name = ""
    public var kind = Kind.custom
    /// Whose notifications get through: `contact:ID` or `person:BUNDLE/ID`.
    public var people = Selection()
    /// Which apps get through: bundle identifiers.
    public var apps = Selection()
    /// Whether Time Sensitive notifications get through.
    public var allowsTimeSensitive = true
    /// Apps whose Time Sensitive notifications do not, although others' do.
    public var timeSensitiveOptOutApps: [String] = []
    public var allowsCallsFrom = CallScope.allowedPeople
    /// Whether a second call within three minutes gets through.
    public var allowsRepeatedCalls = true
    /// Whether silenced notifications show on the lock screen.
    public var showsOnLockScreen = false
    public var dimsLockScreen = false
    public var hidesBadges = false
    public var sharesStatus = true
    /// When it switches itself on and off.
    public var schedule: [FocusSchedule] = []
    /// What apps filter while it is on.
    public var filters: [FocusFilter] = []

    /// A Focus that lets nothing through but Time Sensitive notifications.
    public init() {}

    /// What kind of Focus it is.
    public enum Kind: String, CaseIterable, Sendable {
        case work, sleep, reading, driving, personal, dnd, custom
    }

    /// People or apps, named or all but the named.
    public struct Selection: Sendable, Hashable {
        public var mode = Mode.allow
        public var ids: [String] = []

        /// Nobody.
        public init() {}

        /// `allow`: only the named; `silence`: all but the named.
        public enum Mode: String, CaseIterable, Sendable {
            case allow, silence
        }

        /// Whether an identifier gets through.
        public func allows(_ id: String) -> Bool { ids.contains(id) == (mode == .allow) }
    }

    /// Whose calls ring.
    public enum CallScope: String, CaseIterable, Sendable {
        case everyone, allowedPeople, favorites, contacts, nobody
    }
}

/// When a Focus is on by itself, in the device's time zone.
public struct FocusSchedule: Sendable, Hashable {
    public var days = Days.everyDay
    public var from = WallTime(hour: 9, minute: 0)
    /// Before `from`, it is on the next day.
    public var to = WallTime(hour: 17, minute: 0)

    public init() {}

    /// On which days it starts.
    public enum Days: String, CaseIterable, Sendable {
        case everyDay, weekdays, weekends, monday, tuesday, wednesday, thursday, friday, saturday, sunday
    }
}

/// A Focus filter of an app: which `filter-criteria` get through.
public struct FocusFilter: Sendable, Hashable {
    /// The app.
    public var bundleID = ""
    /// The criteria that get through.
    public var allowedCriteria: [String] = []

    public init() {}
}
