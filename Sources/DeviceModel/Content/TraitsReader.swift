internal import JSON

/// Reads the traits out of `aps` by the rules of `ContentDecoder`, without texts and without findings.
///
/// - Note: Borrows the bytes; use it inside the closure that lends them.
struct TraitsReader {
    private var reader: JSONReader
    private(set) var traits = ContentTraits()

    init(_ reader: JSONReader) {
        self.reader = reader
    }

    /// Reads the `aps` dictionary, at which the reader stands.
    mutating func aps() {
        reader.enter()
        while reader.nextElement() {
            switch reader.key(PayloadKey.init) {
            case .alert: alert()
            case .badge: badge()
            case .sound: sound()
            case .category: if let text = text() { traits.categoryIdentifier = text }
            case .filterCriteria: if let text = text() { traits.filterCriteria = text }
            case .interruptionLevel: interruptionLevel()
            case .relevanceScore: relevanceScore()
            case .mutableContent: traits.isMutable = flag(isNumberOnly: true) ?? traits.isMutable
            case .contentAvailable: traits.isContentAvailable = flag() ?? traits.isContentAvailable
            default: reader.skip()
            }
        }
    }

    /// Which of an alert's texts are there and not empty.
    private struct Texts: OptionSet {
        var rawValue: UInt8

        static let title = Self(rawValue: 1)
        static let subtitle = Self(rawValue: 2)
        static let body = Self(rawValue: 4)
        static let titleKey = Self(rawValue: 8)
        static let subtitleKey = Self(rawValue: 16)
        static let bodyKey = Self(rawValue: 32)
    }

    private mutating func alert() {
        switch reader.kind() {
        case .string: traits.hasAlert = !reader.skipText()
        case .object:
            var texts: Texts = []
            reader.enter()
            while reader.nextElement() { alertMember(&texts) }
            traits.hasAlert = !texts.isEmpty
        default: reader.skip()
        }
    }

    private mutating func alertMember(_ texts: inout Texts) {
        switch reader.key(AlertKey.init) {
        case .title: note(.title, or: .titleKey, in: &texts)
        case .subtitle: note(.subtitle, or: .subtitleKey, in: &texts)
        case .body: note(.body, or: .bodyKey, in: &texts)
        case .titleKey: note(.titleKey, in: &texts)
        case .subtitleKey: note(.subtitleKey, in: &texts)
        case .bodyKey: note(.bodyKey, in: &texts)
        case .sound: sound()
        default: reader.skip()
        }
    }

    /// A text, or the dictionary that a Live Activity has in its place.
    private mutating func note(_ text: Texts, or key: Texts, in texts: inout Texts) {
        guard reader.kind() == .object else { return note(text, in: &texts) }
        reader.enter()
        while reader.nextElement() {
            switch reader.key(AlertKey.init) {
            case .bodyKey: note(key, in: &texts)
            default: reader.skip()
            }
        }
    }

    private mutating func note(_ text: Texts, in texts: inout Texts) {
        guard reader.kind() == .string else { return reader.skip() }
        if reader.skipText() { texts.remove(text) } else { texts.insert(text) }
    }

    private mutating func badge() {
        guard reader.kind() == .number else { return reader.skip() }
        if let badge = reader.wholeNumber(), badge >= 0 { traits.badge = badge }
    }

    private mutating func sound() {
        switch reader.kind() {
        case .string: traits.sound = reader.skipText() ? .none : .ordinary
        case .object: soundDictionary()
        default: reader.skip()
        }
    }

    private mutating func soundDictionary() {
        var isSilent = false
        var isCritical = false
        reader.enter()
        while reader.nextElement() {
            switch reader.key(AlertKey.init) {
            case .name where reader.kind() == .string: isSilent = reader.skipText()
            case .critical: isCritical = flag() ?? isCritical
            default: reader.skip()
            }
        }
        traits.sound = isCritical ? .critical : isSilent ? .none : .ordinary
    }

    private mutating func interruptionLevel() {
        guard reader.kind() == .string else { return reader.skip() }
        traits.level = reader.string { bytes in
            switch bytes {
            case "time-sensitive": .timeSensitive
            case "passive": .passive
            case "active": .active
            case "critical": .critical
            default: nil
            }
        }
    }

    private mutating func relevanceScore() {
        guard reader.kind() == .number else { return reader.skip() }
        traits.relevanceScore = min(max(Double(reader.number()) ?? 0, 0), 1)
    }

    private mutating func text() -> String? {
        guard reader.kind() == .string else {
            reader.skip()
            return nil
        }
        return reader.string()
    }

    /// A flag; nil when it is neither a number nor a Boolean.
    private mutating func flag(isNumberOnly: Bool = false) -> Bool? {
        switch reader.kind() {
        case .number: return reader.wholeNumber() == 1
        case .bool: return reader.bool() && !isNumberOnly
        default:
            reader.skip()
            return nil
        }
    }
}
