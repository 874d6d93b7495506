internal import APNs
internal import DeviceModel
internal import Fields
internal import JSON
internal import LiveModel

extension LintRule {
    static let payload = [
        LintRule(
            "payload.mutableMissing", .warning, "mszpro.com (S2-17)",
            "without `mutable-content: 1` the app's service extension does not run",
            fix: #"{"aps": {"alert": {…}, "mutable-content": 1}, "sender_id": "1"}"#, needs: [.app]
        ) { facts in
            guard facts.app?.hasServiceExtension == true, facts.isAlert, !facts.content.isMutable else { return [] }
            let keys = facts.custom.filter { facts.findingBesideAPS($0.key, $0.value) == nil }.keys.sorted()
            guard !keys.isEmpty else { return [] }
            let names = keys.prefix(3).joined(separator: ", ")
            return [Hit(path: PayloadKey.mutableContent.path, detail: "it cannot read \(names)")]
        },
        LintRule(
            "payload.mutableNoAlert", .warning, "doc: UNNotificationServiceExtension",
            "`mutable-content` without an alert: the service extension runs only for a push that shows one",
            fix: #"{"aps": {"alert": {"title": "Neko", "body": "…"}, "mutable-content": 1}}"#
        ) { facts in
            hit(
                PayloadKey.mutableContent.path,
                if: (facts.isAlertPush || facts.subject.pushType == .background) && facts.message == nil
                    && facts.content.isMutable && !facts.content.hasAlert)
        },
        LintRule(
            "la.payload.pushType", .warning, "doc: ActivityKit push notifications",
            "a Live Activity's payload in another type of push: at most a plain notification, and no activity changes",
            fix: "apns-push-type: liveactivity, with the topic com.example.app.push-type.liveactivity"
        ) { facts in
            let hasEvent = facts.aps["event"]?.string.flatMap(ActivityMessage.Event.init) != nil
            let key = ["content-state", "attributes-type"].first { facts.aps[$0] != nil } ?? (hasEvent ? "event" : nil)
            guard let key, facts.type?.hasOwnPayload != true else { return [] }
            guard let type = facts.subject.pushType else {
                // Without the header, a push is an alert; without any header, it is not known.
                let isOther = facts.subject.topic?.hasSuffix(PushType.liveactivity.topicSuffix) == false
                return hit("aps.\(key)", "no apns-push-type", if: isOther)
            }
            return hit("aps.\(key)", type.name, if: type != .liveactivity)
        },
        LintRule(
            "alert.encodedTwice", .warning, "doc: Generating a remote notification",
            "the alert is a text that holds JSON, and the person reads it as it is: encode the payload once",
            fix: #""alert": {"title": "Order Shipped", "body": "The courier is two stops away."}"#
        ) { facts in
            guard facts.isAlertPush || facts.message != nil, let text = facts.aps["alert"]?.string,
                case .object(let alert)? = JSONValue(Array(text.utf8).span.bytes)
            else { return [] }
            return hit("aps.alert", if: alert.keys.contains { AlertKey(rawValue: $0) != nil })
        },
        LintRule(
            "sound.format", .warning, "doc: UNNotificationSound", "iOS plays only aiff, wav and caf files",
            fix: #""sound": "bell.caf""#
        ) { facts in
            guard let name = facts.soundName, let dot = name.lastIndex(of: "."), !name.isEmpty,
                !["aiff", "aif", "wav", "caf"].contains(name[dot...].dropFirst().lowercased())
            else { return [] }
            return [Hit(path: facts.soundPath, detail: "\"\(name)\"")]
        },
        LintRule(
            "payload.duplicateKey", .warning, "RFC 8259, section 4",
            "duplicate key in an object: parsers differ in which value they use", fix: "use each key once"
        ) { facts in
            if case .invalid = PayloadScan(facts.subject.payload.span.bytes) { return [] }
            return facts.subject.payload.withUnsafeBytes { bytes in
                var reader = JSONReader(bytes)
                return reader.repeatedKeys().map { Hit(path: $0) }
            }
        },
        LintRule(
            "payload.url.scheme", .warning, "mszpro.com (S2-17)",
            "a URL whose scheme is a misspelt http or https cannot be fetched",
            fix: #""sender_image_url": "https://example.com/neko.jpg""#
        ) { facts in
            facts.custom.sorted { $0.key < $1.key }.flatMap { oddAddresses(in: $0.value, at: $0.key) }
        },
        LintRule(
            "level.comm.needed", .info, "HIG Notifications (S3-5); WWDC21 10091 (S0-43)",
            "it has a sender but is not a communication notification: the service extension should update it from an "
                + "intent",
            fix: "content = try content.updating(from: INSendMessageIntent(…))"
        ) { facts in
            guard facts.isAlert, !facts.subject.isCommunication else { return [] }
            return facts.custom.keys.sorted().first(where: isSenderKey).map { [Hit(path: $0)] } ?? []
        },
        LintRule(
            "sound.only", .warning, "HIG Notifications (S3-23)",
            "a sound without text does not say what happened",
            fix: #"{"aps": {"alert": "The oven is hot.", "sound": "default"}}"#
        ) { facts in
            let isAlone = facts.content.sound != nil && !facts.content.hasAlert
            return hit(PayloadKey.sound.path, if: facts.isAlertPush && isAlone)
        },
    ]

    /// URLs with other schemes, at any depth.
    private static func oddAddresses(in value: JSONValue, at path: String) -> [Hit] {
        switch value {
        case .string(let text):
            guard let end = text.firstIndex(of: ":"), text[end...].hasPrefix("://") else { return [] }
            let scheme = text[..<end].lowercased()
            guard let first = scheme.first, first.isASCII, first.isLetter,
                scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }),
                isNearMiss(scheme)
            else { return [] }
            return [Hit(path: path, detail: "`\(scheme)`")]
        case .array(let elements):
            return elements.enumerated().flatMap { oddAddresses(in: $0.element, at: "\(path)[\($0.offset)]") }
        case .object(let members):
            return members.sorted { $0.key < $1.key }.flatMap { oddAddresses(in: $0.value, at: "\(path).\($0.key)") }
        case .null, .bool, .integer, .number, .verbatim: return []
        }
    }

    /// Any other scheme is a deep link, which nothing fetches.
    private static func isNearMiss(_ scheme: String) -> Bool {
        !["http", "https"].contains(scheme)
            && ["http", "https"].contains { NearestName.distance(scheme, $0) == 1 }
    }

    /// Matches `sender_id`, `senderName`, `from_user` and the like.
    private static func isSenderKey(_ key: String) -> Bool {
        let word = key.plainKey
        return word.hasPrefix("sender") || ["fromid", "fromname", "fromuser", "authorid", "authorname"].contains(word)
    }
}

extension LintFacts {
    /// The sound's file; nil for the default one.
    fileprivate var soundName: String? {
        if let message { return message.alert?.sound }
        return switch content.sound {
        case .named(let name), .critical(let name, _): name
        case .default, nil: nil
        }
    }

    fileprivate var soundPath: String {
        if message != nil || aps["sound"] == nil { return AlertKey.sound.path }
        if case .object = aps["sound"] { return "\(PayloadKey.sound.path).name" }
        return PayloadKey.sound.path
    }
}
