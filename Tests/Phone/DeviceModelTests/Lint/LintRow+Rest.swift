import APNs
import DeviceModel
import Lint
import Time

extension LintRow {
    private static let timeSensitive = #""interruption-level":"time-sensitive""#

    static let levels: [LintRow] = [
        .found(
            "level.ts.notSoon", "S3-10 in 61 minutes, in seconds", at: "event_time", event("event_time", "1767607260")),
        .found("level.ts.notSoon", "S3-10 in milliseconds", at: "startsAt", event("startsAt", "1767607260000")),
        .found("level.ts.notSoon", "S3-10 in UTC", at: "due_date", event("due_date", #""2026-01-05T10:01:00Z""#)),
        .found(
            "level.ts.notSoon", "S3-10 with an offset", at: "start-time",
            event("start-time", #""2026-01-05T19:01:00+09:00""#)),
        .passed("level.ts.notSoon", "S3-10 in 60 minutes", event("event_time", "1767607200")),
        .passed("level.ts.notSoon", "S3-10 in 60 minutes elsewhere", event("due", #""2026-01-05T05:00:00-05:00""#)),
        .passed("level.ts.notSoon", "S3-10 no time", event("event_time", #""tomorrow""#)),
        .passed("level.ts.notSoon", "S3-10 before all time, in seconds", event("deadline", "-9300000000000000")),
        .passed("level.ts.notSoon", "S3-10 at the first millisecond", event("deadline", "-9223372036854775")),
        .passed("level.ts.notSoon", "S3-10 the least number", event("deadline", "-9223372036854775808")),
        .found("level.ts.notSoon", "S3-10 the greatest", at: "deadline", event("deadline", "9223372036854775807")),
        .passed("level.ts.notSoon", "S3-10 active", alert(custom: #""event_time":1767607260"#)),
        .found(
            "level.ts.noEntitlement", "S0-26 no entitlement", at: "aps.interruption-level", alert(aps: timeSensitive)),
        .passed("level.ts.noEntitlement", "S0-26 the entitlement", alert(aps: timeSensitive)) {
            $0.app?.entitlements = [Entitlement.timeSensitive.rawValue]
        },
        .found(
            "level.critical.noEntitlement", "S0-19 the level", at: "aps.interruption-level",
            alert(aps: #""interruption-level":"critical","sound":{"critical":1}"#)),
        .found(
            "level.critical.noEntitlement", "S0-19 the sound alone", at: "aps.sound",
            alert(aps: #""sound":{"critical":1}"#)),
        .passed("level.critical.noEntitlement", "S0-19 the entitlement", alert(aps: #""sound":{"critical":1}"#)) {
            $0.app?.entitlements = [Entitlement.criticalAlerts.rawValue]
        },
        .found("level.overuse", "S0-44 S3-9 11 of 20", at: "aps.interruption-level", alert(aps: timeSensitive)) {
            $0.history = levels(timeSensitive: 10, active: 9)
        },
        .passed("level.overuse", "S3-9 10 of 20", alert(aps: timeSensitive)) {
            $0.history = levels(timeSensitive: 9, active: 10)
        },
        .passed("level.overuse", "S3-9 a handful", alert(aps: timeSensitive)) {
            $0.history = levels(timeSensitive: 3, active: 0)
        },
        .passed("level.overuse", "S3-9 an active one", alert()) { $0.history = levels(timeSensitive: 19, active: 0) },
        .found("level.comm.needed", "S3-5 sender_id", at: "sender_id", alert(custom: #""sender_id":"1""#)),
        .found("level.comm.needed", "S0-43 fromUser", at: "fromUser", alert(custom: #""fromUser":"1""#)),
        .passed("level.comm.needed", "S3-5 updated", alert(custom: #""sender_id":"1""#)) { $0.isCommunication = true },
        .passed("level.comm.needed", "S3-5 other keys", alert(custom: #""order":"1""#)),
    ]

    static let marketing: [LintRow] = [
        .found(
            "level.marketing.ts", "S3-12 % off", at: "aps.interruption-level",
            alert("20% Off Lamps", aps: timeSensitive)),
        .found("level.marketing.ts", "S3-12 セール", at: "aps.interruption-level", alert("夏のセール", aps: timeSensitive)),
        .found(
            "level.marketing.ts", "S3-12 a custom key", at: "aps.interruption-level",
            alert(aps: #""interruption-level":"critical""#, custom: #""marketing":true"#)),
        .passed("level.marketing.ts", "S3-12 active", alert("20% Off Lamps")),
        .passed("level.marketing.ts", "S3-12 a word within a word", alert("Wholesalers Meet", aps: timeSensitive)),
        .passed("level.marketing.ts", "S3-12 no marketing", alert(aps: timeSensitive, custom: #""marketing":false"#)),
        .found("marketing.noOptIn", "S3-36 refused", at: "aps.alert", severity: .error, alert("Summer Sale")) {
            $0.app?.hasMarketingConsent = false
        },
        .found("marketing.noOptIn", "S3-36 never asked", at: "aps.alert", severity: .warning, alert("Summer Sale")) {
            $0.app?.hasMarketingConsent = nil
        },
        .passed("marketing.noOptIn", "S3-36 agreed", alert("Summer Sale")),
        .passed("marketing.noOptIn", "S3-36 no marketing", alert()) { $0.app?.hasMarketingConsent = false },
        .found("marketing.noSettings", "S3-37 no settings", at: "aps.alert", alert("Summer Sale")),
        .passed("marketing.noSettings", "S3-37 settings in the app", alert("Summer Sale")) {
            $0.app?.providesNotificationSettings = true
        },
        .passed("marketing.noSettings", "S3-37 no marketing", alert()),
    ]

    static let badges: [LintRow] = [
        .found("badge.misuse", "S3-32 a jump of 51", at: "aps.badge", alert(aps: #""badge":54"#)) {
            $0.history = .with { $0.badge = 3 }
        },
        .passed("badge.misuse", "S3-32 a jump of 50", alert(aps: #""badge":53"#)) {
            $0.history = .with { $0.badge = 3 }
        },
        .passed("badge.misuse", "S3-34 only the app knows how many are unread", alert(aps: #""badge":3"#)) {
            $0.history = .with { $0.badge = 2 }
        },
        .found("badge.misuse", "S3-33 the third badge without an alert", at: "aps.badge", #"{"aps":{"badge":21}}"#) {
            $0.history = .with { $0.badgesWithoutAlert = 2 }
        },
        .passed("badge.misuse", "S3-33 the second one", #"{"aps":{"badge":21}}"#) {
            $0.history = .with { $0.badgesWithoutAlert = 1 }
        },
        .passed("badge.misuse", "S3-34 cleared", #"{"aps":{"badge":0}}"#) {
            $0.history = .with { ($0.badge, $0.badgesWithoutAlert) = (99, 9) }
        },
    ]

    static let payloads: [LintRow] = [
        .found(
            "payload.mutableMissing", "S2-17 no mutable-content", at: "aps.mutable-content", alert(custom: #""id":1"#)
        ) {
            $0.app?.hasServiceExtension = true
        },
        .passed("payload.mutableMissing", "S2-17 mutable", alert(aps: #""mutable-content":1"#, custom: #""id":1"#)) {
            $0.app?.hasServiceExtension = true
        },
        .passed("payload.mutableMissing", "S2-17 nothing to do for the extension", alert()) {
            $0.app?.hasServiceExtension = true
        },
        .passed("payload.mutableMissing", "S2-17 no extension", alert(custom: #""id":1"#)),
        .found("payload.duplicateKey", "RFC 8259 two badges", at: "aps.badge", #"{"aps":{"badge":1,"badge":2}}"#),
        .found("payload.duplicateKey", "RFC 8259 two of aps, one escaped", at: "aps", #"{"aps":{},"a\u0070s":{}}"#),
        .found("payload.duplicateKey", "RFC 8259 thrice", at: "a[1].b", #"{"aps":{},"a":[0,{"b":1,"b":2,"b":3}]}"#),
        .passed(
            "payload.duplicateKey", "the same key elsewhere",
            #"{"aps":{"badge":1},"a":{"badge":1},"badge":[{"a":1},{"a":2}]}"#),
        .passed("payload.duplicateKey", "no JSON", #"{"aps":{"badge":1,"badge":2}"#),
        .found(
            "payload.url.scheme", "S2-17 hhttps", at: "url", alert(custom: #""url":"hhttps://placekitten.com/200/287""#)
        ),
        .found(
            "payload.url.scheme", "S2-17 deep within", at: "a.b[1]", alert(custom: #""a":{"b":[1,"htp://x"]}"#)),
        .passed("payload.url.scheme", "S2-17 https", alert(custom: #""url":"HTTPS://a/b","file":"file:///a""#)),
        .passed("payload.url.scheme", "S2-17 no address", alert(custom: #""text":"see http://a and b://c","n":"://""#)),
        .found("sound.only", "S3-23 a sound alone", at: "aps.sound", #"{"aps":{"sound":"default"}}"#),
        .passed("sound.only", "S3-23 with a text", alert(aps: #""sound":"default""#)),
        .passed("sound.only", "another type of push", #"{"aps":{"sound":"default"}}"#) { $0.pushType = .voip },
        .found("category.unknown", "I.5 no such category", at: "aps.category", alert(aps: #""category":"SHIPS""#)),
        .passed("category.unknown", "I.5 a registered one", alert(aps: #""category":"SHIP""#)),
        .passed("category.unknown", "I.5 nobody told", alert(aps: #""category":"SHIPS""#)) { $0.app?.categories = [] },
    ]

    /// Rules that the decoder applies: the same near miss serves all of them.
    static let decoding: [LintRow] =
        [
            .found("payload.json", "S0-21 broken", at: "", #"{"aps":{"alert":{"title":"A"}"badge":1}}"#),
            .found("payload.type", "C.6 a number as a text", at: "aps.thread-id", #"{"aps":{"thread-id":1}}"#),
            .found("payload.aps.missing", "C.6 no aps", at: "", #"{"a":1}"#),
            .found("payload.aps.type", "C.6 aps is a string", at: "aps", #"{"aps":"x"}"#),
            .found(
                "payload.interruption-level.unknown", "S0-20 unknown", at: "aps.interruption-level",
                #"{"aps":{"interruption-level":"time-senstive"}}"#),
            .found("relevance.range", "C.6 beyond 1", at: "aps.relevance-score", #"{"aps":{"relevance-score":1.01}}"#),
            .found("badge.type", "C.6 a text", at: "aps.badge", #"{"aps":{"badge":"1"}}"#),
            .found(
                "sound.critical.noDict", "C.6 a name", at: "aps.sound",
                #"{"aps":{"interruption-level":"critical","sound":"default"}}"#),
            .found(
                "volume.range", "C.6 too loud", at: "aps.sound.volume", #"{"aps":{"sound":{"critical":1,"volume":2}}}"#),
            .found("aps.unknownKey", "7.2 a custom key in aps", at: "aps.order", #"{"aps":{"order":"17"}}"#),
            .found("summary-arg.ignored", "C.6 summary-arg", at: "aps.summary-arg", #"{"aps":{"summary-arg":"x"}}"#),
            .found("alert.unknownKey", "7.2 in alert", at: "aps.alert.hue", #"{"aps":{"alert":{"hue":"x"}}}"#),
            .found("alert.ignoredKey", "7.2 action", at: "aps.alert.action", #"{"aps":{"alert":{"action":"x"}}}"#),
            .found(
                "alert.liveActivityForm", "7.2 a dictionary", at: "aps.alert.title",
                #"{"aps":{"alert":{"title":{"loc-key":"SHIPPED","loc-args":["1"]}}}}"#),
            .found(
                "alert.locKey.unknown", "C.6 no such key", at: "aps.alert.loc-key",
                #"{"aps":{"alert":{"loc-key":"NO"}}}"#),
            .found(
                "alert.locArgs.tooFew", "C.6 no arguments", at: "aps.alert.title-loc-args",
                #"{"aps":{"alert":{"title-loc-key":"SHIPPED"}}}"#),
        ].flatMap { [$0, .passed($0.rule, "a sound payload", sound)] }

    private static let sound =
        #"{"aps":{"alert":{"title-loc-key":"SHIPPED","title-loc-args":["Lamp"],"body":"It is on its way."},"badge":1,"#
        + #""sound":{"critical":1,"volume":1},"interruption-level":"critical","relevance-score":1,"thread-id":"a"},"order":"17"}"#

    static let services: [LintRow] = [
        .found("wd.aps", "L5.3 more than content-changed", at: "", #"{"aps":{"content-changed":true},"score":"1"}"#) {
            $0.pushType = .widgets
        },
        .found("wd.aps", "L5.3 a control without aps", at: "", "{}") { $0.pushType = .controls },
        .passed("wd.aps", "the fixed payload", #"{"aps":{"content-changed":true}}"#) { $0.pushType = .controls },
        .passed("wd.aps", "1 is true", #"{"aps":{"content-changed":1}}"#) { $0.pushType = .widgets },
        .passed("wd.aps", "an alert", alert()),
        .found("voip.cancelPush", "L5.3 a key", at: "cancel_call", #"{"aps":{},"cancel_call":"7"}"#) {
            $0.pushType = .voip
        },
        .found("voip.cancelPush", "L5.3 a value", at: "type", #"{"aps":{},"type":"hang-up"}"#) { $0.pushType = .voip },
        .passed("voip.cancelPush", "a call", #"{"aps":{},"type":"call","handle":"+1555"}"#) { $0.pushType = .voip },
        .found("voip.cancelPush", "L5.3 camel case", at: "callCancelled", #"{"aps":{},"callCancelled":true}"#) {
            $0.pushType = .voip
        },
        .found("voip.cancelPush", "L5.3 several words", at: "callStatus", #"{"callStatus":"USER_CANCELLED"}"#) {
            $0.pushType = .voip
        },
        .passed(
            "voip.cancelPush", "parts of words and other keys",
            #"{"caller":"Fabian Cancellara","cancellable":true,"can_cancel":true,"cancelled":false,"#
                + #""note":"appointment cancelled by clinic","type":"Cancellara"}"#
        ) { $0.pushType = .voip },
        .passed("voip.cancelPush", "an alert", alert(custom: #""cancel":"1""#)),
        .found("bg.rate", "L5.3 the fourth within an hour", at: "", background) {
            ($0.pushType, $0.history) = (.background, backgrounds(minutesAgo: 59, 30, 1))
        },
        .passed("bg.rate", "one that wakes no app", #"{"aps":{"content-available":1,"badge":1}}"#) {
            ($0.pushType, $0.history) = (.background, backgrounds(minutesAgo: 59, 30, 1))
        },
        .passed("bg.rate", "the first was an hour ago", background) {
            ($0.pushType, $0.history) = (.background, backgrounds(minutesAgo: 60, 30, 1))
        },
        .found("push.undeclared", "L3 an app that says nothing", at: "", "{}") { $0.pushType = .voip },
        .passed("push.undeclared", "an app that says so", "{}") { subject in
            subject.pushType = .pushtotalk
            subject.app?.ptt = true
        },
        .passed("push.undeclared", "an alert", alert()),
    ]

    private static let background = #"{"aps":{"content-available":1}}"#

    private static func backgrounds(minutesAgo minutes: Int64...) -> LintHistory {
        .with { $0.backgroundPushes = minutes.map { now.advanced(by: -$0 * 60_000) } }
    }

    private static func event(_ key: String, _ value: String) -> String {
        alert(aps: timeSensitive, custom: "\"\(key)\":\(value)")
    }

    private static func levels(timeSensitive: Int, active: Int) -> LintHistory {
        .with {
            // Older notifications do not count.
            $0.levels = [.passive] + Array(repeating: .timeSensitive, count: timeSensitive)
            $0.levels += Array(repeating: .active, count: active)
            if timeSensitive + active < 19 { $0.levels.removeFirst() }
        }
    }
}
