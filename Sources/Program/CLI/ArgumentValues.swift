public import APNs
public import ArgumentParser
internal import Fields
internal import JSON

// Types of options. The conformances are public because types and protocol are.

extension APNsEnvironment: ExpressibleByArgument {}

/// `10s`, `500ms` or `PT10S`.
extension Duration: @retroactive ExpressibleByArgument {
    public init?(argument: String) {
        guard let duration = DurationText.duration(argument) else { return nil }
        self = duration
    }

    public var defaultValueDescription: String { DurationText.text(self) }
}

extension PushType: ExpressibleByArgument {
    public init?(argument: String) { self.init(name: argument) }

    public static var allValueStrings: [String] { allCases.map(\.name) }
}

/// A notification's number, or `latest`.
enum NotificationID: ExpressibleByArgument, CustomStringConvertible {
    case number(UInt64)
    case latest

    init?(argument: String) {
        if argument == "latest" {
            self = .latest
        } else if let number = UInt64(argument) {
            self = .number(number)
        } else {
            return nil
        }
    }

    var description: String {
        switch self {
        case .number(let number): String(number)
        case .latest: "latest"
        }
    }
}

extension JSONValue {
    /// Builds the object of a PATCH from `key=value` words on the command line; dots in a key separate nested members.
    /// - Parameter example: An assignment to show in messages.
    init(assignments words: some Sequence<String>, example: String) throws(ValidationError) {
        var object: JSONValue = [:]
        for word in words {
            let accepted = "accepted: key=value, such as \(example)"
            guard let equals = word.firstIndex(of: "=") else {
                throw ValidationError("'\(word)' has no value; \(accepted)")
            }
            let keys = word[..<equals].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard keys.allSatisfy({ !$0.isEmpty }) else { throw ValidationError("'\(word)' has no key; \(accepted)") }
            // A word that is not JSON is a string.
            let text = word[word.index(after: equals)...]
            let value = JSONValue(Array(text.utf8).span.bytes) ?? .string(String(text))
            guard object.insert(value, at: keys[...]) else {
                throw ValidationError("'\(word[..<equals])' is set twice, or together with one of its members")
            }
        }
        self = object
    }

    /// - Returns: false if the key already has a value.
    private mutating func insert(_ value: JSONValue, at keys: ArraySlice<String>) -> Bool {
        guard case .object(var members) = self, let key = keys.first else { return false }
        var member = members[key]
        if keys.count == 1 {
            guard member == nil else { return false }
            member = value
        } else {
            var inner = member ?? [:]
            guard inner.insert(value, at: keys.dropFirst()) else { return false }
            member = inner
        }
        members[key] = member
        self = .object(members)
        return true
    }
}
