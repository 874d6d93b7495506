internal import Fields
internal import JSON

/// `updating(from:)`, as far as it happens on the gateway's side (E.1).
extension ExtensionAnswer {
    mutating func attach(
        _ intent: JSONValue, at path: FieldPath, _ donations: [Donation], _ assumptions: Assumptions,
        _ keep: IntentImage.Keeper, _ problems: inout [FieldProblem]
    ) {
        do throws(IntentError) {
            var missing: [String] = []
            let context = try CommunicationContext(intent: intent, at: path, isLenient: assumptions.lenientIntents) {
                let digest = keep($0)
                if digest == nil { missing.append($0.words) }
                return digest
            }
            for image in missing { note("comm.image.unavailable", at: path.description, image) }
            if assumptions.strictDonation, !donations.contains(where: { $0.tells(of: context) }) {
                note("comm.notDonated", at: path.description)
                return
            }
            content.communication = context
            // The attributed text of a message takes the place of the body (E.2).
            if case .object(let members) = intent, case .string(let text)? = members["attributedContent"] {
                content.body = text
            }
        } catch {
            switch error {
            case .malformed(let wrong): problems += wrong.problems
            case .unsupported(let name): note("comm.intent.unsupported", at: path.description, "`\(name)`")
            case .incomplete(let sentence): note("comm.intent.incomplete", at: path.description, sentence)
            }
        }
    }
}

extension Donation {
    /// Whether it tells of the conversation that content was updated from.
    package func tells(of context: CommunicationContext) -> Bool {
        guard let own = communication else { return false }
        return own.intent == context.intent && own.conversationIdentifier == context.conversationIdentifier
    }
}

extension IntentImage {
    /// What a person may look for.
    fileprivate var words: String {
        switch self {
        case .bytes(let bytes): "a picture of \(bytes.count) bytes"
        case .url(let address): "\"\(address)\""
        case .named(let name): "the app's picture \"\(name)\""
        case .system(let name): "the symbol \"\(name)\""
        }
    }
}
