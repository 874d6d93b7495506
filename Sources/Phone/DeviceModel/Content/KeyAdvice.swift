package import APNs
internal import Fields

/// A dictionary of the payload whose keys Apple defines.
enum KeyPlace: String, CaseIterable {
    case aps, alert, sound

    /// Its keys, those of Live Activities and those without effect included.
    fileprivate var keys: [String] {
        switch self {
        case .aps: PayloadKey.allCases.map(\.rawValue) + PayloadKey.others.sorted()
        case .alert: AlertKey.allCases.filter { !AlertKey.ofSound.contains($0) }.map(\.rawValue)
        case .sound: AlertKey.ofSound.map(\.rawValue)
        }
    }

    fileprivate var plainKeys: [String: String] { Self.plainKeys[self] ?? [:] }

    fileprivate var plainWords: [String] { Self.plainWords[self] ?? [] }

    private static let plainWords = plainKeys.mapValues { $0.keys.sorted() }

    private static let plainKeys = Dictionary(
        uniqueKeysWithValues: allCases.map { place in
            (place, Dictionary(place.keys.map { ($0.plainKey, $0) }) { first, _ in first })
        })
}

/// What an unknown key probably means: another spelling, another dictionary or a request header.
///
/// Words are compared without case, `_` and `-`; a typo may remain only where every key is Apple's.
enum KeyAdvice: Equatable {
    case misspelt(String)
    case misplaced(in: KeyPlace, String)
    case header(String)

    /// - Parameter key: An unknown key of the dictionary.
    init?(_ key: String, in place: KeyPlace) {
        let word = key.plainKey
        if let known = place.plainKeys[word] ?? (place == .alert ? Self.otherWords[word] : nil) {
            self = .misspelt(known)
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
    init?(besideAPS key: String, lacking apsHas: (String) -> Bool) {
        let word = key.plainKey
        if let header = Self.headers[word] {
            self = .header(header)
        } else if let known = KeyPlace.aps.plainKeys[word], !Self.customWords.contains(known), !apsHas(known) {
            self = .misplaced(in: .aps, known)
        } else {
            return nil
        }
    }

    /// Keys of `aps` that are ordinary words for an app's own data.
    private static let customWords: Set<String> = ["event", "timestamp", "attributes"]

    /// Words of other services for keys of `alert`.
    private static let otherWords = [
        "message": "body", "msg": "body", "bodylockey": "loc-key", "bodylocargs": "loc-args",
    ]

    private static let headers = Dictionary(
        uniqueKeysWithValues: [
            "apns-priority", "apns-topic", "apns-push-type", "apns-collapse-id", "apns-expiration", "apns-id",
            "apns-channel-id",
        ].map { ($0.plainKey, $0) })

    /// One difference for a short word, one in four letters for a long one: more make another word.
    private static func typo(of word: String, in place: KeyPlace) -> String? {
        guard word.utf8.count > 3, let near = NearestName.of(word, among: place.plainWords),
            NearestName.distance(word, near) <= max(1, word.count / 4)
        else { return nil }
        return place.plainKeys[near]
    }

    var rule: FindingRule {
        switch self {
        case .misspelt: .named("payload.key.misspelt")
        case .misplaced, .header: .named("payload.key.misplaced")
        }
    }

    /// - Parameter key: As written.
    func finding(_ key: String, at path: String) -> Finding {
        var finding =
            switch self {
            case .misspelt(let known): Finding(rule.id, .error, at: path, "ignored: did you mean `\(known)`?")
            case .misplaced(.aps, let known):
                Finding(rule.id, .warning, at: path, "`\(known)` is a key of `aps`; it has no effect here")
            case .misplaced(let place, let known):
                Finding(
                    rule.id, .warning, at: path,
                    "`\(known)` is a key of the `\(place.rawValue)` dictionary; it has no effect here")
            case .header(let name):
                Finding(
                    rule.id, .warning, at: path, "`\(name)` is a request header; in the payload it has no effect")
            }
        switch self {
        case .misspelt(let known): finding.fix = "\"\(known)\": …"
        case .misplaced(.aps, let known): finding.fix = "{\"aps\": {\"\(known)\": …}}"
        case .misplaced(.alert, let known): finding.fix = "{\"aps\": {\"alert\": {\"\(known)\": …}}}"
        case .misplaced(.sound, let known): finding.fix = "{\"aps\": {\"sound\": {\"\(known)\": …}}}"
        case .header(let name): finding.fix = "\(name): …"
        }
        return finding
    }
}

extension String {
    /// In lower case without separators: `event_time` and `eventTime` become `eventtime`.
    package var plainKey: String { lowercased().filter { $0.isLetter || $0.isNumber } }
}

extension Finding {
    /// The finding about a key beside `aps`; nil for a custom key.
    ///
    /// - Parameter apsHas: Whether `aps` has the key itself; then the one beside it is custom.
    package init?(keyBesideAPS key: String, apsHas: (String) -> Bool) {
        guard let advice = KeyAdvice(besideAPS: key, lacking: apsHas) else { return nil }
        self = advice.finding(key, at: key)
    }

    static let soundInAlert = Finding(
        "payload.key.misplaced", .warning, at: AlertKey.sound.path,
        "no sound plays: `sound` is a key of `aps`; only a Live Activity's alert has it here",
        fix: #"{"aps": {"sound": …}}"#)
}

extension DecodedPayload {
    /// The findings that hold for a push type; nil for an unknown one.
    package func findings(for type: PushType?) -> [Finding] {
        let excluded: Set<String> =
            switch type {
            case .liveactivity: ["alert.liveActivityForm", "relevance.range"]
            // Their payloads are the app's or the system's own.
            case .mdm, .voip, .fileprovider, .pushtotalk, .complication, .location: ["payload.aps.missing"]
            case .alert, .background, .widgets, .controls, nil: []
            }
        return findings.filter { finding in
            !excluded.contains(finding.id) && !(type == .liveactivity && finding.path == AlertKey.sound.path)
        }
    }
}
