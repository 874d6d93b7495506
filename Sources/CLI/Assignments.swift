internal import DeviceModel
internal import JSON

/// Builds the JSON object of a PATCH from `key=value` words on the command line.
struct Assignments {
    let json: JSONValue

    enum Problem: Error, Equatable, CustomStringConvertible {
        case noValue(String, example: String)
        case noKey(String, example: String)
        case contradiction(String)

        var description: String {
            switch self {
            case .noValue(let word, let example): "'\(word)' has no value; accepted: key=value, such as \(example)"
            case .noKey(let word, let example): "'\(word)' has no key; accepted: key=value, such as \(example)"
            case .contradiction(let key): "'\(key)' is set twice, or together with one of its members"
            }
        }
    }

    /// - Parameter example: An assignment to show in messages.
    init(_ words: some Sequence<String>, such example: String) throws(Problem) {
        var members: JSONObject = [:]
        for word in words {
            guard let equals = word.firstIndex(of: "=") else { throw .noValue(word, example: example) }
            let keys = word[..<equals].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard keys.allSatisfy({ !$0.isEmpty }) else { throw .noKey(word, example: example) }
            guard Self.put(Self.value(word[word.index(after: equals)...]), at: keys[...], in: &members) else {
                throw .contradiction(String(word[..<equals]))
            }
        }
        json = .object(members)
    }

    /// The word as JSON if it parses, otherwise as a string.
    private static func value(_ text: Substring) -> JSONValue {
        JSONValue(Array(text.utf8).span.bytes) ?? .string(String(text))
    }

    /// - Returns: false if the key already has a value.
    private static func put(
        _ value: JSONValue, at keys: ArraySlice<String>, in members: inout JSONObject
    ) -> Bool {
        guard let key = keys.first else { return false }
        guard keys.count > 1 else {
            guard members[key] == nil else { return false }
            members[key] = value
            return true
        }
        var inner: JSONObject = [:]
        switch members[key] {
        case nil: break
        case .object(let known): inner = known
        default: return false
        }
        guard put(value, at: keys.dropFirst(), in: &inner) else { return false }
        members[key] = .object(inner)
        return true
    }
}
