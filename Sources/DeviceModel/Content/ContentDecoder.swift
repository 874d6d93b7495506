/// Reads `aps` into content, one key after the other, and remembers what it had to leave out.
///
/// A wrong type or range costs that value, never the notification.
struct ContentDecoder {
    var reader: JSONReader
    var content = NotificationContent()
    var findings: [Finding] = []

    init(_ reader: JSONReader) {
        self.reader = reader
    }

    /// Reads the `aps` dictionary, at which the reader stands.
    mutating func aps() {
        reader.enter()
        while let key = reader.nextKey() {
            member(key, at: "aps.\(key)")
        }
        if content.interruptionLevel == .critical, !content.hasCriticalSound {
            report(
                "sound.critical.noDict", .warning, at: "aps.sound",
                "a critical alert sounds only with a `sound` dictionary that has `critical: 1`")
        }
    }

    private mutating func member(_ key: String, at path: String) {
        switch key {
        case "alert": alert(at: path)
        case "badge": badge(at: path)
        case "sound": sound(at: path)
        case "thread-id": text(at: path).map { content.threadIdentifier = $0 }
        case "category": text(at: path).map { content.categoryIdentifier = $0 }
        case "interruption-level": interruptionLevel(at: path)
        case "relevance-score": relevanceScore(at: path)
        case "filter-criteria": text(at: path).map { content.filterCriteria = $0 }
        case "target-content-id": text(at: path).map { content.targetContentIdentifier = $0 }
        case "mutable-content": content.isMutable = flag(at: path)
        case "content-available": content.isContentAvailable = flag(at: path)
        case "summary-arg", "summary-arg-count":
            reader.skip()
            report("summary-arg.ignored", .info, at: path, "`\(key)` is ignored since iOS 15")
        case _ where Self.liveActivityKeys.contains(key): reader.skip()
        default:
            reader.skip()
            report("aps.unknownKey", .warning, at: path, "unknown key: custom keys belong beside `aps`, not inside it")
        }
    }

    /// Keys of `aps` that are not content: Live Activities, widgets, controls, Safari.
    private static let liveActivityKeys: Set<String> = [
        "stale-date", "content-state", "timestamp", "event", "dismissal-date", "attributes-type", "attributes",
        "input-push-token", "input-push-channel", "content-changed", "url-args",
    ]

    private mutating func badge(at path: String) {
        let message = "`badge` must be a whole number, 0 or more; the badge stays as it is"
        guard reader.kind() == .number else { return wrong("badge.type", at: path, message) }
        content.badge = Int(exactlyWritten: reader.number()).flatMap { $0 >= 0 ? $0 : nil }
        if content.badge == nil { report("badge.type", .error, at: path, message) }
    }

    private mutating func interruptionLevel(at path: String) {
        guard let word = text(at: path) else { return }
        guard let level = InterruptionLevel(rawValue: word) else {
            let words = InterruptionLevel.allCases.map(\.rawValue).joined(separator: ", ")
            let message = "unknown level \"\(word)\" counts as active; the levels are \(words)"
            return report("payload.interruption-level.unknown", .warning, at: path, message)
        }
        content.interruptionLevel = level
    }

    private mutating func relevanceScore(at path: String) {
        guard let score = number(at: path) else { return }
        content.relevanceScore = min(max(score, 0), 1)
        if score != content.relevanceScore {
            let message = "`relevance-score` is 0…1 but for Live Activities; it counts as \(content.relevanceScore)"
            report("relevance.range", .warning, at: path, message)
        }
    }
}

extension NotificationContent {
    fileprivate var hasCriticalSound: Bool {
        if case .critical = sound { true } else { false }
    }
}
