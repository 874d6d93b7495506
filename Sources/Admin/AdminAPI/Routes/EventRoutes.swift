internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import HTTPTypes
internal import HummingbirdCore
internal import JSON
internal import Queries
internal import Time
internal import Webhooks

/// Acts of people and apps on a device, and its event log.
extension AdminAPI {
    var actionEndpoint: Endpoint {
        Endpoint(
            .post, "/devices/{name}/actions", .events, "Perform an act of the person or an app", id: "act",
            about: """
                An act that is impossible now is rejected with 409, one that is always impossible with 400; then
                nothing changes. A device that is switched off rejects every act.
                """,
            body: .required("Act"), answers: [.ok("The resulting events, oldest first.", "Events")],
            errors: [404, 409]
        ) { request in
            let device = try self.device(request)
            let act = try ActForm.act(try await request.object(accepting: ActForm.fields))
            defer { if case .uninstall = act { gateway.cancelForgottenExtensions() } }
            let events = try gateway.simulator.perform(act, on: device.name, at: gateway.now())
            return Response(EventsAnswer(events: events.map { EventAnswer($0) }))
        }
    }

    var eventEndpoint: Endpoint {
        Endpoint(
            .get, "/devices/{name}/events", .events, "A device's events, oldest first; can wait for more",
            id: "events",
            about: """
                With `wait`, answers as soon as `count` events after `since` match, or when the time is over. A
                device's `eventCount` is the number of its newest event.
                """,
            answers: [.ok("A page of events.", .of(EventsAnswer.self))], errors: [404],
            query: ["since", "kind", "notification", RequestQuery.condition, "limit", "wait", "count"]
        ) { request in
            let device = try self.device(request)
            let conditions = try request.query.query(roots(.events))
            var query = EventQuery(
                device: device.name, kinds: try request.query.choices("kind") ?? [],
                notification: try request.query.integer("notification", in: 1...UInt64.max),
                since: try request.since(), limit: try request.limit())
            if !conditions.isEmpty { query.condition = { conditions.matches($0.document(on: device.name)) } }
            return try await request.list(
                now: { gateway.simulator.events(query) },
                wait: { [query] in await gateway.simulator.waitForEvents(query, count: $0, timeout: $1) },
                answer: { page, outcome in
                    EventsAnswer(
                        events: page.items.map { EventAnswer($0) }, next: String(page.next), hasMore: page.hasMore,
                        hasGap: page.hasGap, scanned: conditions.isEmpty ? nil : page.scannedCount, outcome: outcome)
                })
        }
    }
}

struct EventsAnswer: APIShape {
    var events: [EventAnswer]
    var next: String?
    var hasMore: Bool?
    var hasGap: Bool?
    var scanned: Int?
    var outcome: WaitOutcome?

    static let shape = Shape(
        name: "EventPage",
        [
            "next": .with(#"pattern: "^[0-9]+$""#, "Pass as `since`.").always,
            "hasMore": .about("Whether more entries are available now.").always,
            "hasGap": .about("Whether events after `since` are lost.").always,
            "scanned": .ref("Scanned"),
            "outcome": "Only with `wait`.",
        ])
}

struct EventAnswer: AnswerTable {
    let source: DeviceEvent

    static let rows: [Row<DeviceEvent>] = [
        Row("at", \.at),
        Row("event", \.kind),
        Row("number", \.number, .positive("Consecutive on the device, from 1.")),
        Row("notification", \.notification, .positive("The notification it is about.")),
        Row("app", \.app, "The app it is about."),
        Row(
            "details", { $0.details.isEmpty ? nil : JSONValue.object($0.details).sorted },
            .ref("EventDetails", "Details, such as a sound's `name`.")),
    ]
}

/// An act in a request body: its name in `action`, its members, and the `DeviceAct` they form.
struct ActForm: Sendable {
    enum Member: String, CaseIterable, Sendable {
        case notification, app, actionIdentifier, text, focus, choice, count, identifiers, suggestion

        /// For error messages.
        var accepted: String {
            switch self {
            case .notification: "a notification's number"
            case .app: "a bundle identifier"
            case .actionIdentifier: "the identifier of an action of the notification's category"
            case .text: "a text"
            case .focus: "the id of a Focus"
            case .choice: "one of \(DeviceAct.PromptChoice.allCases.map(\.rawValue).joined(separator: ", "))"
            case .count: "a whole number"
            case .identifiers: "an array of request identifiers"
            case .suggestion: "the id of a suggestion"
            }
        }
    }

    let name: String
    var required: [Member] = []
    var optional: [Member] = []
    /// The member that accepts `null`, meaning none.
    var nullable: Member?
    let make: @Sendable (ActMembers) -> DeviceAct

    static let all = [
        ActForm(name: "lock") { _ in .lock },
        ActForm(name: "unlock") { _ in .unlock },
        ActForm(name: "wake") { _ in .wake },
        ActForm(name: "open", optional: [.app], nullable: .app) { .open(app: $0.name(.app)) },
        ActForm(name: "terminate", required: [.app]) { .terminate(app: $0.app) },
        ActForm(name: "restart") { _ in .restart },
        ActForm(name: "uninstall", required: [.app]) { .uninstall(app: $0.app) },
        ActForm(name: "tap", required: [.notification]) { .tap(notification: $0.notification) },
        ActForm(name: "dismiss", required: [.notification]) { .dismiss(notification: $0.notification) },
        ActForm(name: "clear", optional: [.app]) { .clear(app: $0.name(.app)) },
        ActForm(name: "perform", required: [.notification, .actionIdentifier], optional: [.text]) {
            .perform(
                action: $0.value(.actionIdentifier, .text) ?? "", text: $0.value(.text, .text),
                notification: $0.notification)
        },
        ActForm(name: "confirmContact", required: [.notification]) { .confirmContact(notification: $0.notification) },
        ActForm(name: "switchFocus", optional: [.focus], nullable: .focus) { .switchFocus(id: $0.name(.focus)) },
        ActForm(name: "answer", required: [.choice, .app]) {
            .answer(choice: $0.value(.choice, .word()) ?? .leaveOn, app: $0.app)
        },
        ActForm(name: "runSuggestion", required: [.suggestion]) { .runSuggestion(id: $0.suggestion) },
        ActForm(name: "acceptSuggestion", required: [.suggestion]) { .acceptSuggestion(id: $0.suggestion) },
        ActForm(name: "dismissSuggestion", required: [.suggestion]) { .dismissSuggestion(id: $0.suggestion) },
        ActForm(name: "setBadge", required: [.count, .app]) {
            .setBadge(count: $0.value(.count, .integer) ?? 0, app: $0.app)
        },
        ActForm(name: "removeDelivered", required: [.identifiers, .app]) {
            .removeDelivered(identifiers: $0.value(.identifiers, .list(.text)) ?? [], app: $0.app)
        },
        ActForm(name: "removeAllDelivered", required: [.app]) { .removeAllDelivered(app: $0.app) },
    ]

    static let fields = ["action"] + Member.allCases.map(\.rawValue)

    static func act(_ body: MemberReader) throws -> DeviceAct {
        let names = all.map(\.name).joined(separator: ", ")
        let form = body.required(
            "action", .text(names, read: { name in all.first { $0.name == name } }, write: \.name))
        try body.finish()
        guard let form else { preconditionFailure("a missing form is an error") }
        try form.check(body)
        let act = form.make(ActMembers(body: body, nullable: form.nullable))
        try body.finish()
        return act
    }

    private func check(_ body: MemberReader) throws(AdminError) {
        for member in required where !body.has(member.rawValue) {
            throw .badRequest("'\(name)' needs '\(member.rawValue)': \(member.accepted).")
        }
        let known = required + optional
        for member in Member.allCases where body.has(member.rawValue) && !known.contains(member) {
            let words = known.isEmpty ? "no member" : known.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            throw .badRequest("'\(name)' does not accept '\(member.rawValue)'; it accepts \(words).")
        }
    }
}

/// The members of an act. A wrong value is recorded as a problem; its placeholder is never used.
struct ActMembers {
    let body: MemberReader
    let nullable: ActForm.Member?

    var notification: UInt64 { value(.notification, .integer(in: 0...UInt64.max)) ?? 0 }
    var app: String { name(.app) ?? "" }
    var suggestion: String { name(.suggestion) ?? "" }

    func value<Value>(_ member: ActForm.Member, _ format: FieldFormat<Value>) -> Value? {
        member == nullable && body[member.rawValue] == .null ? nil : body.value(member.rawValue, format)
    }

    func name(_ member: ActForm.Member) -> String? { value(member, member == .app ? .topic : .text) }
}
