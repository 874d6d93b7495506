internal import DeviceModel
internal import Fields
internal import JSON

/// Reads what an extension handed over.
struct AnswerReader: Sendable {
    /// Keeps a picture and tells its SHA-256.
    let keep: @Sendable (IntentImage, ExtensionRequest) -> String?
    let assumptions: @Sendable () -> Assumptions

    /// What an answer makes of a request's content.
    /// - Throws: `FieldError` when a member has a value that it cannot have.
    func answer(_ json: JSONValue, of run: ActiveRun) throws(FieldError) -> ExtensionAnswer {
        let request = run.request
        return try ExtensionAnswer(
            json, changing: request.content, payload: JSONValue(request.payload.span.bytes),
            donations: run.record.donations, assumptions: assumptions()
        ) { keep($0, request) }
    }

    /// What was donated.
    /// - Throws: `FieldError` when it is no interaction.
    func donation(_ json: JSONValue, of run: ActiveRun) throws(FieldError) -> Donation {
        let request = run.request
        let number = run.record.donations.count + 1
        return try Donation(json, named: "\(request.identifier)-\(number)") { keep($0, request) }
    }
}

extension NotificationContent {
    /// The members that an extension is shown and may change, but for `userInfo`.
    var changeableMembers: [OrderedJSON.Member] {
        let others = [
            "titleLocalization", "subtitleLocalization", "bodyLocalization", "isMutable", "isContentAvailable",
            "userInfo",
            "communication",
        ]
        guard case .object(let members) = json else { return [] }
        return members.filter { !others.contains($0.name) }
    }
}
