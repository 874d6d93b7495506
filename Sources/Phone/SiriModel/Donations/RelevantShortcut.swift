package import DeviceModel
package import Fields
package import JSON
package import Time

/// A shortcut with its relevance conditions (`INRelevantShortcut`).
package struct RelevantShortcut: FieldDescribed, Hashable {
    /// With its `class`; a user activity has the class `NSUserActivity`.
    package var intent = JSONValue.null
    package var title: String?
    package var providers: [RelevanceProvider] = []
    /// The widget that it refers to (S1-25).
    package var widgetKind: String?
    package var role = Role.action

    package init() {}

    package enum Role: String, CaseIterable, Codable, Sendable { case action, information }

    package static let fields: [Field<RelevantShortcut>] = [
        Field("intent", \.intent, .anyObject, "The intent, with its class."),
        Field("title", \.title, .optional(.text), "The text on the watch face."),
        Field("providers", \.providers, .list(.object, count: (0...20, "at most 20")), "When it matters."),
        Field("widgetKind", \.widgetKind, .optional(.name), "The widget to show in the Smart Stack then."),
        Field("role", \.role, .word(), "Whether it does or shows something."),
    ]

    package static let checks: [FieldCheck<RelevantShortcut>] = [
        FieldCheck(
            at: "intent", found: "is missing or has no class", remedy: "accepted: an object with class",
            isRequired: true
        ) { $0.intent.intentClass == nil }
    ]
}

/// `INDateRelevanceProvider`, `INLocationRelevanceProvider` or `INDailyRoutineRelevanceProvider`.
package struct RelevanceProvider: FieldDescribed, Hashable {
    package var start: Instant?
    package var end: Instant?
    package var region: Region?
    package var situation: Situation?

    package init() {}

    /// `INDailyRoutineSituation`.
    package enum Situation: String, CaseIterable, Codable, Sendable {
        case morning, evening, home, work, school, gym, commute, headphonesConnected, activeWorkout
        case physicalActivityIncomplete
    }

    package static let fields: [Field<RelevanceProvider>] = [
        Field("start", \.start, .optional(.instant), "When its relevance starts."),
        Field("end", \.end, .optional(.instant), "When its relevance ends; if absent, at the end of the day."),
        Field("region", \.region, .optional(.object), "Where it matters."),
        Field("situation", \.situation, .optional(.word()), "In which part of the daily routine it matters."),
    ]

    package static let checks: [FieldCheck<RelevanceProvider>] = [
        FieldCheck { provider in
            let kinds = [provider.start != nil, provider.region != nil, provider.situation != nil].count { $0 }
            guard kinds != 1 else { return [] }
            return [
                FieldProblem(FieldPath(), "has \(kinds) kinds of relevance", "accepted: start, region or situation")
            ]
        },
        FieldCheck(at: "end", found: "is not after start", remedy: "accepted: a later time") { provider in
            guard let end = provider.end else { return false }
            return provider.start.map { end <= $0 } ?? true
        },
    ]

    /// A provider without an end lasts for the day.
    func holdsDate(at now: Instant, _ calendar: LocalCalendar?) -> Bool {
        guard let start, start <= now else { return false }
        return end.map { now < $0 } ?? (calendar?.day(at: start) == calendar?.day(at: now))
    }

    /// The device recognises only morning, evening, headphones and, by the names of its regions, places.
    func holds(at now: Instant, _ device: DeviceConditions, _ place: DevicePlace) -> Bool {
        if start != nil { return holdsDate(at: now, device.calendar) }
        if let region { return place.distance(outside: region).map { $0 <= 0 } ?? false }
        let minute = device.calendar?.minuteOfDay(at: now) ?? 0
        switch situation {
        case .morning: return (240..<720).contains(minute)
        case .evening: return minute >= 1020
        case .headphonesConnected: return device.audioRoute != .none && device.audioRoute != .homepod
        case .home, .work, .school, .gym, .commute: return place.regions.contains(situation?.rawValue ?? "")
        case .activeWorkout, .physicalActivityIncomplete, nil: return false
        }
    }
}
