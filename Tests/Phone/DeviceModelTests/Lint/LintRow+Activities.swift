import APNs
import DeviceModel
import Fields
import JSON

@testable import Lint
@testable import LiveModel

extension LintRow {
    /// The relevant members of `aps`: a valid update, plus others.
    private static func live(
        _ more: String = "", event: String = "update", timestamp: String = "1800000000",
        state: String? = #"{"eta":821692800,"step":1}"#
    ) -> String {
        let content = state.map { #","content-state":\#($0)"# } ?? ""
        return #"{"aps":{"event":"\#(event)","timestamp":\#(timestamp)\#(content)\#(more.isEmpty ? "" : ",")\#(more)}}"#
    }

    private static func start(_ more: String = #""alert":{"title":"On its way","body":"Soon.","sound":"default"}"#)
        -> String
    {
        live(#""attributes-type":"Delivery","attributes":{"orderId":"7"},"# + more, event: "start")
    }

    static let liveApp = {
        var app = LintRow.app
        try! app.apply(
            [
                "liveActivities": [
                    "types": .array([
                        [
                            "name": .string("Delivery"), "attributes": ["orderId": .string("String")],
                            "contentState": [
                                "eta": .string("Date"), "step": .string("Int"), "note": .string("String?"),
                            ],
                        ]
                    ])
                ]
            ])
        return app
    }()

    private static func found(_ rule: String, at path: String, _ payload: String) -> LintRow {
        .found(rule, rule, at: path, payload) { ($0.pushType, $0.app) = (.liveactivity, liveApp) }
    }

    private static func passed(_ rule: String, _ payload: String = live()) -> LintRow {
        .passed(rule, rule, payload) {
            ($0.pushType, $0.app) = (.liveactivity, liveApp)
            $0.hasCollapseID = true
        }
    }

    private static let alert = #""alert":{"title":"Near","body":"Two stops.","sound":"default"}"#

    private static let places: [(rule: String, path: String, bad: String, good: String)] = [
        ("la.event", "aps.event", live(event: "finish"), live()),
        ("la.timestamp.missing", "aps.timestamp", live(timestamp: #""now""#), live()),
        ("la.timestamp.ms", "aps.timestamp", live(timestamp: "1800000000000"), live()),
        ("la.date.ms", "aps.stale-date", live(#""stale-date":1800000000000"#), live(#""stale-date":1800000900"#)),
        (
            "la.dismissal.notEnd", "aps.dismissal-date", live(#""dismissal-date":1800000900"#),
            live(#""dismissal-date":1800000900"#, event: "end")
        ),
        ("la.state.missing", "aps.content-state", live(state: nil), live()),
        ("la.start.noAlert", "aps.alert", start(#""input-push-token":1"#), start()),
        (
            "la.start.noAttributes", "aps.attributes", live(#""attributes-type":"Delivery",\#(alert)"#, event: "start"),
            start()
        ),
        (
            "la.attributesType.unknown", "aps.attributes-type",
            live(#""attributes-type":"delivery","attributes":{},\#(alert)"#, event: "start"), start()
        ),
        (
            "la.attributes.copyOfState", "aps.attributes",
            live(#""attributes":{"eta":821692800,"step":1}"#), live(#""attributes":{"orderId":"7"}"#)
        ),
        (
            "la.input.both", "aps.input-push-channel", start(#""input-push-token":1,"input-push-channel":"AA""#),
            start(#""input-push-token":1"#)
        ),
        ("la.input.ios", "aps.input-push-channel", start(#""input-push-channel":"AA""#), start()),
        (
            "la.size.4k", "aps.content-state", live(state: #"{"t":"\#(String(repeating: "x", count: 4089))"}"#),
            live(state: #"{"t":"\#(String(repeating: "x", count: 4088))"}"#)
        ),
        ("la.alert.empty", "aps.alert", live(#""alert":{"title":""}"#), live(alert)),
        ("la.alert.noTitle", "aps.alert", live(#""alert":{"body":"Two stops."}"#), live(alert)),
        ("la.alert.noSound", "aps.alert", live(#""alert":{"title":"Near"}"#), live(alert)),
        ("la.sound.aps", "aps.sound", live(#""sound":"default""#), live(alert)),
        ("la.alert.flatLoc", "aps.alert", live(#""alert":{"title-loc-key":"NEAR"}"#), live(alert)),
        ("la.end.noState", "aps.content-state", live(event: "end", state: nil), live(event: "end")),
        ("la.state.decode", "aps.content-state", live(state: #"{"step":2}"#), live()),
        ("la.state.case", "aps.content-state", live(state: #"{"ETA":1,"step":2}"#), live(state: #"{"step":2}"#)),
        ("la.state.date1970", "aps.content-state", live(state: #"{"eta":1800003600,"step":2}"#), live()),
        ("la.state.dateString", "aps.content-state", live(state: #"{"eta":"noon","step":2}"#), live()),
        ("la.state.null", "aps.content-state", live(state: #"{"eta":1,"step":2,"note":null}"#), live()),
    ]

    private static let noted = [
        "la.tokenKind", "la.timestamp.past", "la.timestamp.future", "la.stale.past", "la.dismissal.cap",
        "la.priority.budget", "la.p2s.repeat", "la.start.duplicate", "la.token.stale", "la.alert.everyUpdate",
        "la.afterEnd",
    ]

    static let activities: [LintRow] =
        places.flatMap { [found($0.rule, at: $0.path, $0.bad), passed($0.rule, $0.good)] }
        + noted.flatMap { rule in
            [
                .found(rule, rule, at: "", live()) {
                    $0.pushType = .liveactivity
                    $0.notes = [ActivityDecision.Note(id: rule, detail: "")]
                }, passed(rule),
            ]
        } + [
            .found("la.topic.suffix", "L5.3 the plain topic", at: "", live()) {
                ($0.pushType, $0.topic) = (.liveactivity, "com.example.post")
            },
            .passed("la.topic.suffix", "the topic with the suffix", live()) {
                ($0.pushType, $0.topic) = (.liveactivity, "com.example.post.push-type.liveactivity")
            },
            .found("la.pushType", "L5.3 an alert to the topic", at: "", live()) {
                ($0.pushType, $0.topic) = (.alert, "com.example.post.push-type.liveactivity")
            },
            .passed("la.pushType", "an alert to the app", alert()) { $0.topic = "com.example.post" },
            .found("la.start.exp0", "0", at: "", start()) {
                ($0.pushType, $0.expiration) = (.liveactivity, .immediate)
            },
            passed("la.start.exp0", start()),
            .found("la.start.noCollapse", "none", at: "", start()) {
                ($0.pushType, $0.hasCollapseID) = (.liveactivity, false)
            }, passed("la.start.noCollapse", start()),
            .found("la.type.undeclared", "no types", at: "aps.content-state", live(#""attributes-type":"Delivery""#)) {
                $0.pushType = .liveactivity
            }, passed("la.type.undeclared"),
            .found("la.type.undeclared", "an app never declared", at: "aps.content-state", live()) {
                ($0.pushType, $0.app, $0.undeclaredApp) = (.liveactivity, nil, "com.example.post")
            },
            .passed("la.type.undeclared", "no app is named", live()) { ($0.pushType, $0.app) = (.liveactivity, nil) },
            .passed("la.type.undeclared", "an update for a push-to-start token", live()) {
                ($0.pushType, $0.notes) = (.liveactivity, [ActivityDecision.Note(id: "la.tokenKind", detail: "")])
            },
            .found("la.size.4k", "with the attributes that the device knows", at: "aps.content-state", live()) {
                ($0.pushType, $0.notes) = (
                    .liveactivity, [ActivityDecision.Note(id: "la.size.4k", detail: "4097 bytes")]
                )
            },
            .found("la.state.missing", "a start", at: "aps.content-state", live(event: "start", state: nil)) {
                $0.pushType = .liveactivity
            },
            .passed("la.state.missing", "an end", live(event: "end", state: nil)) { $0.pushType = .liveactivity },
            .found("la.state.type", "a text", at: "aps.content-state", live(state: #""{}""#)) {
                $0.pushType = .liveactivity
            },
            .found("la.state.type", "a list", at: "aps.content-state", live(state: "[1]")) {
                $0.pushType = .liveactivity
            },
            passed("la.state.type"), passed("la.state.type", live(state: #""done""#)),
        ]
}
