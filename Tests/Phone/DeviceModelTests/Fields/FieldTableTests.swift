import Fields
import Foundation
import JSON
import Testing

@testable import DeviceModel

/// A type whose members are compared with its field table.
struct DescribedType: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Members in Swift.
    var properties: [String]
    /// Members in JSON.
    var fields: [FieldDescription]
    /// Whether a value with every member reads back.
    var survives: @Sendable () throws -> Bool

    /// - Parameter full: Members that are absent by default.
    init<Value: FieldDescribed & Equatable>(_ value: Value, also full: String = "{}") {
        testDescription = "\(Value.self)"
        properties = Mirror(reflecting: value).children.compactMap(\.label)
        guard case .object(_, let fields) = Value.schema else { fatalError("no table") }
        self.fields = fields
        survives = {
            var value = value
            try value.apply(json(full))
            guard value.json.names.sorted() == fields.map(\.name).sorted() else { return false }
            return try JSONDecoder().decode(Value.self, from: try JSONEncoder().encode(value)) == value
        }
    }
}

/// JSON from a text.
func json(_ text: String) throws -> JSONValue {
    let value = JSONValue(Array(text.utf8).span.bytes)
    return try #require(value, "\(text)")
}

extension JSONValue {
    /// The members' names, in order.
    var names: [String] {
        guard case .object(let members) = self else { return [] }
        return members.keys
    }
}

/// Every member has a field in its table.
@Suite struct FieldTableTests {
    static let types: [DescribedType] = [
        DescribedType(
            App(bundleID: "a.b"),
            also: ##"{"team":"T","presentationOptions":["list"],"hasMarketingConsent":false,"soundNames":["a.caf"],"##
                + ##""extension":{"kind":"http","url":"http://127.0.0.1:8080/"},"##
                + ##""liveActivities":{"types":[{"name":"T"}]},"backgroundModes":["voip"],"pushkit":{},"ptt":true,"##
                + ##""locationExtension":true,"widgets":[{"kind":"w"}],"controls":[{"kind":"c"}],"intents":[{"intent":"A"}]}"##
        ),
        DescribedType(
            IntentDefinition(),
            also: #"{"intent":"A","types":[{"name":"T","fields":{"identifier":"String"}}],"enums":[{"name":"E"}],"#
                + #""parameters":[{"name":"a","type":"[Enum<E>]"}],"combinations":[{"parameters":["a"],"subtitle":"s"}]}"#
        ),
        DescribedType(LiveActivities(), also: #"{"types":[{"name":"T"}]}"#),
        DescribedType(
            ActivityType(name: "T"),
            also: #"{"contentState":{"a":"Int"},"attributes":{"b":{"c":"[Date]"}},"template":{"title":"{a}"}}"#),
        DescribedType(ActivityTemplate(title: "T")),
        DescribedType(
            ServiceExtension(), also: #"{"kind":"swift","path":"Sources/Extension","url":"http://a","command":["a"]}"#),
        DescribedType(
            NotificationCategory(identifier: "c", actions: [NotificationAction(identifier: "a", title: "A")]),
            also: #"{"hiddenPreviewsBodyPlaceholder":"%u","summaryFormat":"%u more"}"#),
        DescribedType(
            NotificationAction(identifier: "a", title: "A"),
            also: #"{"icon":{"systemImageName":"heart"},"textInput":{"buttonTitle":"Send","placeholder":"Text"}}"#),
        DescribedType(NotificationAction.TextInput(buttonTitle: "Send")),
        DescribedType(NotificationSettings(), also: #"{"showPreviews":"never"}"#),
        DescribedType(
            DeviceConditions(),
            also:
                #"{"isOnline":false,"offlineUntil":"2026-01-05T00:00:00.000Z","foregroundApp":"a.b","person":"p","contacts":[{"id":"C1"}],"focus":{"modes":[{"id":"work"}],"active":"work"}}"#
        ),
        DescribedType(DeviceConditions.Haptics()), DescribedType(DeviceConditions.Announce()),
        DescribedType(
            FocusSettings(), also: #"{"active":"work","until":"2026-01-05T00:00:00.000Z","modes":[{"id":"work"}]}"#),
        DescribedType(
            Focus(),
            also: #"{"id":"w","schedule":[{"from":"22:00","to":"06:00"}],"filters":[{"bundleId":"a.b"}]}"#),
        DescribedType(Focus.Selection()), DescribedType(FocusSchedule()),
        DescribedType(FocusFilter(), also: #"{"bundleId":"a.b"}"#), DescribedType(SummarySettings()),
        DescribedType(Contact(), also: #"{"id":"C1"}"#),
        DescribedType(
            Person(),
            also: ##"{"handle":{"value":"a@b.example","type":"emailAddress"},"givenName":"A","familyName":"B","##
                + #""contactIdentifier":"C1","customIdentifier":"u1","aliases":[{"value":"1"}],"imageDigest":"00"}"#),
        DescribedType(
            NotificationAttachment(url: "file:///a.png"),
            also: #"{"options":{},"sha256":"\#(String(repeating: "0", count: 64))","byteCount":1}"#),
        DescribedType(
            NotificationAttachment.Options(),
            also: #"{"typeHint":"public.png","clippingRect":{"x":0.5},"thumbnailTime":1.5}"#),
        DescribedType(NotificationAttachment.UnitRect()),
        DescribedType(Person.Handle(value: "1", type: .phoneNumber)),
        DescribedType(
            CommunicationContext(),
            also: #"{"groupName":"g","groupImageDigest":"00","conversationIdentifier":"c","serviceName":"s","#
                + #""recipientCount":0,"recipients":[{"isMe":true}]}"#),
    ]

    @Test(arguments: types) func everyPropertyHasAFieldOfItsName(_ type: DescribedType) {
        #expect(type.properties.map { $0.replacing("ID", with: "Id") } == type.fields.map(\.name))
    }

    @Test(arguments: types) func everyFieldIsExplained(_ type: DescribedType) {
        for field in type.fields {
            #expect(field.summary.hasSuffix("."), "\(field.name)")
            #expect(!field.accepted.isEmpty)
        }
    }

    @Test(arguments: types) func writtenValuesReadBack(_ type: DescribedType) throws { #expect(try type.survives()) }

    @Test func membersAreWrittenInTheOrderOfTheTable() {
        let names = DeviceConditions().json.names
        #expect(
            names == DeviceConditions.fieldNames.filter { !["offlineUntil", "foregroundApp", "person"].contains($0) })
        #expect(names.first == "locale" && names.last == "contacts")
        let json = SummarySettings().json
        #expect(json["times"] == .array([.string("08:00"), .string("18:00")]))
    }

    @Test func aLanguagesTextsAreWrittenInOrder() throws {
        var app = App(bundleID: "a.b")
        app.localizations = ["ja": ["B": "2", "A": "1"], "en": [:]]
        #expect(app.json["localizations"]?.names == ["en", "ja"])
        #expect(app.json["localizations"]?["ja"]?.names == ["A", "B"])
    }
}
