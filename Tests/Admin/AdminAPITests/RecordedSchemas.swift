import APNs
import DeviceModel
import DeviceSimulator
import Fields
import Gateway
import LiveModel
import SiriModel
import Webhooks

@testable import AdminAPI

/// Schemas generated from the code's field tables, word lists and the types of answers.
enum RecordedSchemas {
    /// - Parameter components: The hand-written part.
    static func text(_ endpoints: [Endpoint], besides components: String) throws -> String {
        let schemas = components.split(separator: "\n  schemas:").last ?? ""
        let own = schemas.matches(of: /\n {4}(\w+):/).map { String($0.1) }
        var shapes = ShapeComponents(besides: tables.names.union(own))
        for answer in endpoints.flatMap(\.answers) {
            if case .of(let shape) = answer.schema { try shapes.add(shape) }
        }
        for shape in referenced { try shapes.add(shape) }
        return (words + texts + act + tables.lines + shapes.lines).joined(separator: "\n") + "\n"
    }

    /// Shapes that the hand-written part and tables mention.
    private static let referenced: [any APIShape.Type] = [
        IndexAnswer.self, SessionAnswer.self, ErrorAnswer.self, ExtensionRunAnswer.self, DisplayedTextAnswer.self,
        SuggestionAnswer.self,
        EventAnswer.self, FindingAnswer.self, DeliveryCounts.self, RegistrationAnswer.self, ActivitySurfaces.self,
        StreamHello.self, StreamNotifications.self, StreamRemoved.self, StreamRequests.self, StreamDevices.self,
        StreamFaults.self, StreamGap.self,
    ]

    /// Closed sets with a schema of their own.
    private static let sets: [(name: String, type: any (CaseIterable & Sendable).Type)] = [
        ("DeliveryState", DeliveryState.Kind.self),
        ("DiscardReason", DiscardReason.self),
        ("DonationAppState", DonationEntry.AppState.self),
        ("DonationDirection", Donation.Direction.self),
        ("Environment", APNsEnvironment.self),
        ("EventKind", DeviceEvent.Kind.self),
        ("ExtensionAnswerSource", ExtensionRun.AnswerSource.self),
        ("ExtensionCondition", ExtensionCondition.self),
        ("ExtensionEnd", ExtensionRun.End.self),
        ("ExtensionVerdict", ExtensionDecision.Verdict.self),
        ("HoldReason", HoldReason.self),
        ("PredictionAnchor", Pattern.Anchor.self),
        ("PredictionVerdict", PredictionVerdict.self),
        ("Prompt", Prompt.self),
        ("PromptChoice", DeviceAct.PromptChoice.self),
        ("PushOutcome", PushOutcome.self),
        ("RegistrationStatus", RegistrationStatus.Kind.self),
        ("Severity", Finding.Severity.self),
        ("SuggestionKind", Suggestion.Kind.self),
        ("SuggestionSurface", SuggestionSurface.self),
        ("Timing", Timing.self),
        ("TokenKind", TokenKind.self),
        ("WaitOutcome", WaitOutcome.self),
    ]

    private static let words: [String] = {
        var lists = [
            ("ContentMember", NotificationContent.fieldNames),
            ("FaultScenarioName", FaultScenario.all.flatMap { [$0.id, $0.name].compactMap(\.self) }),
            ("PresentationName", Presentation(rawValue: .max).names), ("PushType", PushType.allCases.map(\.name)),
        ]
        for set in sets { lists.append((set.name, list(of: set.type))) }
        return lists.sorted { $0.0 < $1.0 }.map { name, words in "    \(name): {\(type(of: words))}" }
    }()

    /// A reference to the schema of a closed set, or its words.
    static func type(of set: any CaseIterable.Type) -> String {
        sets.first { $0.type == set }.map { reference($0.name) } ?? type(of: list(of: set))
    }

    private static func type(of words: [String]) -> String {
        // YAML reads a bare `off` as false.
        "enum: [\(words.map { $0 == "off" ? "\"off\"" : $0 }.joined(separator: ", "))]"
    }

    private static func list<Word: CaseIterable>(of _: Word.Type) -> [String] {
        Word.allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
    }

    private static let texts = [
        ("WrittenTime", InstantText.pattern, "ISO 8601 with `Z` or an offset."),
        ("Duration", DurationText.pattern, "Such as `30s`, `250ms`, `2h`, `PT1H`, `P1D`."),
    ].map { name, pattern, summary in
        "    \(name): {type: string, pattern: \(FieldComponents.quoted(pattern)), description: \"\(summary)\"}"
    }

    // MARK: Acts

    private static let act =
        ["    Act:", "      description: The members depend on `action`.", "      oneOf:"]
        + ActForm.all.flatMap { form in
            [
                "        - type: object", "          additionalProperties: false",
                "          required: [\((["action"] + form.required.map(\.rawValue)).joined(separator: ", "))]",
                "          properties:", "            action: {const: \(form.name)}",
            ]
                + (form.required + form.optional).map { member in
                    "            \(member.rawValue): {\(type(of: member, in: form)), description: \"\(member.accepted)\"}"
                }
        }

    private static func type(of member: ActForm.Member, in form: ActForm) -> String {
        let type =
            switch member {
            case .notification, .count: "type: integer, minimum: 0, maximum: \(Int.max)"
            case .identifiers: "type: array, items: {type: string}"
            case .choice: reference("PromptChoice")
            case .app: reference("Topic")
            case .focus, .actionIdentifier, .text, .suggestion: "type: string"
            }
        return member == form.nullable ? "anyOf: [{\(type)}, {type: \"null\"}]" : type
    }

    // MARK: Types with field tables, and the types they contain

    private static let tables: FieldComponents = {
        var components = FieldComponents()
        let conditions = DeviceConditions.descriptions
        let settings = NotificationSettings.descriptions
        for schema in [
            App.schema, DeviceConditions.schema, DevicePlace.schema, FaultRule.schema,
            FieldFormat<LocalTrigger>.localTrigger.schema, NotificationContent.schema, Person.schema,
            ServiceReplies.schema, Reservation.schema,
        ] { _ = components.type(of: schema, for: .answer) }
        components.add("ActivityStart", ActivityStart.descriptions, for: .creation)
        components.add("ActivityUpdate", ActivityUpdate.descriptions, for: .creation)
        components.add("ActivityEnd", ActivityEnd.descriptions, for: .creation)
        components.add(
            "LiveSettingsChange", LiveSettingsChange.descriptions, for: .creation,
            besides: ignored(AdminAPI.ignoredSettings))
        components.add("App", App.descriptions, for: .edit)
        components.add("FaultRule", FaultRule.descriptions, for: .creation)
        components.add("ServiceReplies", ServiceReplies.descriptions, for: .edit)
        components.add("ServiceSettings", ServiceSettings.descriptions, for: .answer, besides: serviceMembers)
        components.add("ServiceSettings", ServiceSettings.descriptions, for: .edit, besides: serviceEditMembers)
        components.add("Webhook", Webhook.descriptions, for: .creation)
        components.add(
            "TokenWebhook",
            Webhook.descriptions.filter { Webhook.deliveryFields.map(\.name).contains($0.name) }, for: .creation)
        components.add("LocalRequest", LocalRequest.descriptions, for: .creation)
        components.add("Donation", NewDonation.descriptions, for: .creation)
        components.add("DevicePlace", DevicePlace.descriptions, for: .creation)
        components.add(
            "CalendarSettings", CalendarSettings.descriptions, for: .edit, besides: ignored(CalendarAnswer.readOnly))
        components.add("Device", conditions, for: .answer, besides: deviceMembers)
        components.add("Device", conditions, for: .edit, besides: deviceEditMembers)
        components.add("DeviceConditions", conditions, for: .edit)
        components.add("FleetPart", conditions, for: .edit, besides: fleetPartMembers)
        components.add("AppOnDevice", settings, for: .answer, besides: appOnDeviceMembers)
        components.add("AppOnDevice", settings, for: .edit, besides: ignored(DeviceEdit.ignoredOfApp))
        components.add("DeviceSummary", [], for: .answer, besides: deviceSummaryMembers)
        components.add("Fault", FaultRule.descriptions, for: .answer, besides: faultMembers)
        return components
    }()

    /// Members that lists add to a fault rule.
    private static let faultMembers: [FieldComponents.Member] = [
        .always("matched", "type: integer, minimum: 0", "How often it matched, due or not."),
        .always("fired", "type: integer, minimum: 0", "How often it fired."),
        .always("setAt", reference("Time"), "When it was set."),
    ]

    /// Read-only members of an app's services.
    private static let serviceMembers: [FieldComponents.Member] = [
        .always(
            "voip",
            "type: object, additionalProperties: false, required: [unreported, isWithheld], "
                + "properties: {unreported: {type: integer, minimum: 0}, isWithheld: {type: boolean}}",
            "VoIP pushes after which the app reported no call; isWithheld once there were too many.")
    ]

    private static let serviceEditMembers: [FieldComponents.Member] =
        [.maybe("environment", reference("Environment"), "Of the tokens that this issues; the default environment.")]
        + ignored(["voip"])

    /// Members of a device besides its conditions.
    private static let deviceMembers: [FieldComponents.Member] =
        deviceSummaryMembers + [
            .always(
                "apps", "type: object, additionalProperties: {\(reference("AppOnDevice"))}",
                "Its apps, by bundle identifier.")
        ]

    /// Writable members of a device besides its conditions.
    private static let deviceEditMembers: [FieldComponents.Member] =
        [
            .maybe("name", deviceName, "The name in the path."),
            .maybe("registrations", "type: array, items: {\(reference("NewRegistration"))}", "Its tokens."),
            settingsByApp,
        ]
        + ignored(DeviceEdit.ignored)

    private static let settingsByApp = FieldComponents.Member.maybe(
        "apps",
        "type: object, propertyNames: {\(reference("Topic"))}, additionalProperties: "
            + "{anyOf: [{\(reference("AppOnDeviceEdit"))}, {type: \"null\"}]}",
        "Settings by bundle identifier; null restores the app's own.")

    /// Members of a fleet's part besides its conditions.
    private static let fleetPartMembers: [FieldComponents.Member] = [
        .always("share", "type: number, minimum: 0, maximum: 1", "The share of the devices that have the conditions."),
        settingsByApp,
    ]

    /// Read-only members; accepted and ignored when written back.
    private static func ignored(_ names: [String]) -> [FieldComponents.Member] {
        names.map { .maybe($0, "", "Ignored.") }
    }

    /// A device's entry in the list.
    private static let deviceSummaryMembers: [FieldComponents.Member] = [
        .always("name", deviceName, "Its name."),
        .always("registrations", "type: array, items: {\(reference("Registration"))}", "Its tokens."),
        .always("createdAt", reference("Time"), "When it was created."),
        .always("notificationCount", "type: integer, minimum: 0", "Notifications in the inbox."),
        .always("storedCount", "type: integer, minimum: 0", "Pushes stored for it."),
        .always("droppedCount", "type: integer, minimum: 0", "Notifications evicted from its full inbox."),
        .always(
            "eventCount", "type: integer, minimum: 0",
            "The number of its newest event; pass it as `since` to wait for the next."),
        .always("counts", reference("Counts"), "Its pushes by outcome."),
    ]

    /// Members of an app on a device besides its settings.
    private static let appOnDeviceMembers: [FieldComponents.Member] = [
        .always("badgeCount", "type: integer, minimum: 0", "The number on its icon."),
        .maybe("prompt", reference("Prompt"), "The system's unanswered question about it."),
        .always("isTerminated", "type: boolean", "Whether the person force-quit it, so that nothing wakes it."),
        .maybe(
            "categories", "type: array, items: {\(reference("NotificationCategory"))}",
            "The categories that it registered on the device; absent while the app's own apply."),
    ]

    private static let deviceName = "type: string, minLength: 1, maxLength: \(DeviceName.maximumByteCount)"

    private static func reference(_ name: String) -> String { "$ref: \"#/components/schemas/\(name)\"" }
}
