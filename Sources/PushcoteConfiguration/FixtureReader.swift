internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Yams

/// Reads the sections `keys`, `apps`, `devices` and `faults`, and remembers what is wrong with them.
struct FixtureReader {
    /// The names of the sections.
    static let sections = ["keys", "apps", "devices", "faults"]

    var file: SourceFile
    var fixtures = Fixtures()

    /// Reads one of the sections; nothing may stand in it.
    mutating func read(section: String, _ node: Node) {
        guard !node.isAbsent else { return }
        switch section {
        case "keys":
            for element in elements(of: node, in: section, each: "{keyId, teamId, file}") { readKey(element) }
        case "apps":
            for (name, value) in entries(of: node, in: section, each: "a bundle identifier") { readApp(name, value) }
        case "faults":
            for (index, element) in elements(of: node, in: section, each: "{name, effect} or {scenario}").enumerated() {
                readFault(element, at: FieldPath([.member(section), .element(index)]))
            }
        default:
            for (name, value) in entries(of: node, in: section, each: "a device's name") { readDevice(name, value) }
        }
    }

    private mutating func readKey(_ node: Node) {
        let members = ["keyId", "teamId", "file", "environments", "topics", "relatedKeyId"]
        guard var key = object(node, in: "keys", members: members) else { return }
        let keyID = key.requiredText("keyId")
        let teamID = key.requiredText("teamId")
        let path = key.requiredText("file").flatMap { SettingFormat<String>.resolve($0, in: file.folder) }
        let environments: [APNsEnvironment]? = key.words("environments")
        if key["environments"]?.sequence?.isEmpty == true {
            key.report(
                "environments is empty; omit it for both, or name sandbox or production", at: "environments")
        }
        let topics = key.texts("topics")
        for topic in topics ?? [] { key.checkTopic(topic, of: "topics") }
        let relatedKeyID = key.text("relatedKeyId")
        file = key.file
        guard let keyID, let teamID, let path else { return }
        fixtures.keys.append(
            Fixtures.Key(
                key: ProviderKey(
                    keyID: keyID, teamID: teamID,
                    environments: environments.map(Set.init) ?? Set(APNsEnvironment.allCases),
                    scope: topics.map { .topics(Set($0)) } ?? .team, relatedKeyID: relatedKeyID),
                file: path, position: file.position(of: node)))
    }

    mutating func registrations(_ list: Node, in path: String) -> [Fixtures.Registration] {
        elements(of: list, in: path, each: "{topic}").compactMap { registration($0, in: path) }
    }

    private mutating func registration(_ node: Node, in path: String) -> Fixtures.Registration? {
        guard var object = object(node, in: path, members: ["topic", "environment", "kind", "token"]) else {
            return nil
        }
        let topic = object.requiredText("topic")
        if let topic { object.checkTopic(topic, of: "topic") }
        let environment: APNsEnvironment? = object.word("environment")
        let kind: TokenKind? = object.word("kind")
        if let topic, let kind, let proper = kind.properTopic(insteadOf: topic) {
            object.report("kind is \(kind.rawValue), which goes with the topic \(proper), not \(topic)", at: "kind")
        }
        let token = object.text("token").flatMap { text -> DeviceToken? in
            let token = DeviceToken(hex: text.utf8Span.span.bytes)
            if token == nil {
                object.report("token is \"\(text)\"; accepted: an even number of hexadecimal digits", at: "token")
            }
            return token
        }
        file = object.file
        guard let topic else { return nil }
        return Fixtures.Registration(
            topic: topic, environment: environment, kind: kind ?? TokenKind(topic: topic), token: token,
            position: file.position(of: node))
    }

    mutating func name(_ node: Node, of what: String) -> String? {
        if let text = node.scalar?.string, !text.isEmpty { return text }
        file.report("the name of \(what) is \(node.words); accepted: a text", at: node)
        return nil
    }

    private mutating func elements(of node: Node, in path: String, each: String) -> [Node] {
        if let sequence = node.sequence { return Array(sequence) }
        file.report("\(path) is \(node.words); accepted: a list, each element \(each)", at: node)
        return []
    }

    mutating func entries(of node: Node, in path: String, each: String) -> [(key: Node, value: Node)] {
        if let mapping = node.mapping { return Array(mapping) }
        file.report("\(path) is \(node.words); accepted: entries, each key \(each)", at: node)
        return []
    }

    private mutating func object(_ node: Node, in path: String, members: [String]) -> FixtureObject? {
        guard let mapping = node.mapping else {
            file.report(
                "an element of \(path) is \(node.words); accepted: the keys \(members.joined(separator: ", "))",
                at: node)
            return nil
        }
        for (key, _) in mapping where !members.contains(key.scalar?.string ?? "") {
            let name = key.scalar?.string ?? key.words
            let hint = NearestName.of(name, among: members).map { "did you mean \($0)?" }
            file.report(
                "unknown key \(path).\(name); \(hint ?? "known are \(members.joined(separator: ", "))")", at: key)
        }
        return FixtureObject(file: file, node: node, mapping: mapping, path: path)
    }
}

/// One element of a fixture section, with its members by name.
struct FixtureObject {
    var file: SourceFile
    let node: Node
    let mapping: Node.Mapping
    let path: String

    subscript(_ member: String) -> Node? { mapping.first { $0.key.scalar?.string == member }?.value }

    /// Reports something about a member.
    mutating func report(_ message: String, at member: String) {
        file.report("\(path): \(message)", at: self[member] ?? node)
    }

    /// Reports a topic that is none.
    mutating func checkTopic(_ topic: String, of member: String) {
        guard !TopicRules.isTopic(topic) else { return }
        report("\(member) has \"\(topic.prefix(80))\"; accepted: \(TopicRules.form)", at: member)
    }

    mutating func text(_ member: String) -> String? {
        guard let value = self[member], !value.isAbsent else { return nil }
        if let text = value.scalar?.string, !text.isEmpty { return text }
        report("\(member) is \(value.words); accepted: a text", at: member)
        return nil
    }

    mutating func requiredText(_ member: String) -> String? {
        if self[member]?.isAbsent ?? true {
            report("\(member) is missing", at: member)
            return nil
        }
        return text(member)
    }

    mutating func texts(_ member: String) -> [String]? {
        guard let value = self[member], !value.isAbsent else { return nil }
        switch value.settingText {
        case .scalar(let text): return [text]
        case .list(let texts): return texts
        case .absent, nil:
            report("\(member) is \(value.words); accepted: a list of texts", at: member)
            return nil
        }
    }

    mutating func word<Word: RawRepresentable<String> & CaseIterable>(_ member: String) -> Word? {
        guard let text = text(member) else { return nil }
        return word(text, of: member)
    }

    mutating func words<Word: RawRepresentable<String> & CaseIterable>(_ member: String) -> [Word]? {
        guard let texts = texts(member) else { return nil }
        var words: [Word] = []
        for text in texts {
            if let word: Word = word(text, of: member) { words.append(word) }
        }
        return words
    }

    private mutating func word<Word: RawRepresentable<String> & CaseIterable>(_ text: String, of member: String)
        -> Word?
    {
        if let word = Word(rawValue: text) { return word }
        let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
        report("\(member) is \"\(text)\"; accepted: \(words)", at: member)
        return nil
    }
}
