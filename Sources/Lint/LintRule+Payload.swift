internal import DeviceModel
internal import Fields
internal import JSON

extension LintRule {
    static let payload = [
        LintRule(
            "payload.mutableMissing", .warning, "mszpro.com (S2-17)",
            "without `mutable-content: 1` the app's service extension does not run",
            fix: #"{"aps": {"alert": {…}, "mutable-content": 1}, "sender_id": "1"}"#, needs: [.app]
        ) { facts in
            guard facts.app?.hasServiceExtension == true, facts.isAlert, !facts.content.isMutable, !facts.custom.isEmpty
            else { return [] }
            let keys = facts.custom.keys.sorted().prefix(3).joined(separator: ", ")
            return [Hit(path: PayloadKey.mutableContent.path, detail: "it needs \(keys)")]
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
            "payload.url.scheme", .warning, "mszpro.com (S2-17)", "a URL with a scheme that cannot be fetched",
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
                !["http", "https", "file"].contains(scheme)
            else { return [] }
            return [Hit(path: path, detail: "`\(scheme)`")]
        case .array(let elements):
            return elements.enumerated().flatMap { oddAddresses(in: $0.element, at: "\(path)[\($0.offset)]") }
        case .object(let members):
            return members.sorted { $0.key < $1.key }.flatMap { oddAddresses(in: $0.value, at: "\(path).\($0.key)") }
        case .null, .bool, .integer, .number, .verbatim: return []
        }
    }

    /// Matches `sender_id`, `senderName`, `from_user` and the like.
    private static func isSenderKey(_ key: String) -> Bool {
        let word = key.plainKey
        return word.hasPrefix("sender") || ["fromid", "fromname", "fromuser", "authorid", "authorname"].contains(word)
    }
}
