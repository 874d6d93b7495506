internal import JSON

/// The parts of a payload that delivery depends on, read without its texts.
package struct PayloadDigest: Sendable, Hashable {
    package var verdict: DiscardReason?
    /// Empty when the payload is unusable or has no `aps`.
    package var traits = ContentTraits()
}

extension PayloadDigest {
    /// Reads the payload in the single pass that every push costs. Allocates nothing unless a category or filter
    /// criteria are longer than 15 bytes or have escapes.
    package init(_ payload: RawSpan) {
        self = payload.withUnsafeBytes { bytes in
            var json = JSONValidator(bytes)
            var traits = ContentTraits()
            var verdict: DiscardReason?
            let isValid = json.document { json, key in
                guard json.isAPS(key) else { return json.value(depth: 1) }
                traits = ContentTraits()
                guard json.current != ASCII.leftBrace else {
                    verdict = nil
                    return json.aps(&traits)
                }
                verdict = .apsNotAnObject
                return json.value(depth: 1)
            }
            guard isValid else { return Self(verdict: .invalidJSON) }
            return json.isObject ? Self(verdict: verdict, traits: traits) : Self(verdict: .payloadNotAnObject)
        }
    }
}

/// Checks `aps` and reads its traits by the rules of `ContentDecoder`, without texts or findings.
extension JSONValidator {
    fileprivate mutating func aps(_ traits: inout ContentTraits) -> Bool {
        object(depth: 1) { json, key in
            switch json.meaning(of: key, PayloadKey.init) {
            case .alert: return json.alert(&traits)
            case .badge: return json.badge(&traits)
            case .sound: return json.sound(&traits)
            case .category: return json.text { traits.categoryIdentifier = $0 }
            case .filterCriteria: return json.text { traits.filterCriteria = $0 }
            case .interruptionLevel: return json.interruptionLevel(&traits)
            case .mutableContent: return json.flag(depth: 2, isNumberOnly: true) { traits.isMutable = $0 }
            case .contentAvailable: return json.flag(depth: 2) { traits.isContentAvailable = $0 }
            default: return json.value(depth: 2)
            }
        }
    }

    /// An alert's texts that are not empty.
    private struct Texts: OptionSet {
        var rawValue: UInt8

        static let title = Self(rawValue: 1)
        static let subtitle = Self(rawValue: 2)
        static let body = Self(rawValue: 4)
        static let titleKey = Self(rawValue: 8)
        static let subtitleKey = Self(rawValue: 16)
        static let bodyKey = Self(rawValue: 32)
    }

    private mutating func alert(_ traits: inout ContentTraits) -> Bool {
        guard current == ASCII.leftBrace else {
            let (start, isText) = (position, current == ASCII.quote)
            guard value(depth: 2) else { return false }
            if isText { traits.hasAlert = position > start + 2 }
            return true
        }
        var texts: Texts = []
        let isValid = object(depth: 2) { json, key in
            switch json.meaning(of: key, AlertKey.init) {
            case .title: return json.text(.title, or: .titleKey, in: &texts)
            case .subtitle: return json.text(.subtitle, or: .subtitleKey, in: &texts)
            case .body: return json.text(.body, or: .bodyKey, in: &texts)
            case .titleKey: return json.text(.titleKey, in: &texts, depth: 3)
            case .subtitleKey: return json.text(.subtitleKey, in: &texts, depth: 3)
            case .bodyKey: return json.text(.bodyKey, in: &texts, depth: 3)
            default: return json.value(depth: 3)
            }
        }
        traits.hasAlert = !texts.isEmpty
        return isValid
    }

    private mutating func text(_ text: Texts, or key: Texts, in texts: inout Texts) -> Bool {
        guard current == ASCII.leftBrace else { return self.text(text, in: &texts, depth: 3) }
        return object(depth: 3) { json, name in
            json.meaning(of: name, AlertKey.init) == .bodyKey
                ? json.text(key, in: &texts, depth: 4) : json.value(depth: 4)
        }
    }

    private mutating func text(_ text: Texts, in texts: inout Texts, depth: Int) -> Bool {
        guard current == ASCII.quote else { return value(depth: depth) }
        let start = position
        guard string() else { return false }
        if position > start + 2 { texts.insert(text) } else { texts.remove(text) }
        return true
    }

    private mutating func badge(_ traits: inout ContentTraits) -> Bool {
        let (start, isNumber) = (position, isAtNumber)
        guard value(depth: 2) else { return false }
        var reader = JSONReader(bytes, at: start)
        if isNumber, let badge = reader.wholeNumber(), badge >= 0 { traits.badge = badge }
        return true
    }

    private mutating func sound(_ traits: inout ContentTraits) -> Bool {
        guard current == ASCII.leftBrace else {
            let (start, isText) = (position, current == ASCII.quote)
            guard value(depth: 2) else { return false }
            if isText { traits.sound = position > start + 2 ? .ordinary : .none }
            return true
        }
        var isSilent = false
        var isCritical = false
        let isValid = object(depth: 2) { json, key in
            switch json.meaning(of: key, AlertKey.init) {
            case .name where json.current == ASCII.quote:
                let start = json.position
                guard json.string() else { return false }
                isSilent = json.position == start + 2
                return true
            case .critical: return json.flag(depth: 3) { isCritical = $0 }
            default: return json.value(depth: 3)
            }
        }
        traits.sound = isCritical ? .critical : isSilent ? .none : .ordinary
        return isValid
    }

    private mutating func interruptionLevel(_ traits: inout ContentTraits) -> Bool {
        guard current == ASCII.quote else { return value(depth: 2) }
        let start = position
        guard string() else { return false }
        traits.level = meaning(of: start..<position) { bytes in
            switch bytes {
            case "time-sensitive": .timeSensitive
            case "passive": .passive
            case "active": .active
            case "critical": .critical
            default: nil
            }
        }
        return true
    }

    private mutating func text(_ use: (String) -> Void) -> Bool {
        guard current == ASCII.quote else { return value(depth: 2) }
        var reader = JSONReader(bytes, at: position)
        guard string() else { return false }
        use(reader.string())
        return true
    }

    private mutating func flag(depth: Int, isNumberOnly: Bool = false, _ use: (Bool) -> Void) -> Bool {
        let (first, isNumber) = (current, isAtNumber)
        var reader = JSONReader(bytes, at: position)
        guard value(depth: depth) else { return false }
        if isNumber {
            use(reader.wholeNumber() == 1)
        } else if first == UInt8(ascii: "t") || first == UInt8(ascii: "f") {
            use(first == UInt8(ascii: "t") && !isNumberOnly)
        }
        return true
    }

    private var isAtNumber: Bool { current == ASCII.minus || ASCII.zero...ASCII.nine ~= current }
}
