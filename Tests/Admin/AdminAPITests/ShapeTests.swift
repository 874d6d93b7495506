import DeviceModel
import Fields
import Gateway
import LiveModel
import SiriModel
import Testing
import Webhooks
import Yams

@testable import AdminAPI

/// The types of answers have the members of the description.
@Suite struct ShapeTests {
    /// - Parameter others: members that a table of fields has.
    struct Row: CustomTestStringConvertible, Sendable {
        var place: String
        var type: any APIShape.Type
        var others: [String] = []

        init(_ place: String, _ type: any APIShape.Type, besides others: [String] = []) {
            self.place = place
            self.type = type
            self.others = others
        }

        var testDescription: String { "\(type)" }
    }

    static let rows = [
        Row("schemas/Error", ErrorAnswer.self),
        Row("schemas/Removed", RemovedAnswer.self),
        Row("advanceClock", AdvanceAnswer.self),
        Row("schemas/Clock", ClockAnswer.self),
        Row("devices", DevicesAnswer.self),
        Row("generateDevices", FleetAnswer.self),
        Row("schemas/DeviceSummary", DeviceAnswer.self),
        Row("schemas/AppOnDevice", AppOnDeviceAnswer.self, besides: NotificationSettings.fieldNames),
        Row("registrations", RegistrationsAnswer.self),
        Row("schemas/Registration", RegistrationAnswer.self),
        Row("schemas/EventPage", EventsAnswer.self),
        Row("localNotifications", PendingAnswer.self),
        Row("donations", DonationsAnswer.self),
        Row("donate", DonatedAnswer.self),
        Row("schemas/StoredDonation", DonationAnswer.self),
        Row("suggestions", SuggestionsAnswer.self),
        Row("schemas/SiriSuggestion", SiriSuggestionAnswer.self),
        Row("schemas/Prediction", PredictionAnswer.self),
        Row("schemas/Scheduled", ScheduledAnswer.self),
        Row("schemas/Event", EventAnswer.self),
        Row("push", PushAnswer.self),
        Row("schemas/NotificationPage", NotificationsAnswer.self),
        Row("schemas/NotificationSummary", NotificationAnswer.self),
        Row("schemas/NotificationExtension", NotificationExtensionAnswer.self),
        Row("schemas/ExtensionRun", ExtensionRunAnswer.self),
        Row("schemas/DisplayedText", DisplayedTextAnswer.self),
        Row("schemas/Suggestion", SuggestionAnswer.self),
        Row("schemas/Screen", ScreenAnswer.self),
        Row("activities", ActivitiesAnswer.self),
        Row("schemas/Activity", ActivityAnswer.self),
        Row("schemas/ActivitySettings", ActivitySettingsAnswer.self),
        Row("schemas/LiveScreen", LiveScreen.self),
        Row("schemas/Calendar", CalendarAnswer.self),
        Row("schemas/CalendarEvent", CalendarEventAnswer.self),
        Row("schemas/CalendarEventTime", CalendarEventAnswer.EventTime.self),
        Row("schemas/CalendarEventLocation", EventPlace.self),
        Row("schemas/CalendarEventSuggestion", CalendarEventAnswer.EventSuggestion.self),
        Row("schemas/CalendarAct", CalendarActAnswer.self),
        Row("schemas/Markup", MarkupAnswer.self),
        Row("schemas/Verdict", VerifyAnswer.self),
        Row("schemas/Stack", ScreenAnswer.Stack.self),
        Row("schemas/Card", ScreenAnswer.Card.self),
        Row("schemas/Day", DayAnswer.self),
        Row("schemas/DayPush", DeviceDay.Push.self),
        Row("schemas/Finding", FindingAnswer.self),
        Row("lint", FindingsAnswer.self),
        Row("hygiene", HygieneAnswer.self),
        Row("schemas/HygieneFinding", HygieneAnswer.Finding.self),
        Row("schemas/HygieneCoverage", HygieneAnswer.Coverage.self),
        Row("schemas/Faults", FaultsAnswer.self),
        Row("schemas/Fault", FaultsAnswer.Fault.self, besides: FaultRule.fieldNames),
        Row("schemas/Webhook", WebhookAnswer.self),
        Row("schemas/Webhooks", WebhooksAnswer.self),
        Row("schemas/WebhookDelivery", WebhookRecord.self),
        Row("faultScenarios", ScenariosAnswer.self),
        Row("info", InformationAnswer.self),
        Row("recordings", RecordingsAnswer.self),
        Row("schemas/RunningRecording", RecordingAnswer.self),
        Row("session", SessionAnswer.self),
        Row("requests", RequestsAnswer.self),
        Row("schemas/RequestSummary", RequestAnswer.self),
        Row("schemas/Key", KeyAnswer.self),
        Row("schemas/StreamHello", StreamHello.self),
        Row("schemas/StreamNotifications", StreamNotifications.self),
        Row("schemas/StreamRemoved", StreamRemoved.self),
        Row("schemas/StreamRequests", StreamRequests.self),
        Row("schemas/StreamDevices", StreamDevices.self),
        Row("schemas/StreamFaults", StreamFaults.self),
        Row("schemas/StreamGap", StreamGap.self),
        Row("snippets", SnippetsAnswer.self),
        Row("schemas/Snippet", SnippetAnswer.self),
    ]

    @Test(arguments: rows) func hasTheDescribedMembers(_ row: Row) throws {
        let schema = try Description().schema(at: row.place)
        let probe = try MemberProbe(of: row.type)
        #expect(Set(probe.names + row.others) == schema.members)
        #expect(probe.required.subtracting(schema.required) == [])
    }
}

/// `openapi.yaml`, parsed.
private struct Description {
    private let root: Node

    struct Schema {
        var members: Set<String> = []
        var required: Set<String> = []
    }

    init() throws { root = try #require(try Yams.compose(yaml: OpenAPIDocument.text)) }

    /// - Parameter place: A component such as `schemas/Event`, or an operation's identifier for its answer.
    func schema(at place: String) throws -> Schema {
        let component = place.split(separator: "/").reduce(root["components"]) { $0?[String($1)] }
        let answer = try component ?? operation(place)
        let body = answer["content"]?["application/json"]?["schema"]
        var schema = Schema()
        try read(body ?? answer, into: &schema)
        return schema
    }

    private func operation(_ name: String) throws -> Node {
        let paths: [Node] = root["paths"]?.mapping.map { Array($0.values) } ?? []
        let operations: [Node] = paths.flatMap { path in path.mapping.map { Array($0.values) } ?? [] }
        let operation = try #require(operations.first { $0["operationId"]?.string == name })
        let success = operation["responses"]?.mapping?.first { ["200", "201"].contains($0.key.string) }
        return try resolved(try #require(success).value)
    }

    private func resolved(_ node: Node) throws -> Node {
        guard let path = node["$ref"]?.string else { return node }
        return try #require(path.split(separator: "/").dropFirst().reduce(root) { $0?[String($1)] })
    }

    /// A schema's own members, and those of its parts.
    private func read(_ node: Node, into schema: inout Schema) throws {
        let node = try resolved(node)
        schema.members.formUnion(node["properties"]?.mapping?.keys.compactMap(\.string) ?? [])
        schema.required.formUnion(node["required"]?.array().compactMap(\.string) ?? [])
        for part in node["allOf"]?.array() ?? [] { try read(part, into: &schema) }
        let cases = try (node["oneOf"]?.array() ?? []).map { part in
            var schema = Schema()
            try read(part, into: &schema)
            return schema
        }
        guard let first = cases.first else { return }
        schema.members.formUnion(cases.flatMap(\.members))
        schema.required.formUnion(cases.reduce(first.required) { $0.intersection($1.required) })
    }
}
