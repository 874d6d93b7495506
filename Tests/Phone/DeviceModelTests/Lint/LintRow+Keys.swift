import APNs
import DeviceModel

@testable import Lint

extension LintRow {
    /// Keys in another spelling or dictionary (field.md 1), each beside a near miss.
    static let keys: [LintRow] =
        misspelt.map { .found(misspeltRule, $0.payload, at: $0.path, $0.payload) }
        + misplaced.map { .found(misplacedRule, $0.payload, at: $0.path, $0.payload) }
        + [
            .passed(
                misspeltRule, "custom keys of any name", alert(custom: #""tag":1,"contents":2,"sounds":"x","Badges":1"#)
            ),
            .passed(misspeltRule, "an unlike key in aps", #"{"aps":{"page":1,"color":"red","user":1,"tag":1,"id":1}}"#),
            .passed(
                misplacedRule, "custom keys", alert(custom: #""event":"x","title":"x","priority":"high","alerts":1"#)),
            .passed(
                misplacedRule, "custom keys like long ones",
                alert(custom: #""contentAvailableAt":1,"targetContentIds":[],"notificationLevel":1"#)),
            .passed(misplacedRule, "in aps, too", alert(aps: #""sound":"default""#, custom: #""sound":"bark""#)),
            .passed(
                misplacedRule, "ordinary words",
                #"{"aps":{"badge":1},"category":"shoes","alert":true,"sound":1,"attributes":{},"event":"x"}"#),
            .passed(misplacedRule, "a badge of gold", alert(custom: #""badge":"gold""#)),
            .found(
                misplacedRule, "a Live Activity's event", at: "event",
                #"{"aps":{"timestamp":1800000000,"content-state":{}},"event":"update"}"#
            ) { $0.pushType = .liveactivity },
            .found(misplacedRule, "a header in a call", at: "apns-priority", #"{"aps":{},"apns-priority":10}"#) {
                $0.pushType = .voip
            },
            .found(
                misplacedRule, "sound in alert", at: "aps.alert.sound",
                #"{"aps":{"alert":{"body":"B","sound":"a.caf"}}}"#),
            .passed(
                misplacedRule, "a Live Activity's sound", #"{"aps":{"event":"end","alert":{"body":"B","sound":"a"}}}"#
            ) {
                $0.pushType = .liveactivity
            },
        ] + own + values

    private static let misspeltRule = "payload.key.misspelt"
    private static let misplacedRule = "payload.key.misplaced"

    /// What the system does not show is the app's own.
    private static let own: [LintRow] =
        ([.voip, .complication, .location, .fileprovider, .pushtotalk, .mdm] as [PushType])
        .flatMap { type in
            [misplacedRule, misspeltRule, "aps.unknownKey"].map { rule in
                .passed(
                    rule, "a payload of \(type)",
                    #"{"aps":{"threadId":"a","title":"T","caller":"A"},"alert":"Call","sound":"ring.caf","badge":1,"#
                        + #""threadId":"c1","locKey":"x"}"#
                ) { $0.pushType = type }
            }
        } + [
            .passed(misplacedRule, "a call by its topic", #"{"aps":{},"sound":"ring.caf"}"#) {
                ($0.pushType, $0.topic) = (nil, "com.example.post.voip")
            }
        ]

    private static let misspelt: [(path: String, payload: String)] = [
        ("aps.content_available", #"{"aps":{"content_available":1}}"#),
        ("aps.mutableContent", #"{"aps":{"mutableContent":1}}"#),
        ("aps.Interruption_Level", #"{"aps":{"Interruption_Level":"active"}}"#),
        ("aps.contentState", #"{"aps":{"contentState":{}}}"#),
        ("aps.staleDate", #"{"aps":{"event":"update","staleDate":1}}"#),
        ("aps.dissmisal-date", #"{"aps":{"event":"end","dissmisal-date":1}}"#),
        ("aps.threadId", #"{"aps":{"threadId":"a"}}"#),
        ("aps.bagde", #"{"aps":{"bagde":1}}"#),
        ("aps.Alert", #"{"aps":{"Alert":"Hi"}}"#),
        ("aps.alert.Title", #"{"aps":{"alert":{"Title":"T"}}}"#),
        ("aps.alert.lockey", #"{"aps":{"alert":{"lockey":"K"}}}"#),
        ("aps.alert.body_loc_key", #"{"aps":{"alert":{"body_loc_key":"K"}}}"#),
        ("aps.alert.message", #"{"aps":{"alert":{"message":"M"}}}"#),
        ("aps.alert.title.locKey", #"{"aps":{"event":"end","alert":{"title":{"locKey":"K"}}}}"#),
        ("aps.sound.isCritical", #"{"aps":{"sound":{"isCritical":1}}}"#),
        ("aps.sound.Volume", #"{"aps":{"sound":{"critical":1,"Volume":1}}}"#),
        ("aps.sound.vol", #"{"aps":{"sound":{"vol":1}}}"#), ("aps.sound.sound", #"{"aps":{"sound":{"sound":"a"}}}"#),
        ("aps.thread", #"{"aps":{"thread":"a"}}"#), ("aps.click_action", #"{"aps":{"click_action":"SHIP"}}"#),
        ("aps.alert.text", #"{"aps":{"alert":{"text":"x"}}}"#),
        ("aps.alert.Description", #"{"aps":{"alert":{"Description":"x"}}}"#),
        ("aps.summaryArg", #"{"aps":{"summaryArg":"x"}}"#),
        ("aps.alert.actionLocKey", #"{"aps":{"alert":{"actionLocKey":"K"}}}"#),
        ("Simulator target bundle", #"{"aps":{"alert":"B"},"Simulator target bundle":"a.b"}"#),
    ]

    private static let misplaced: [(path: String, payload: String)] = [
        ("interruptionLevel", #"{"aps":{"alert":"B"},"interruptionLevel":"active"}"#),
        ("sound", #"{"aps":{"alert":"B"},"sound":"default"}"#), ("badge", #"{"aps":{"alert":"B"},"badge":1}"#),
        ("mutable_content", #"{"aps":{"alert":"B"},"mutable_content":1}"#),
        ("Content-Available", #"{"aps":{"alert":"B"},"Content-Available":1}"#),
        ("thread-id", #"{"aps":{"alert":"B"},"thread-id":"a"}"#),
        ("contentState", #"{"aps":{"event":"update"},"contentState":{}}"#),
        ("interuption-level", #"{"aps":{"alert":"B"},"interuption-level":"active"}"#),
        ("mutable-contnet", #"{"aps":{"alert":"B"},"mutable-contnet":1}"#),
        ("loc-key", #"{"aps":{"alert":"B"},"loc-key":"K"}"#),
        ("launchImage", #"{"aps":{"alert":"B"},"launchImage":"L"}"#),
        ("aps.alert.badge", #"{"aps":{"alert":{"body":"B","badge":1}}}"#),
        ("aps.alert.mutableContent", #"{"aps":{"alert":{"body":"B","mutableContent":1}}}"#),
        ("aps.title", #"{"aps":{"title":"T"}}"#), ("aps.volume", #"{"aps":{"volume":1}}"#),
        ("aps.sound.badge", #"{"aps":{"sound":{"badge":1}}}"#), ("aps.sound.body", #"{"aps":{"sound":{"body":"B"}}}"#),
        ("apns-priority", #"{"aps":{"alert":"B"},"apns-priority":10}"#),
        ("apns_topic", #"{"aps":{"alert":"B"},"apns_topic":"a.b"}"#),
        ("apnsPushType", #"{"aps":{"alert":"B"},"apnsPushType":"alert"}"#),
        ("aps.apns-collapse-id", #"{"aps":{"apns-collapse-id":"x"}}"#), ("aps.priority", #"{"aps":{"priority":10}}"#),
        ("aps.message", #"{"aps":{"message":"B"}}"#), ("aps.aps", #"{"aps":{"aps":{"alert":"A"}}}"#),
        ("aps.alert.APS", #"{"aps":{"alert":{"APS":{}}}}"#),
        ("aps.alert.apns-expiration", #"{"aps":{"alert":{"body":"B","apns-expiration":0}}}"#),
    ]

    /// Values without effect, and pushes for nobody.
    private static let values: [LintRow] =
        missingAPS + [
            .found(
                "sound.unknownKey", "no key of Apple's", at: "aps.sound.colour", #"{"aps":{"sound":{"colour":"red"}}}"#),
            .passed("sound.unknownKey", "its keys", #"{"aps":{"sound":{"critical":1,"name":"a.caf","volume":1}}}"#),
            .found(
                "alert.unknownKey", "in a text's dictionary", at: "aps.alert.title.title-loc-args",
                #"{"aps":{"alert":{"title":{"loc-key":"K","title-loc-args":[]}}}}"#),
            .found(
                "payload.type", "the app's name", at: "Simulator Target Bundle",
                #"{"aps":{"alert":"B"},"Simulator Target Bundle":5}"#),
            .passed("payload.type", "the app's name", #"{"aps":{"alert":"B"},"Simulator Target Bundle":"a.b"}"#),
            .found("volume.ordinary", "not critical", at: "aps.sound.volume", #"{"aps":{"sound":{"volume":0.5}}}"#),
            .passed("volume.ordinary", "critical", #"{"aps":{"sound":{"critical":1,"volume":0.5}}}"#),
            .found("sound.format", "an mp3", at: "aps.sound", #"{"aps":{"alert":"B","sound":"bell.MP3"}}"#),
            .found(
                "sound.format", "a critical one", at: "aps.sound.name",
                #"{"aps":{"sound":{"critical":1,"name":"a.m4a"}}}"#),
            .found(
                "sound.format", "of a Live Activity", at: "aps.alert.sound",
                live(#""alert":{"title":"T","sound":"a.ogg"}"#)
            ) {
                $0.pushType = .liveactivity
            },
            .passed("sound.format", "a caf", #"{"aps":{"alert":"B","sound":"bell.CAF"}}"#),
            .passed("sound.format", "the default one", #"{"aps":{"alert":"B","sound":"default"}}"#),
            .found(
                "payload.mutableNoAlert", "nothing to change", at: "aps.mutable-content",
                #"{"aps":{"mutable-content":1}}"#),
            .found(
                "payload.mutableNoAlert", "a background push", at: "aps.mutable-content",
                #"{"aps":{"content-available":1,"mutable-content":1}}"#
            ) { $0.pushType = .background },
            .passed("payload.mutableNoAlert", "an alert", alert(aps: #""mutable-content":1"#)),
            .passed("payload.mutableNoAlert", "another type", #"{"aps":{"mutable-content":1}}"#) {
                $0.pushType = .voip
            },
            .found("la.payload.pushType", "as an alert", at: "aps.content-state", live()),
            .found("la.payload.pushType", "without the header", at: "aps.content-state", live()) {
                ($0.pushType, $0.topic) = (nil, "com.example.post")
            },
            .passed("la.payload.pushType", "no header is known", live()) { $0.pushType = nil },
            .found("la.payload.pushType", "an event alone", at: "aps.event", alert(aps: #""event":"update""#)) {
                ($0.pushType, $0.topic) = (nil, "com.example.post")
            },
            .passed("la.payload.pushType", "another event", alert(aps: #""event":"party""#)),
            .passed("la.payload.pushType", "a call's event", #"{"aps":{"event":"end"}}"#) { $0.pushType = .voip },
            .passed("la.timestamp.missing", "an alert by its topic", alert(aps: #""event":"update""#)) {
                ($0.pushType, $0.topic) = (nil, "com.example.post")
            },
            .found("la.timestamp.missing", "by its topic", at: "aps.timestamp", #"{"aps":{"event":"update"}}"#) {
                ($0.pushType, $0.topic) = (nil, "com.example.post.push-type.liveactivity")
            },
            .found("alert.encodedTwice", "a dictionary", at: "aps.alert", #"{"aps":{"alert":"{\"title\":\"T\"}"}}"#),
            .passed("alert.encodedTwice", "a text in braces", #"{"aps":{"alert":"{name} is here."}}"#),
            .passed("alert.encodedTwice", "another dictionary", #"{"aps":{"alert":"{\"a\":1}"}}"#),
            .passed("la.payload.pushType", "as itself", live()) { $0.pushType = .liveactivity },
            .passed("la.payload.pushType", "another payload", alert()),
            .found("la.number.text", "a date as text", at: "aps.stale-date", live(#""stale-date":"1800000900""#)) {
                $0.pushType = .liveactivity
            },
            .found("la.number.text", "a flag", at: "aps.stale-date", live(#""stale-date":true"#)) {
                $0.pushType = .liveactivity
            },
            .found(
                "la.number.text", "the other date", at: "aps.dismissal-date", live(#""dismissal-date":"1800000900""#)
            ) {
                $0.pushType = .liveactivity
            },
            .passed("la.number.text", "a flag for a flag", live(#""input-push-token":true"#)) {
                $0.pushType = .liveactivity
            },
            .passed("la.number.text", "a number", live(#""stale-date":1800000900"#)) { $0.pushType = .liveactivity },
            .found("level.undeclared", "time-sensitive", at: "aps.interruption-level", timeSensitive) {
                ($0.app, $0.undeclaredApp) = (nil, "a.b")
            },
            .found("level.undeclared", "a critical sound", at: "aps.sound", #"{"aps":{"sound":{"critical":1}}}"#) {
                ($0.app, $0.undeclaredApp) = (nil, "a.b")
            },
            .found("level.undeclared", "a communication", at: "communication", alert()) {
                ($0.app, $0.undeclaredApp) = (nil, "a.b")
                $0.content.communication = CommunicationContext()
            },
            .passed("level.undeclared", "a declared one", timeSensitive),
            .passed("level.undeclared", "a Live Activity", timeSensitive) {
                ($0.pushType, $0.app, $0.undeclaredApp) = (.liveactivity, nil, "a.b")
            },
            .passed("level.undeclared", "an ordinary one", alert()) { ($0.app, $0.undeclaredApp) = (nil, "a.b") },
            .found(
                "alert.locFormat", "a C conversion", at: "aps.alert.loc-key",
                #"{"aps":{"alert":{"loc-key":"C","loc-args":["x"]}}}"#
            ) {
                $0.app?.localizations = ["en": ["C": "%1$s sold for 10% off"]]
            },
            .passed("alert.locFormat", "percentages", #"{"aps":{"alert":{"loc-key":"C","loc-args":["x"]}}}"#) {
                $0.app?.localizations = ["en": ["C": "%@: 10% off, 5%-off, 7% less, 100%. 9%"]]
            },
            .passed("alert.locFormat", "an object", #"{"aps":{"alert":{"loc-key":"C","loc-args":["x"]}}}"#) {
                $0.app?.localizations = ["en": ["C": "%@ at 100% discount, 5%% off"]]
            },
            .passed(
                "payload.url.scheme", "deep links", alert(custom: #""url":"myapp://a","b":"tel://1","c":"ftp://x""#)),
            .passed("payload.aps.missing", "MDM", #"{"mdm":"4B17"}"#) { $0.pushType = .mdm },
            .passed("payload.aps.missing", "MDM, by its payload", #"{"mdm":"4B17"}"#) { $0.pushType = nil },
            .passed("payload.aps.missing", "a file provider's", #"{"domain":"a"}"#) { $0.pushType = .fileprovider },
            .passed("relevance.range", "a Live Activity's", live(#""relevance-score":100"#)) {
                $0.pushType = .liveactivity
            },
            .found(
                "payload.mutableMissing", "only what is meant for it", at: "aps.mutable-content",
                alert(custom: #""sender":1,"mutable_content":1"#)
            ) { $0.app?.hasServiceExtension = true },
            .passed("payload.mutableMissing", "a misplaced key only", alert(custom: #""mutable_content":1"#)) {
                $0.app?.hasServiceExtension = true
            },
        ]

    /// Where `aps` went.
    private static let missingAPS: [LintRow] =
        [
            ("APS", #"{"APS":{"alert":"A"}}"#), ("aps ", #"{"aps ":{"alert":"A"}}"#),
            ("apns", #"{"apns":{"alert":"A"}}"#),
            ("asp", #"{"asp":{"badge":1}}"#), ("data.aps", #"{"data":{"aps":{"alert":"A"}}}"#),
            ("message.apns.payload.aps", #"{"message":{"token":"t","apns":{"payload":{"aps":{"alert":"A"}}}}}"#),
            ("APNS", #"{"APNS":"{\"aps\":{\"alert\":\"A\"}}"}"#), ("", #"{"apps":"x","ape":{"name":"Ai"},"order":{}}"#),
        ].map { .found("payload.aps.missing", $0.1, at: $0.0, $0.1) } + [
            .passed("payload.aps.missing", "custom keys of any depth", alert(custom: #""data":{"aps":{}},"APNS":1"#))
        ]

    private static let timeSensitive = alert(aps: #""interruption-level":"time-sensitive""#)

    private static func live(_ more: String = "") -> String {
        #"{"aps":{"event":"update","timestamp":1800000000,"content-state":{}"# + (more.isEmpty ? "" : "," + more) + "}}"
    }
}
