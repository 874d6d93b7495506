internal import DeviceModel
internal import Fields
internal import JSON

/// One act as a request names it: the word, the members that go with it, and the act they make.
struct ActForm: Sendable {
    /// What tells more about an act.
    enum Member: String, CaseIterable, Sendable {
        case notification, app, actionIdentifier, text, focus, choice, count, identifiers

        /// What may be written.
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
            }
        }
    }

    /// The word in `action`.
    let name: String
    let required: [Member]
    var optional: [Member] = []
    /// The one that may be `null`, which means none of them.
    var nullable: Member?
    /// Makes the act; all that is required is there.
    let make: @Sendable (ActMembers) -> DeviceAct

    /// Every act there is.
    static let all = [
        ActForm(name: "lock", required: []) { _ in .lock },
        ActForm(name: "unlock", required: []) { _ in .unlock },
        ActForm(name: "wake", required: []) { _ in .wake },
        ActForm(name: "open", required: [], optional: [.app], nullable: .app) { .open(app: $0.app) },
        ActForm(name: "terminate", required: [.app]) { .terminate(app: $0.app ?? "") },
        ActForm(name: "restart", required: []) { _ in .restart },
        ActForm(name: "uninstall", required: [.app]) { .uninstall(app: $0.app ?? "") },
        ActForm(name: "tap", required: [.notification]) { .tap(notification: $0.notification) },
        ActForm(name: "dismiss", required: [.notification]) { .dismiss(notification: $0.notification) },
        ActForm(name: "clear", required: [], optional: [.app]) { .clear(app: $0.app) },
        ActForm(name: "perform", required: [.notification, .actionIdentifier], optional: [.text]) {
            .perform(action: $0.actionIdentifier, text: $0.text, notification: $0.notification)
        },
        ActForm(name: "confirmContact", required: [.notification]) { .confirmContact(notification: $0.notification) },
        ActForm(name: "switchFocus", required: [], optional: [.focus], nullable: .focus) { .switchFocus(id: $0.focus) },
        ActForm(name: "answer", required: [.choice, .app]) { .answer(choice: $0.choice, app: $0.app ?? "") },
        ActForm(name: "setBadge", required: [.count, .app]) { .setBadge(count: $0.count, app: $0.app ?? "") },
        ActForm(name: "removeDelivered", required: [.identifiers, .app]) {
            .removeDelivered(identifiers: $0.identifiers, app: $0.app ?? "")
        },
        ActForm(name: "removeAllDelivered", required: [.app]) { .removeAllDelivered(app: $0.app ?? "") },
    ]

    /// The members that a body may have.
    static let fields = ["action"] + Member.allCases.map(\.rawValue)

    /// The act that a body describes.
    static func act(_ body: MemberReader) throws -> DeviceAct {
        let names = all.map(\.name).joined(separator: ", ")
        let form = body.required(
            "action", .text(names, read: { name in all.first { $0.name == name } }, write: \.name))
        try body.finish()
        guard let form else { preconditionFailure("a form that is not there is an error") }
        try form.check(body)
        let members = ActMembers(body, nullable: form.nullable)
        try body.finish()
        return form.make(members)
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

/// The members of an act that were given.
struct ActMembers: Sendable {
    var notification: UInt64
    var app: String?
    var actionIdentifier: String
    var text: String?
    var focus: String?
    var choice: DeviceAct.PromptChoice
    var count: Int
    var identifiers: [String]

    /// - Note: What is required was found to be there; the values in place of the rest are not looked at.
    init(_ body: MemberReader, nullable: ActForm.Member?) {
        func name(_ member: ActForm.Member, _ format: FieldFormat<String>) -> String? {
            member == nullable && body[member.rawValue] == .null ? nil : body.value(member.rawValue, format)
        }
        notification = body.value("notification", .integer(in: 0...UInt64.max)) ?? 0
        app = name(.app, .topic)
        actionIdentifier = body.value("actionIdentifier", .text) ?? ""
        text = body.value("text", .text)
        focus = name(.focus, .text)
        choice = body.value("choice", .word()) ?? .leaveOn
        count = body.value("count", .integer) ?? 0
        identifiers = body.value("identifiers", .list(.text)) ?? []
    }
}
