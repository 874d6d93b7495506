internal import APNs
internal import DeviceModel
internal import Fields
internal import JSON
internal import LiveModel
internal import Time

/// Rules about pushes for Live Activities (live.md L5.3).
extension LintRule {
    static let activities =
        [
            LintRule(
                "la.topic.suffix", .error, "Apple forum 712499",
                "the topic needs the suffix `.push-type.liveactivity`: APNs rejects another one",
                fix: "apns-topic: com.example.app.push-type.liveactivity"
            ) { facts in
                guard facts.subject.pushType == .liveactivity, let topic = facts.subject.topic else { return [] }
                return hit("", topic, if: !topic.hasSuffix(PushType.liveactivity.topicSuffix))
            },
            LintRule(
                "la.pushType", .error, "doc: ActivityKit push notifications",
                "`apns-push-type` must be liveactivity for a Live Activity's token and topic",
                fix: "apns-push-type: liveactivity"
            ) { facts in
                guard let type = facts.subject.pushType, let topic = facts.subject.topic else { return [] }
                return hit(
                    "", type.name, if: type != .liveactivity && topic.hasSuffix(PushType.liveactivity.topicSuffix))
            },
            live(
                "la.event", .error, "doc: ActivityKit push notifications", "`event` must be start, update or end",
                fix: #""event": "update""#
            ) { facts, message in
                hit("aps.event", message.eventText ?? "absent", if: message.event == nil)
            },
            live(
                "la.timestamp.missing", .error, "doc: ActivityKit push notifications",
                "`timestamp` is missing or no number: the device drops the push",
                fix: #""timestamp": 1800000000"#
            ) { _, message in
                hit("aps.timestamp", if: message.timestamp == nil)
            },
            live(
                "la.timestamp.ms", .error, "firebase-ios-sdk #15648",
                "`timestamp` is not in seconds",
                fix: #""timestamp": 1800000000"#
            ) { _, message in otherUnit(message.timestamp, at: "aps.timestamp") },
            live(
                "la.date.ms", .error, "firebase-ios-sdk #15648", "a date is not in seconds",
                fix: #""stale-date": 1800000900"#
            ) { facts, _ in
                ["stale-date", "dismissal-date"].flatMap { otherUnit(facts.aps[$0]?.double, at: "aps.\($0)") }
            },
            live(
                "la.number.text", .error, "capacitor-live-activity #7", "a value is no number, so it is ignored",
                fix: #""stale-date": 1800000900"#
            ) { facts, _ in
                ["stale-date", "dismissal-date", "input-push-token"].flatMap { key in
                    hit(
                        "aps.\(key)", fix: KeyPlace.example(of: key),
                        if: facts.aps[key].map { !$0.isNumber(orFlag: key == "input-push-token") } ?? false)
                }
            },
            live(
                "la.state.missing", .error, "doc: ActivityKit push notifications",
                "a start or update without `content-state`: the device drops it",
                fix: #""content-state": {"eta": 821692800, "step": 2}"#
            ) { _, message in
                hit("aps.content-state", if: [.start, .update].contains(message.event) && message.contentState == nil)
            },
            live(
                "la.state.type", .warning, "doc: ActivityKit push notifications",
                "Apple documents `content-state` as a dictionary",
                fix: #""content-state": {"eta": 821692800, "step": 2}"#
            ) { facts, message in
                guard let state = message.contentState, facts.declaredType == nil else { return [] }
                if case .object = state { return [] }
                return [Hit(path: "aps.content-state", detail: "found \(state.text.prefix(20))")]
            },
            live(
                "la.dismissal.notEnd", .warning, "OneSignal", "`dismissal-date` works only with `end`",
                fix: #""event": "end", "dismissal-date": 1800000900"#
            ) { _, message in
                hit("aps.dismissal-date", if: message.dismissalDate != nil && message.event != .end)
            },
            live(
                "la.start.noAlert", .error, "doc: ActivityKit push notifications; GoCarrot/TeakCocoaPodsExample #2",
                "a start without `alert`: APNs accepts it, and the device shows nothing",
                fix: #""alert": {"title": "On its way", "body": "Arrives at noon"}"#
            ) { _, message in
                hit("aps.alert", if: message.event == .start && message.alert == nil)
            },
            live(
                "la.start.noAttributes", .error, "doc: ActivityKit push notifications",
                "a start needs `attributes-type` and `attributes`",
                fix: #""attributes-type": "Delivery", "attributes": {"orderId": "7"}"#
            ) { _, message in
                guard message.event == .start else { return [] }
                return hit("aps.attributes-type", if: message.attributesType == nil)
                    + hit("aps.attributes", if: message.attributes == nil)
            },
            live(
                "la.attributesType.unknown", .error, "Home Assistant",
                "the app has no such attributes type (names are case-sensitive)",
                fix: #""attributes-type": "Delivery""#,
                needs: [.app]
            ) { facts, message in
                guard let name = message.attributesType, let declared = facts.app?.liveActivities,
                    !declared.acceptsEverything, declared.type(name) == nil
                else { return [] }
                let nearest = NearestName.of(name, among: declared.types.map(\.name)).map {
                    ", did you mean \"\($0)\"?"
                }
                return [Hit(path: "aps.attributes-type", detail: "\"\(name)\"\(nearest ?? "")")]
            },
            live(
                "la.attributes.copyOfState", .warning, "Apple forum 777566",
                "`attributes` equals `content-state`: attributes are the static members",
                fix: #""attributes": {"orderId": "7"}, "content-state": {"step": 1}"#
            ) { _, message in
                let isCopy = message.attributes != nil && message.attributes == message.contentState
                return hit("aps.attributes", if: isCopy && message.attributes != .object([:]))
            },
            live(
                "la.input.both", .error, "doc: ActivityKit push notifications",
                "both input keys: the device rejects the start",
                fix: #""input-push-token": 1"#
            ) { _, message in
                hit("aps.input-push-channel", if: message.wantsToken && message.channel != nil)
            },
            live(
                "la.input.ios", .info, "doc: ActivityKit push notifications",
                "input-push-channel needs iOS 18; older devices do not start the activity",
                fix: #""input-push-token": 1"#
            ) { _, message in
                hit("aps.input-push-channel", if: message.channel != nil)
            },
            live(
                "la.size.4k", .error, "doc: Displaying live data with Live Activities",
                "static and dynamic data may not exceed \(LiveActivity.maximumDataByteCount) bytes on the device",
                fix: "an identifier with which the app fetches the rest"
            ) { facts, message in
                // The device knows the attributes of an update's activity.
                if let note = facts.subject.notes?.first(where: { $0.id == "la.size.4k" }) {
                    return [Hit(path: "aps.content-state", detail: note.detail)]
                }
                let count = message.attributesByteCount + message.contentByteCount
                return hit("aps.content-state", "\(count) bytes", if: count > LiveActivity.maximumDataByteCount)
            },
            live(
                "la.start.exp0", .info, "loopandlearn/LoopFollow #625",
                "a start with apns-expiration 0 is lost if the device is offline",
                fix: "apns-expiration: 1800003600"
            ) { facts, message in
                hit("", if: message.event == .start && facts.subject.expiration == .immediate)
            },
            live(
                "la.start.noCollapse", .info, "loopandlearn/LoopFollow; Home Assistant",
                "without apns-collapse-id, retried starts can pile up",
                fix: "apns-collapse-id: order-7"
            ) { facts, message in
                hit("", if: message.event == .start && facts.subject.hasCollapseID == false)
            },
            alert(
                "la.alert.empty", .warning, "Apple forum 799195", "an alert without text and sound does nothing",
                fix: #""alert": {"title": "Almost there", "body": "Two stops away"}"#
            ) { alert in
                alert.title.isEmpty && alert.body.isEmpty && (alert.sound ?? "").isEmpty
            },
            alert(
                "la.alert.noTitle", .warning, "OneSignal", "an alert without a title is ignored, and its sound with it",
                fix: #""alert": {"title": "Almost there", "body": "Two stops away"}"#
            ) { alert in
                alert.title.isEmpty && !(alert.body.isEmpty && (alert.sound ?? "").isEmpty)
            },
            alert(
                "la.alert.noSound", .info, "HIG Live Activities; Home Assistant; OneSignal",
                "sources disagree whether an alert without `sound` plays one",
                fix: #""alert": {"title": "Almost there", "sound": "default"}"#
            ) { alert in
                alert.sound == nil && !alert.title.isEmpty
            },
            live(
                "la.sound.aps", .warning, "doc: ActivityKit push notifications", "`sound` belongs inside `alert`",
                fix: #""alert": {"title": "Almost there", "sound": "default"}"#
            ) { facts, _ in
                hit("aps.sound", if: facts.aps["sound"] != nil)
            },
            live(
                "la.alert.flatLoc", .info, "doc: ActivityKit push notifications",
                "use a dictionary in a Live Activity's alert",
                fix: #""title": {"loc-key": "SHIPPED", "loc-args": ["7"]}"#
            ) { facts, _ in
                let alert = facts.aps["alert"]
                return hit("aps.alert", if: alert?["loc-key"] != nil || alert?["title-loc-key"] != nil)
            },
            live(
                "la.end.noState", .info, "doc: ActivityKit push notifications",
                "an end without content-state leaves the old content for up to 4 h",
                fix: #""event": "end", "content-state": {"step": 5}"#
            ) { _, message in
                hit("aps.content-state", if: message.event == .end && message.contentState == nil)
            },
        ] + reported

    /// Found by the device, or in a payload whose type is known.
    private static let reported = [
        content(
            "la.type.undeclared", .info, "design", "the app declares no types, so every content is accepted", needs: []),
        content(
            "la.state.decode", .error, "doc: ActivityKit push notifications; #118",
            "content-state does not decode"),
        content(
            "la.state.case", .error, "WWDC23 10185", "names are matched exactly: there is no snake-case conversion"),
        content(
            "la.state.date1970", .warning, "home-assistant/iOS #4677",
            "a far date: a Swift Date counts seconds since 2001 (unix − 978307200)"),
        content("la.state.dateString", .error, "#118", "a date is text: the default decoder needs a number"),
        content("la.state.null", .info, "Apple forum 777566", "one field report of trouble with null: omit the member"),
        note(
            "la.tokenKind", .error, "doc: ActivityKit push notifications",
            "a push-to-start token accepts only start, an activity's only the others"
        ),
        note(
            "la.timestamp.past", .warning, "doc: ActivityKit; Apple forum 776165",
            "older than the latest update, so the device ignores it"),
        note("la.timestamp.future", .error, "Apple forum 776165", "more than 8 h ahead, so the device ignores it"),
        note("la.stale.past", .warning, "doc: ActivityKit", "stale-date has passed: the activity is stale at once"),
        note(
            "la.dismissal.cap", .info, "doc: Displaying live data with Live Activities",
            "iOS removes an activity 4 h after its end at the latest"),
        note(
            "la.priority.budget", .warning, "doc: ActivityKit push notifications",
            "many updates of priority 10: use 5 for unimportant ones"),
        note("la.p2s.repeat", .warning, "EKKOLearnAI/hermes-studio #3111", "starts have a budget of their own"),
        note("la.start.duplicate", .warning, "home-assistant/core #174870", "each start makes another activity"),
        note(
            "la.token.stale", .warning, "doc: ActivityKit push notifications; kylebshr/luka-ios #146",
            "the app has a newer token"),
        note(
            "la.alert.everyUpdate", .warning, "HIG Live Activities",
            "5 alerts in 10 minutes: alert only for essential updates"),
        note(
            "la.afterEnd", .warning, "doc: ActivityKit push notifications",
            "the activity is over, so the device ignores the push"),
    ]

    private static func otherUnit(_ seconds: Double?, at path: String) -> [Hit] {
        seconds.flatMap { EpochUnit(ofSeconds: $0) }.map {
            [Hit(path: path, detail: "it looks like \($0.rawValue)", fix: KeyPlace.example(at: path))]
        } ?? []
    }

    private static func live(
        _ id: String, _ severity: Finding.Severity, _ source: String, _ sentence: String, fix: String,
        needs: Set<Need> = [], _ hits: @escaping @Sendable (LintFacts, ActivityMessage) -> [Hit]
    ) -> LintRule {
        LintRule(id, severity, source, sentence, fix: fix, needs: needs) { facts in
            facts.message.map { hits(facts, $0) } ?? []
        }
    }

    private static func alert(
        _ id: String, _ severity: Finding.Severity, _ source: String, _ sentence: String, fix: String,
        _ isWrong: @escaping @Sendable ((title: String, body: String, sound: String?)) -> Bool
    ) -> LintRule {
        live(id, severity, source, sentence, fix: fix) { _, message in
            guard let alert = message.alert else { return [] }
            let texts = (
                alert.title?.text ?? alert.title?.key ?? "", alert.body?.text ?? alert.body?.key ?? "", alert.sound
            )
            return hit("aps.alert", if: isWrong(texts))
        }
    }

    private static func note(
        _ id: String, _ severity: Finding.Severity, _ source: String, _ sentence: String
    ) -> LintRule {
        LintRule(id, severity, source, sentence, fix: "see docs/live.md", needs: [.history]) { facts in
            facts.subject.notes?.filter { $0.id == id }.map { Hit(path: "", detail: $0.detail) } ?? []
        }
    }

    /// The device knows the type better.
    private static func content(
        _ id: String, _ severity: Finding.Severity, _ source: String, _ sentence: String, needs: Set<Need> = [.app]
    ) -> LintRule {
        LintRule(id, severity, source, sentence, fix: #""content-state": {"eta": 821692800, "step": 2}"#, needs: needs)
        { facts in
            guard let message = facts.message,
                let app = facts.app ?? facts.subject.undeclaredApp.map({ App(bundleID: $0) })
            else { return [] }
            let found =
                facts.subject.notes?.map { ($0.id, $0.detail) }
                ?? ActivityFinding.all(in: message, type: facts.typeName, app)
            return found.filter { $0.0 == id }.map { Hit(path: "aps.content-state", detail: $0.1) }
        }
    }
}

extension LintFacts {
    /// A start names its type; an update's type is the app's only one.
    fileprivate var typeName: String? {
        let types = app?.liveActivities?.types ?? []
        return message?.attributesType ?? (types.count == 1 ? types[0].name : nil)
    }

    fileprivate var declaredType: ActivityType? { typeName.flatMap { app?.liveActivities?.type($0) } }
}

extension JSONValue {
    fileprivate func isNumber(orFlag isFlag: Bool) -> Bool {
        switch self {
        case .integer, .number: true
        case .bool: isFlag
        case .null, .string, .array, .object, .verbatim: false
        }
    }
}
