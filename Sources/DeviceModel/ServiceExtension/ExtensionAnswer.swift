package import Fields
package import JSON

/// What a service extension handed over, made into content (C.4).
package struct ExtensionAnswer: Sendable, Hashable {
    package internal(set) var content: NotificationContent
    /// What of the answer was not used, and why.
    package internal(set) var findings: [Finding] = []

    /// Reads the `content` of an answer: a member that is absent keeps the original's value, `null` empties it.
    ///
    /// - Parameters:
    ///   - original: what the extension was asked about, in the device's language.
    ///   - payload: `userInfo` of the request; an answer that repeats it has not replaced it.
    ///   - donations: what the extension donated before it answered, for `strictDonation`.
    ///   - keep: is asked about each picture of the people.
    /// - Throws: when a member is not what it should be; then there is no answer.
    package init(
        _ json: JSONValue, changing original: NotificationContent, payload: JSONValue? = nil,
        donations: [Donation] = [], assumptions: Assumptions = Assumptions(), keep: IntentImage.Keeper
    ) throws(FieldError) {
        content = original
        var problems: [FieldProblem] = []
        guard let reader = MemberReader(leavingOutUnknown(json), &problems) else {
            throw FieldError(problems: problems)
        }
        for name in reader.members.keys.sorted() { check(name) }
        do throws(FieldError) {
            try content.apply(.object(plainMembers(of: reader)))
        } catch {
            problems += error.problems
        }
        changeLevel(reader, &problems)
        forgetLocalization(of: original, reader)
        if reader.members["attachments"] != nil {
            content.attachments = reader.objects("attachments", &problems).map { NotificationAttachment($0, &problems) }
        }
        if let userInfo = reader.members["userInfo"], userInfo != payload {
            content.userInfo = userInfo == .null ? .object([:]) : userInfo
        }
        if let intent = reader.members["communication"] {
            content.communication = nil
            let place = FieldPath().member("communication")
            if intent != .null {
                attach(intent, at: place, donations, assumptions, keep, &problems)
            }
        }
        guard problems.isEmpty else { throw FieldError(problems: problems) }
    }

    // MARK: Members

    /// What no extension can change (C.4), although a content has it.
    private static let fixed: Set<String> = [
        "isMutable", "isContentAvailable", "titleLocalization", "subtitleLocalization", "bodyLocalization",
    ]

    /// What is read apart from the table.
    private static let special: Set<String> = ["attachments", "userInfo", "communication", "interruptionLevel"]

    private mutating func check(_ name: String) {
        if Self.fixed.contains(name) {
            note("nse.answer.fixedMember", at: name)
        } else if !NotificationContent.fieldNames.contains(name) {
            noteUnknown(
                name, at: FieldPath().member(String(name.prefix(60))), among: NotificationContent.fieldNames)
        }
    }

    /// The members that the content's table reads, with what a payload is mended for mended as well (C.6).
    private mutating func plainMembers(of reader: MemberReader) -> [String: JSONValue] {
        var members = reader.members.filter {
            NotificationContent.fieldNames.contains($0.key) && !Self.fixed.contains($0.key)
                && !Self.special.contains($0.key)
        }
        if let score = reader["relevanceScore"]?.double, !(0...1).contains(score) {
            members["relevanceScore"] = .number(min(max(score, 0), 1))
            note("relevance.range", at: "relevanceScore", "\(score)")
        }
        if let badge = reader["badge"]?.double, badge < 0 {
            members["badge"] = nil
            note("badge.type", at: "badge", "\(badge)")
        }
        return members
    }

    /// A level that says what holds without it is no statement: the façade writes every member.
    private mutating func changeLevel(_ reader: MemberReader, _ problems: inout [FieldProblem]) {
        guard let json = reader.members["interruptionLevel"] else { return }
        // The case as Swift spells it; the payload's word is read as well.
        if json == .string("timeSensitive") {
            content.statedLevel = .timeSensitive
        } else if json == .null {
            content.statedLevel = nil
        } else if let level = reader.value("interruptionLevel", .word(InterruptionLevel.self), &problems),
            content.statesLevel || level != content.interruptionLevel
        {
            content.statedLevel = level
        }
    }

    /// Where a text is new, the key that it was looked up by counts no longer.
    private mutating func forgetLocalization(of original: NotificationContent, _ reader: MemberReader) {
        func isNew(_ name: String, _ text: KeyPath<NotificationContent, String>) -> Bool {
            reader.members[name] == .null || content[keyPath: text] != original[keyPath: text]
        }
        if isNew("title", \.title) { content.titleLocalization = nil }
        if isNew("subtitle", \.subtitle) { content.subtitleLocalization = nil }
        if isNew("body", \.body) { content.bodyLocalization = nil }
    }

    mutating func note(_ rule: String, at path: String, _ detail: String = "") {
        guard let rule = FindingRule.named(rule) else { return }
        findings.append(rule.finding(at: path, detail))
    }
}
