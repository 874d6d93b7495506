package import Fields
package import JSON

/// A local notification that an app schedules (`UNNotificationRequest`).
package struct LocalRequest: FieldDescribed, Hashable {
    package var app = ""
    package var identifier = ""
    package var content = NotificationContent()
    /// nil to deliver it at once.
    package var trigger: LocalTrigger?

    package init() {}

    package init(app: String, identifier: String, content: NotificationContent, trigger: LocalTrigger? = nil) {
        (self.app, self.identifier, self.content, self.trigger) = (app, identifier, content, trigger)
    }

    /// What events say about it.
    package var details: JSONObject { ["identifier": .string(identifier)] }

    package static let longestIdentifier = 256

    package static let fields: [Field<LocalRequest>] = [
        Field("app", \.app, .topic, "The app's bundle identifier.").required,
        Field(
            "identifier", \.identifier, .localIdentifier,
            "Replaces the pending request, and when it fires the delivered notification, with this identifier."
        ).required,
        Field("content", \.content, .object, "What is shown."),
        Field("trigger", \.trigger, .optional(.localTrigger), "When it fires; absent for at once."),
    ]
}

/// When a local notification fires.
package enum LocalTrigger: Sendable, Hashable {
    case interval(milliseconds: Int64, repeats: Bool)
    case calendar(DatePattern, repeats: Bool)
    case location(Region, repeats: Bool)

    package var repeats: Bool {
        switch self {
        case .interval(_, let repeats), .calendar(_, let repeats), .location(_, let repeats): repeats
        }
    }

    package var region: Region? { if case .location(let region, _) = self { region } else { nil } }
}

extension FieldFormat {
    fileprivate static var localIdentifier: FieldFormat<String> {
        text("a text of 1 to \(LocalRequest.longestIdentifier) bytes", form: .filled) {
            (1...LocalRequest.longestIdentifier).contains($0.utf8.count)
        }
    }

    package static var localTrigger: FieldFormat<LocalTrigger> {
        FieldFormat<TriggerMembers>.object.converted(to: \.trigger, from: { TriggerMembers($0) })
    }
}

/// The JSON form of a trigger.
private struct TriggerMembers: FieldDescribed {
    enum Kind: String, CaseIterable { case timeInterval, calendar, location }

    var type: Kind?
    var repeats = false
    /// In seconds.
    var timeInterval: Double?
    var dateComponents: DatePattern?
    var region: Region?

    init() {}

    init(_ trigger: LocalTrigger) {
        repeats = trigger.repeats
        switch trigger {
        case .interval(let milliseconds, _): (type, timeInterval) = (.timeInterval, Double(milliseconds) / 1000)
        case .calendar(let pattern, _): (type, dateComponents) = (.calendar, pattern)
        case .location(let region, _): (type, self.region) = (.location, region)
        }
    }

    var trigger: LocalTrigger? {
        switch type {
        case .timeInterval:
            timeInterval.map { .interval(milliseconds: Int64(max(1, ($0 * 1000).rounded())), repeats: repeats) }
        case .calendar: dateComponents.map { .calendar($0, repeats: repeats) }
        case .location: region.map { .location($0, repeats: repeats) }
        case nil: nil
        }
    }

    /// A hundred years, in seconds.
    private static let longestInterval = 100.0 * 366 * 86400

    static let fields: [Field<TriggerMembers>] = [
        Field("type", \.type, .optional(.word()), "What fires it."),
        Field("repeats", \.repeats, .flag, "Whether it fires repeatedly."),
        Field(
            "timeInterval", \.timeInterval, .optional(.number(in: 0...longestInterval)),
            "Seconds until it fires, above 0; 60 or more if it repeats."),
        Field("dateComponents", \.dateComponents, .optional(.object), "The parts of the date that must match."),
        Field("region", \.region, .optional(.object), "The region that the device must enter or leave."),
    ]

    static let checks: [FieldCheck<TriggerMembers>] = [
        FieldCheck(requires: "type") { members in
            let given: [(Kind, Bool)] = [
                (.timeInterval, members.timeInterval != nil), (.calendar, members.dateComponents != nil),
                (.location, members.region != nil),
            ]
            guard let type = members.type else {
                return [
                    FieldProblem(
                        FieldPath().member("type"), "is missing", "accepted: timeInterval, calendar or location")
                ]
            }
            guard given.allSatisfy({ ($0.0 == type) == $0.1 }) else {
                let name = [Kind.timeInterval: "timeInterval", .calendar: "dateComponents"][type] ?? "region"
                return [
                    FieldProblem(
                        FieldPath().member(name), "is missing or not alone", "accepted with type \(type): \(name) only")
                ]
            }
            return []
        },
        // N1.
        FieldCheck(
            at: "timeInterval", found: "is 0, for which UNTimeIntervalNotificationTrigger traps",
            remedy: "accepted: seconds above 0"
        ) { $0.timeInterval == 0 },
        FieldCheck(
            at: "timeInterval",
            found: "is below 60 and repeats, for which UNTimeIntervalNotificationTrigger traps (local.repeat60)",
            remedy: "accepted: 60 or more, or repeats false"
        ) { $0.repeats && $0.timeInterval.map { $0 < 60 } ?? false },
        // N25.
        FieldCheck(
            at: "dateComponents", found: "is empty: UNError 1400, notificationInvalidNoDate",
            remedy: "accepted: at least one component of a date or a time"
        ) { $0.dateComponents?.isEmpty ?? false },
        FieldCheck(
            at: "region", found: "notifies neither on entry nor on exit", remedy: "accepted: one of them, or both"
        ) { $0.region.map { !$0.notifyOnEntry && !$0.notifyOnExit } ?? false },
    ]
}

/// A local notification that has fired.
package struct LocalNotification: Hashable, Codable, Sendable {
    package var bundleID: String
    package var identifier: String
    package var content: NotificationContent

    package init(_ request: LocalRequest) {
        (bundleID, identifier, content) = (request.app, request.identifier, request.content)
    }
}
