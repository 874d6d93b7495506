package import APNs
internal import Fields
package import JSON

/// What an unknown key probably means: another spelling, another dictionary or a request header.
///
/// Words are compared without case, `_` and `-`; a typo may remain only where every key is Apple's.
enum KeyAdvice: Equatable {
    case misspelt(String)
    case misplaced(in: KeyPlace, String)
    case header(String)
    /// One `aps` too many.
    case nested

    /// - Parameter key: An unknown key of the dictionary.
    init?(_ key: String, in place: KeyPlace) {
        let word = key.plainKey
        if let known = place.plainKeys[word] {
            self = .misspelt(known)
        } else if let (other, known) = place.otherWords[word] {
            self = other == place ? .misspelt(known) : .misplaced(in: other, known)
        } else if word == "aps" {
            self = .nested
        } else if let header = Self.headers[word] ?? Self.headers[word == "id" ? "" : "apns" + word] {
            self = .header(header)
        } else if let other = KeyPlace.allCases.first(where: { $0 != place && $0.plainKeys[word] != nil }) {
            self = .misplaced(in: other, other.plainKeys[word] ?? "")
        } else if let known = Self.typo(of: word, in: place) {
            self = .misspelt(known)
        } else {
            return nil
        }
    }

    /// - Parameter key: A key beside `aps`, where custom keys have any name: only words of `aps` and headers are meant.
    init?(besideAPS key: String, _ value: JSONValue, for type: PushType?, lacking apsHas: (String) -> Bool) {
        let word = key.plainKey
        if word == PayloadKey.targetBundle.plainKey, key != PayloadKey.targetBundle {
            self = .misspelt(PayloadKey.targetBundle)
        } else if let header = Self.headers[word] {
            self = .header(header)
        } else if type?.hasOwnPayload == true {
            return nil
        } else if let known = KeyPlace.aps.plainKeys[word] ?? Self.longKey(near: word),
            !Self.isCustom(known, value, in: type), !apsHas(known)
        {
            self = .misplaced(in: .aps, known)
        } else if let known = KeyPlace.alert.plainKeys[word], known.contains("-") {
            self = .misplaced(in: .alert, known)
        } else {
            return nil
        }
    }

    /// Whether a key of `aps` is an ordinary word here, for the app's own data.
    private static func isCustom(_ known: String, _ value: JSONValue, in type: PushType?) -> Bool {
        switch (known, value) {
        case ("category", _): true
        case ("event", _), ("timestamp", _), ("attributes", _): type != .liveactivity
        case ("badge", .integer), ("badge", .number): false
        case ("alert", .string), ("alert", .object), ("sound", .string), ("sound", .object): false
        case ("badge", _), ("alert", _), ("sound", _): true
        default: false
        }
    }

    /// A key of `aps` too long to be written by chance, of which letters are missing or wrong.
    private static func longKey(near word: String) -> String? {
        guard word.utf8.count >= 13, let near = self.near(word, in: .aps, atMost: 2),
            word.utf8.count <= near.utf8.count
        else { return nil }
        return KeyPlace.aps.plainKeys[near]
    }

    /// The most similar word of a place's keys, if it differs at most in so many letters.
    private static func near(_ word: String, in place: KeyPlace, atMost limit: Int) -> String? {
        NearestName.of(word, among: place.plainWords).flatMap { NearestName.distance(word, $0) <= limit ? $0 : nil }
    }

    /// With a value to copy.
    private static let headerExamples = [
        "apns-priority": "5", "apns-topic": "com.example.app", "apns-push-type": "alert",
        "apns-collapse-id": "order-17", "apns-expiration": "1800003600",
        "apns-id": "123e4567-e89b-12d3-a456-426614174000", "apns-channel-id": "dHN0LXNyY2gtY2hubA==",
    ]

    private static let headers = Dictionary(uniqueKeysWithValues: headerExamples.keys.map { ($0.plainKey, $0) })

    /// One difference for a short word, one in four letters for a long one: more make another word.
    private static func typo(of word: String, in place: KeyPlace) -> String? {
        guard word.utf8.count > 3, let near = near(word, in: place, atMost: max(1, word.count / 4)) else { return nil }
        return place.plainKeys[near]
    }

    /// - Parameter key: As written.
    func finding(_ key: String, at path: String) -> Finding {
        let isMisspelt = if case .misspelt = self { true } else { false }
        let rule = FindingRule.named(isMisspelt ? "payload.key.misspelt" : "payload.key.misplaced")
        return Finding(rule.id, rule.severity, at: path, message(about: key), fix: fix)
    }

    private func message(about key: String) -> String {
        switch self {
        case .misspelt(let known) where KeyPlace.example(of: known) == nil:
            "ignored: it looks like `\(known)`, which no longer has any effect"
        case .misspelt(let known): "ignored: did you mean `\(known)`?"
        case .misplaced(let place, let known):
            (known.plainKey == key.plainKey ? "`\(known)` is" : "did you mean `\(known)`? It is")
                + (place == .aps ? " a key of `aps`" : " a key of the `\(place.rawValue)` dictionary")
                + "; it has no effect here"
        case .header(let name): "`\(name)` is a request header; in the payload it has no effect"
        case .nested: "`aps` belongs at the top of the payload; a second one has no effect"
        }
    }

    private var fix: String? {
        switch self {
        case .misspelt(let known): KeyPlace.example(of: known) ?? "omit the key"
        case .misplaced(let place, let known):
            KeyPlace.example(of: known).map { member in
                place == .aps ? "{\"aps\": {\(member)}}" : "{\"aps\": {\"\(place.rawValue)\": {\(member)}}}"
            } ?? "omit the key"
        case .header(let name): "\(name): \(Self.headerExamples[name] ?? "")"
        case .nested: "{\"aps\": {\(KeyPlace.example(of: "alert") ?? "")}}"
        }
    }
}

extension String {
    /// In lower case without separators: `event_time` and `eventTime` become `eventtime`.
    package var plainKey: String { lowercased().filter { $0.isLetter || $0.isNumber } }
}

extension Finding {
    /// The finding about a key beside `aps`; nil for a custom key.
    ///
    /// - Parameters:
    ///   - type: nil for an unknown one.
    ///   - apsHas: Whether `aps` has the key itself; then the one beside it is custom.
    package init?(keyBesideAPS key: String, _ value: JSONValue, for type: PushType?, apsHas: (String) -> Bool) {
        guard let advice = KeyAdvice(besideAPS: key, value, for: type, lacking: apsHas) else { return nil }
        self = advice.finding(key, at: key)
    }

    /// The finding about the app's name in an .apns file; nil if it is text.
    package init?(targetBundle json: JSONValue) {
        if case .string = json { return nil }
        self.init(
            "payload.type", .error, at: PayloadKey.targetBundle, "must be a string: the app's bundle identifier",
            fix: KeyPlace.example(of: PayloadKey.targetBundle))
    }

    static let soundInAlert = Finding(
        "payload.key.misplaced", .warning, at: AlertKey.sound.path,
        "no sound plays: `sound` is a key of `aps`; only a Live Activity's alert has it here",
        fix: #"{"aps": {"sound": "default"}}"#)
}

extension DecodedPayload {
    /// The findings that hold for a push type; nil for an unknown one.
    package func findings(for type: PushType?) -> [Finding] {
        let excluded: Set<String> =
            if type == .liveactivity {
                ["alert.liveActivityForm", "relevance.range"]
            } else if type?.hasOwnPayload == true {
                ["payload.aps.missing", "payload.key.misspelt", "payload.key.misplaced", "aps.unknownKey"]
            } else {
                []
            }
        return findings.filter { finding in
            !excluded.contains(finding.id) && !(type == .liveactivity && finding.path == AlertKey.sound.path)
        }
    }
}

extension PushType {
    /// Whether the payload is the app's or the system's own, `aps` included: the system shows nothing of it.
    package var hasOwnPayload: Bool {
        switch self {
        case .mdm, .voip, .fileprovider, .pushtotalk, .complication, .location: true
        case .alert, .background, .liveactivity, .widgets, .controls: false
        }
    }
}
