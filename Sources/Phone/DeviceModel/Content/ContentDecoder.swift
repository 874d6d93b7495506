internal import Fields
internal import JSON

/// A payload as the device understands it.
package struct DecodedPayload: Sendable, Hashable {
    /// Empty when the payload is discarded.
    package var content: NotificationContent
    /// In the order of the payload.
    package var findings: [Finding]

    package init(_ payload: RawSpan) {
        let scan = PayloadScan(payload)
        guard case .valid(let aps) = scan else {
            content = NotificationContent()
            let found = scan == .apsMissing ? MissingAPS(payload).finding : scan.finding
            findings = found.map { [$0] } ?? []
            return
        }
        (content, findings) = payload.withUnsafeBytes { bytes in
            var decoder = ContentDecoder(JSONReader(bytes, at: aps.lowerBound))
            decoder.aps()
            decoder.reportNulls()
            return (decoder.content, decoder.findings.bounded)
        }
    }
}

extension JSONReader {
    /// Leaves the reader where it is.
    func text(ofKeyAt place: Int) -> String {
        var reader = self
        reader.position = place
        return reader.string()
    }
}

extension PayloadScan {
    /// Why the payload is discarded.
    fileprivate var finding: Finding? {
        switch self {
        case .valid, .apsMissing: nil
        case .apsNotAnObject: Finding("payload.aps.type", .error, at: "aps", "discarded: `aps` must be a dictionary")
        case .notAnObject:
            Finding(
                "payload.type", .error, at: "", "discarded: the payload must be a JSON dictionary",
                fix: KeyPlace.example(at: ""))
        case .invalid(let problem): Finding("payload.json", .error, at: "", "discarded: \(problem.message)")
        }
    }
}

/// Reads `aps` into content. A wrong type or range discards that value, never the notification.
struct ContentDecoder {
    var reader: JSONReader
    var content = NotificationContent()
    var findings: [Finding] = []
    /// Paths of members that are null.
    var nulls: [String] = []
    private var unknownCount = 0

    init(_ reader: JSONReader) { self.reader = reader }

    /// - Precondition: The reader is at the `aps` dictionary.
    mutating func aps() {
        reader.enter()
        while reader.nextElement() {
            let place = reader.position
            if let key = reader.key(PayloadKey.init) {
                member(key)
            } else {
                let message = "unknown key: custom keys belong next to `aps`, not inside it"
                unknown(at: place, in: .aps, "aps", "aps.unknownKey", message, except: PayloadKey.others)
            }
        }
        guard content.interruptionLevel == .critical, content.sound?.isCritical != true else { return }
        // Neither sentence depends on the assumption.
        let (severity, message): (Finding.Severity, String) =
            content.sound == nil
            ? (.warning, "a critical alert without `sound` makes no sound")
            : (
                .info,
                "Apple documents a `sound` dictionary with `critical: 1` for critical alerts; whether a plain sound "
                    + "plays as critical, too, is the assumption criticalSoundNeedsDictionary"
            )
        report("sound.critical.noDict", severity, at: "aps.sound", message)
    }

    private mutating func member(_ key: PayloadKey) {
        switch key {
        case .alert: alert()
        case .badge: badge()
        case .sound: sound(at: key.path)
        case .threadID: content.threadIdentifier = text(at: key.path) ?? content.threadIdentifier
        case .category: content.categoryIdentifier = text(at: key.path) ?? content.categoryIdentifier
        case .interruptionLevel: interruptionLevel()
        case .relevanceScore: relevanceScore()
        case .filterCriteria: content.filterCriteria = text(at: key.path) ?? content.filterCriteria
        case .targetContentID: content.targetContentIdentifier = text(at: key.path) ?? content.targetContentIdentifier
        case .mutableContent: content.isMutable = flag(at: key.path, isNumberOnly: true) ?? content.isMutable
        case .contentAvailable: content.isContentAvailable = flag(at: key.path) ?? content.isContentAvailable
        case .summaryArgument, .summaryArgumentCount:
            reader.skip()
            report("summary-arg.ignored", .info, at: key.path, "`\(key.rawValue)` is ignored since iOS 15")
        }
    }

    /// - Parameter id: The rule about a key that is no mistake known.
    mutating func unknown(
        at place: Int, in dictionary: KeyPlace, _ path: @autoclosure () -> String, _ id: String, _ message: String,
        except known: Set<String> = []
    ) {
        let key = reader.text(ofKeyAt: place)
        reader.skip()
        if known.contains(key) { return }
        unknownCount += 1
        if unknownCount <= Finding.adviceLimit, let advice = KeyAdvice(key, in: dictionary) {
            findings.append(advice.finding(key, at: "\(path()).\(key)"))
        } else {
            report(id, .warning, at: "\(path()).\(key)", message)
        }
    }

    private mutating func badge() {
        func message(_ effect: String = "the badge is unchanged") -> String {
            "`badge` must be a whole number, 0 or more; \(effect)"
        }
        guard reader.kind() == .number else { return wrong("badge.type", at: "aps.badge", message()) }
        let number = reader.wholeNumber()
        guard let badge = number, badge >= 0 else {
            // The sentence does not depend on the assumption.
            let assumed = "the effect of -1 is the assumption negativeBadgeInPushClears"
            return report("badge.type", .error, at: "aps.badge", number == -1 ? message(assumed) : message())
        }
        content.badge = badge
    }

    private mutating func interruptionLevel() {
        guard let word = text(at: PayloadKey.interruptionLevel.path) else { return }
        if let level = InterruptionLevel(rawValue: word) {
            content.interruptionLevel = level
            return
        }
        content.statedLevel = nil
        let levels = InterruptionLevel.allCases.map(\.rawValue)
        let near = NearestName.of(word, among: levels)
        let hint = near.map { "did you mean \"\($0)\"?" }
        report(
            "payload.interruption-level.unknown", .warning, at: PayloadKey.interruptionLevel.path,
            "unknown level \"\(word)\", treated as active; "
                + (hint ?? "the levels are \(levels.joined(separator: ", "))"),
            fix: near.map { "\"interruption-level\": \"\($0)\"" })
    }

    private mutating func relevanceScore() {
        guard let score = number(at: PayloadKey.relevanceScore.path) else { return }
        content.relevanceScore = min(max(score, 0), 1)
        if score != content.relevanceScore {
            report(
                "relevance.range", .warning, at: PayloadKey.relevanceScore.path,
                "`relevance-score` is 0…1 except for Live Activities; treated as \(content.relevanceScore)")
        }
    }
}
