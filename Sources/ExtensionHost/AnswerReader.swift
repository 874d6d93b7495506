internal import APNs
internal import DeviceModel

/// Reads what an extension handed over, and what of a content it is shown.
enum AnswerReader {
    /// What an extension neither sees nor changes.
    private static let fixedMembers = [
        "titleLocalization", "subtitleLocalization", "bodyLocalization", "isMutable", "isContentAvailable",
    ]

    /// The members of a content that an extension may change, but for `userInfo`.
    static func changeableMembers(of content: NotificationContent) -> [OrderedJSON.Member] {
        guard case .object(let members) = content.json else { return [] }
        return members.filter { !fixedMembers.contains($0.name) && !["userInfo", "communication"].contains($0.name) }
    }

    /// What an answer makes of a request's content: an absent member keeps its value, `null` empties it.
    ///
    /// - Returns: The content, and what there is to say about members that nobody knows; those are ignored.
    /// - Throws: `FieldError` when a member has a value that it cannot have.
    static func read(
        _ json: JSONValue, changing original: ExtensionRequest
    ) throws(FieldError) -> (content: NotificationContent, findings: [Finding]) {
        guard case .object(var members) = json else {
            throw FieldError(problems: [FieldProblem(FieldPath(), "is \(json.words)", "accepted: an object")])
        }
        var findings: [Finding] = []
        for name in fixedMembers { members[name] = nil }
        for name in members.keys.sorted() where !NotificationContent.fieldNames.contains(name) {
            let known = NotificationContent.fieldNames.filter { !fixedMembers.contains($0) }
            let problem = FieldProblem.unknown(name, at: FieldPath(), known: known)
            findings.append(Finding("nse.content.unknown", .warning, at: "", "The answer's \(problem); it is ignored."))
            members[name] = nil
        }
        var content = try readContent(.object(members), changing: original.content)
        // The façade writes every member; what is still the payload need not be kept twice.
        if let userInfo = content.userInfo, userInfo == JSONValue(original.payload.span.bytes) {
            content.userInfo = nil
        }
        return (content, findings)
    }

    /// The place where an answer's members are understood.
    private static func readContent(
        _ json: JSONValue, changing original: NotificationContent
    ) throws(FieldError) -> NotificationContent {
        var content = original
        // `communication` is an intent, not the member of `NotificationContent`; who reads it does so here.
        guard case .object(var members) = json else { return content }
        members["communication"] = nil
        try content.apply(.object(members))
        return content
    }

    /// What was donated; nil when it is no interaction.
    static func donation(_ json: JSONValue) -> Donation? {
        guard case .object(let members) = json, case .object? = members["intent"], let intent = members["intent"] else {
            return nil
        }
        func text(_ name: String) -> String? { if case .string(let text)? = members[name] { text } else { nil } }
        var donation = Donation(identifier: text("identifier") ?? "", intent: intent)
        donation.groupIdentifier = text("groupIdentifier")
        donation.direction = text("direction").flatMap(Donation.Direction.init) ?? .unspecified
        if let response = members["response"], response != .null { donation.response = response }
        guard case .object(let interval)? = members["dateInterval"] else { return donation }
        if case .string(let start)? = interval["start"] { donation.startedAt = Instant(written: start) }
        switch interval["duration"] {
        case .integer(let seconds)?: donation.duration = Double(seconds)
        case .number(let seconds)?: donation.duration = seconds
        default: break
        }
        return donation
    }
}
