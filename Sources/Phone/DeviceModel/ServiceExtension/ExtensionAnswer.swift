package import Fields
package import JSON

/// The content that a service extension returned (C.4).
package struct ExtensionAnswer: Sendable, Hashable {
    package internal(set) var content: NotificationContent
    package private(set) var findings: [Finding] = []
    private var unknownCount = 0

    /// As JSON without the intent's pictures: a notification keeps its content. Not a limit of iOS.
    package static let byteLimit = DonationCall.byteLimit

    /// Reads the `content` of an answer: an absent member keeps the original's value, `null` empties it.
    ///
    /// - Parameters:
    ///   - original: The request's content, in the device's language.
    ///   - payload: The request's `userInfo`; an answer that repeats it has not replaced it.
    ///   - donations: The extension's donations before the answer, for `strictDonation`.
    /// - Throws: When a member is invalid; the answer is then unusable.
    package init(
        _ json: JSONValue, changing original: NotificationContent, payload: JSONValue? = nil,
        donations: [Donation] = [], assumptions: Assumptions = Assumptions(), store: IntentImage.Storage
    ) throws(FieldError) {
        guard json.byteCount(upTo: Self.byteLimit, besidesPictures: true) <= Self.byteLimit else {
            let found = "the content has more than \(Self.byteLimit) bytes of JSON besides the intent's pictures"
            throw FieldError(problems: [FieldProblem(FieldPath(), found, "make it shorter")])
        }
        content = original
        let reader = MemberReader(removingUnknown(json))
        for name in reader.members.keys.sorted() { check(name) }
        do throws(FieldError) {
            try content.apply(.object(plainMembers(of: reader)))
        } catch {
            reader.report(error.problems)
        }
        changeLevel(reader)
        removeLocalization(of: original, reader)
        if reader.members["attachments"] != nil {
            content.attachments = reader.objects("attachments").map { NotificationAttachment($0) }
        }
        if let userInfo = reader.members["userInfo"], userInfo != payload {
            content.userInfo = userInfo == .null ? .object([:]) : userInfo
        }
        if let intent = reader.members["communication"] {
            content.communication = nil
            if intent != .null {
                let place = FieldPath().member("communication")
                reader.report(attach(intent, at: place, donations, assumptions, store))
            }
        }
        try reader.finish()
        findings = findings.bounded
    }

    /// Members that an extension cannot change (C.4).
    private static let fixed: Set<String> = [
        "isMutable", "isContentAvailable", "titleLocalization", "subtitleLocalization", "bodyLocalization",
    ]

    /// Members that the content's table does not read.
    private static let special: Set<String> = ["attachments", "userInfo", "communication", "interruptionLevel"]

    private mutating func check(_ name: String) {
        if Self.fixed.contains(name) {
            report("nse.answer.fixedMember", at: name)
        } else if !NotificationContent.fieldNames.contains(name) {
            reportUnknown(name, at: FieldPath(), among: NotificationContent.fieldNames)
        }
    }

    /// The members that the content's table reads, corrected as in a payload (C.6).
    private mutating func plainMembers(of reader: MemberReader) -> JSONObject {
        var members = reader.members.filter {
            NotificationContent.fieldNames.contains($0.key) && !Self.fixed.contains($0.key)
                && !Self.special.contains($0.key)
        }
        if let score = reader["relevanceScore"]?.double, !(0...1).contains(score) {
            members["relevanceScore"] = .number(min(max(score, 0), 1))
            report("relevance.range", at: "relevanceScore", "\(score)")
        }
        if let badge = reader["badge"]?.double, badge < 0 {
            members["badge"] = nil
            report("badge.type", at: "badge", "\(badge)")
        }
        return members
    }

    /// The façade writes every member, so an active level sets nothing unless the payload had a level.
    private mutating func changeLevel(_ reader: MemberReader) {
        guard let json = reader.members["interruptionLevel"] else { return }
        // Swift's spelling; the payload's word is also accepted.
        if json == .string("timeSensitive") {
            content.statedLevel = .timeSensitive
        } else if json == .null {
            content.statedLevel = nil
        } else if let level = reader.value("interruptionLevel", .word(InterruptionLevel.self)),
            content.statedLevel != nil || level != .active
        {
            content.statedLevel = level
        }
    }

    /// Removes the localization keys of changed texts.
    private mutating func removeLocalization(of original: NotificationContent, _ reader: MemberReader) {
        func isNew(_ name: String, _ text: KeyPath<NotificationContent, String>) -> Bool {
            reader.members[name] == .null || content[keyPath: text] != original[keyPath: text]
        }
        if isNew("title", \.title) { content.titleLocalization = nil }
        if isNew("subtitle", \.subtitle) { content.subtitleLocalization = nil }
        if isNew("body", \.body) { content.bodyLocalization = nil }
    }

    private mutating func removingUnknown(_ json: JSONValue) -> JSONValue {
        guard case .object(var members) = json else { return json }
        for name in ["attachments", "sound"] {
            members[name] = members[name].map {
                known($0, NotificationContent.schema.member(name), at: FieldPath().member(name))
            }
        }
        if case .array(let attachments)? = members["attachments"] {
            let place = FieldPath().member("attachments")
            members["attachments"] = .array(
                attachments.enumerated().map { removingWrongOptions($0.element, at: place.element($0.offset)) })
        }
        return .object(members)
    }

    private mutating func removingWrongOptions(_ attachment: JSONValue, at path: FieldPath) -> JSONValue {
        guard case .object(var members) = attachment, let json = members["options"] else { return attachment }
        let path = path.member("options")
        guard case .object(var options) = json else {
            if json != .null { report(.wrong(json, at: path, accepted: "an object")) }
            members["options"] = nil
            return .object(members)
        }
        var read = NotificationAttachment.Options()
        for field in NotificationAttachment.Options.fields {
            var problems: [FieldProblem] = []
            if let option = options[field.name] { field.read(option, &read, path, &problems) }
            if !problems.isEmpty { options[field.name] = nil }
            for problem in problems { report(problem) }
        }
        members["options"] = .object(options)
        return .object(members)
    }

    private mutating func report(_ problem: FieldProblem) {
        report("nse.answer.wrongOption", at: problem.path.description, "it \(problem.message)")
    }

    private mutating func known(_ json: JSONValue, _ schema: FieldSchema?, at path: FieldPath) -> JSONValue {
        switch json {
        case .array(let elements):
            return .array(elements.enumerated().map { known($0.element, schema?.element, at: path.element($0.offset)) })
        case .object(var members):
            guard case .object(_, let fields)? = schema else { return json }
            let names = fields.map(\.name)
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                if names.contains(name) {
                    members[name] = known(value, schema?.member(name), at: path.member(name))
                } else {
                    members[name] = nil
                    reportUnknown(name, at: path, among: names)
                }
            }
            return .object(members)
        case .null, .bool, .integer, .number, .string, .verbatim: return json
        }
    }

    private mutating func reportUnknown(_ name: String, at path: FieldPath, among names: [String]) {
        unknownCount += 1
        let nearest = unknownCount > Finding.adviceLimit ? nil : NearestName.of(name, among: names)
        let place = path.member(String(name.prefix(60))).description
        report("nse.answer.unknownMember", at: place, nearest.map { "did you mean \($0)?" } ?? "")
    }

    private mutating func report(_ rule: String, at path: String, _ detail: String = "") {
        findings.append(FindingRule.named(rule).finding(at: path, detail))
    }
}

/// Applies the effects of `updating(from:)` (E.1).
extension ExtensionAnswer {
    private mutating func attach(
        _ intent: JSONValue, at path: FieldPath, _ donations: [Donation], _ assumptions: Assumptions,
        _ store: IntentImage.Storage
    ) -> [FieldProblem] {
        do throws(IntentError) {
            var missing: [String] = []
            let context = try CommunicationContext(intent: intent, at: path, isLenient: assumptions.lenientIntents) {
                let digest = store($0)
                if digest == nil { missing.append($0.words) }
                return digest
            }
            for image in missing { report("comm.image.unavailable", at: path.description, image) }
            if assumptions.strictDonation, !donations.contains(where: { $0.isOfConversation(in: context) }) {
                report("comm.notDonated", at: path.description)
                return []
            }
            content.communication = context
            // A message's attributed text replaces the body (E.2).
            if case .object(let members) = intent, case .string(let text)? = members["attributedContent"] {
                content.body = text
            }
        } catch {
            switch error {
            case .malformed(let wrong): return wrong.problems
            case .unsupported(let name): report("comm.intent.unsupported", at: path.description, "`\(name.prefix(60))`")
            case .incomplete(let sentence): report("comm.intent.incomplete", at: path.description, sentence)
            }
        }
        return []
    }
}

extension Donation {
    package func isOfConversation(in context: CommunicationContext) -> Bool {
        guard let own = communication else { return false }
        return own.intent == context.intent && own.conversationIdentifier == context.conversationIdentifier
    }
}

extension IntentImage {
    fileprivate var words: String {
        switch self {
        case .bytes(let bytes): "a picture of \(bytes.count) bytes"
        case .url(let address): "\"\(address.prefix(200))\""
        case .named(let name): "the app's picture \"\(name.prefix(60))\""
        case .system(let name): "the symbol \"\(name.prefix(60))\""
        }
    }
}
