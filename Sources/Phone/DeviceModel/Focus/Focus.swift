package import Fields
internal import JSON
package import Time

/// A device's Focus modes and the active one.
package struct FocusSettings: FieldDescribed, Hashable {
    package var active: String? { didSet { if active != oldValue { until = nil } } }
    package var until: Instant?
    package var modes: [Focus] = []

    package init() {}

    /// Applies a scheduled change: turns a mode on, or all off.
    package mutating func follow(_ id: String?, at now: Instant) {
        active = id
        if let until, until <= now { self.until = nil }
    }

    package var activeMode: Focus? { active.flatMap { id in modes.first { $0.id == id } } }

    private static let maximumModeCount = 20

    package var canDoNotDisturb: Bool {
        modes.count < Self.maximumModeCount || modes.contains { $0.kind == .dnd }
    }

    /// The identifier of the mode Do Not Disturb, which every device has; adds the mode if it is missing.
    package mutating func doNotDisturb() -> String {
        if let mode = modes.first(where: { $0.kind == .dnd }) { return mode.id }
        var mode = Focus()
        (mode.name, mode.kind) = ("Do Not Disturb", .dnd)
        let ids = ["dnd"] + (2...Self.maximumModeCount + 1).map { "dnd-\($0)" }
        mode.id = ids.first { id in !modes.contains { $0.id == id } } ?? "dnd"
        modes.append(mode)
        return mode.id
    }

    package static let fields: [Field<FocusSettings>] = [
        Field("active", \.active, .optional(.name), "The identifier of the active mode; absent without one."),
        Field(
            "until", \.until, .optional(.instant),
            "When the active mode ends, at once if it is past; absent if the person or a schedule ends it."),
        Field(
            "modes", \.modes, .list(.object, count: (0...maximumModeCount, "at most \(maximumModeCount)")),
            "All modes, in the person's order."),
    ]

    package static let checks: [FieldCheck<FocusSettings>] = [
        .unique("modes", \.modes, by: "id", \.id),
        FieldCheck(at: "until", found: "is set without an active mode", remedy: "set active, too") {
            $0.until != nil && $0.active == nil
        },
        FieldCheck { focus in
            guard let active = focus.active, focus.activeMode == nil else { return [] }
            let ids = focus.modes.map(\.id)
            let modes = ids.isEmpty ? "there are no modes" : "the modes are \(ids.joined(separator: ", "))"
            let hint = NearestName.of(active, among: ids).map { "; did you mean \($0)?" } ?? ""
            return [
                FieldProblem(
                    FieldPath().member("active"), "is \(JSONValue.string(active).words)",
                    "accepted: the id of a mode, or null; \(modes)\(hint)")
            ]
        },
    ]
}

package struct Focus: FieldDescribed, Hashable {
    package var id = ""
    package var name = ""
    package var kind = Kind.custom
    package var people = Selection()
    package var apps = Selection()
    package var allowsTimeSensitive = true
    package var timeSensitiveOptOutApps: [String] = []
    package var allowsCallsFrom = CallScope.allowedPeople
    package var allowsRepeatedCalls = true
    package var showsOnLockScreen = false
    package var dimsLockScreen = false
    package var hidesBadges = false
    package var sharesStatus = true
    package var schedule: [FocusSchedule] = []
    package var filters: [FocusFilter] = []

    /// Lets only Time Sensitive notifications through.
    package init() {}

    package var shownName: String { name.isEmpty ? id : name }

    package enum Kind: String, CaseIterable, Sendable { case work, sleep, reading, driving, personal, dnd, custom }

    /// People or apps.
    package struct Selection: FieldDescribed, Hashable {
        package var mode = Mode.allow
        package var ids: [String] = []

        package init() {}

        /// `allow` admits only the named ones; `silence` admits all others.
        package enum Mode: String, CaseIterable, Sendable { case allow, silence }

        package func allows(_ id: String) -> Bool { ids.contains(id) == (mode == .allow) }

        package mutating func allow(_ id: String) {
            ids.removeAll { $0 == id }
            if mode == .allow { ids.append(id) }
        }

        package static let fields: [Field<Selection>] = [
            Field("mode", \.mode, .word(), "allow: only these; silence: all but these."),
            Field("ids", \.ids, .list(.name), "The people or apps."),
        ]
    }

    package enum CallScope: String, CaseIterable, Sendable { case everyone, allowedPeople, favorites, contacts, nobody }

    package static let fields: [Field<Focus>] = [
        Field("id", \.id, .name, "Its identifier in API and traces.").required,
        Field("name", \.name, .text, "Its name for people; if empty, the identifier."),
        Field("kind", \.kind, .word(), "What kind of Focus it is."),
        Field("people", \.people, .object, "The people who get through: contact:ID or person:BUNDLE/ID."),
        Field("apps", \.apps, .object, "The apps that get through: bundle identifiers."),
        Field("allowsTimeSensitive", \.allowsTimeSensitive, .flag, "Whether Time Sensitive notifications get through."),
        Field("timeSensitiveOptOutApps", \.timeSensitiveOptOutApps, .list(.name), "Apps that are exempt from it."),
        Field("allowsCallsFrom", \.allowsCallsFrom, .word(), "Whose calls get through."),
        Field("allowsRepeatedCalls", \.allowsRepeatedCalls, .flag, "Whether a repeated call gets through."),
        Field("showsOnLockScreen", \.showsOnLockScreen, .flag, "Whether the lock screen shows silenced ones."),
        Field("dimsLockScreen", \.dimsLockScreen, .flag, "Whether the lock screen is dimmed."),
        Field("hidesBadges", \.hidesBadges, .flag, "Whether badges are hidden."),
        Field("sharesStatus", \.sharesStatus, .flag, "Whether apps may learn that notifications are silenced."),
        Field(
            "schedule", \.schedule, .list(.object, count: (0...20, "at most 20")), "When it turns itself on and off."),
        Field("filters", \.filters, .list(.object), "The Focus filters of apps."),
    ]

    package static let checks: [FieldCheck<Focus>] = [
        FieldCheck { focus in
            focus.people.ids.enumerated().compactMap { index, id in
                guard !id.hasPrefix("contact:"), !id.hasPrefix("person:") else { return nil }
                return FieldProblem(
                    FieldPath().member("people").member("ids").element(index), "is \(JSONValue.string(id).words)",
                    "accepted: contact:ID, or person:BUNDLE/ID for a person who is not a contact")
            }
        }
    ]
}

/// When a Focus turns itself on, in the device's time zone.
package struct FocusSchedule: FieldDescribed, Hashable {
    package var days = Days.everyDay
    package var from = WallTime(hour: 9, minute: 0)
    package var to = WallTime(hour: 17, minute: 0)

    package init() {}

    package enum Days: String, CaseIterable, Sendable {
        case everyDay, weekdays, weekends, monday, tuesday, wednesday, thursday, friday, saturday, sunday
    }

    package static let fields: [Field<FocusSchedule>] = [
        Field("days", \.days, .word(), "The days on which it starts."),
        Field("from", \.from, .wallTime, "When it starts, in the device's time zone."),
        Field("to", \.to, .wallTime, "When it ends; if not after from, on the next day."),
    ]
}

/// An app's Focus filter: the `filter-criteria` it admits.
package struct FocusFilter: FieldDescribed, Hashable {
    package var bundleID = ""
    package var allowedCriteria: [String] = []

    package init() {}

    package static let fields: [Field<FocusFilter>] = [
        Field("bundleId", \.bundleID, .name, "The app with the filter.").required,
        Field("allowedCriteria", \.allowedCriteria, .list(.text), "The filter-criteria that get through."),
    ]
}
