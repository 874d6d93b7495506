package import Fields
package import JSON

/// A call by which an app or its extension changes what the system knows about its use.
package enum DonationCall: Sendable, Hashable, Codable {
    case donate(Donation)
    case delete(DonationScope)
    /// An `NSUserActivity`.
    case becomeCurrent(JSONValue)
    /// By `persistentIdentifier`; nil for all.
    case deleteUserActivities([String]?)
    /// Each an `INRelevantShortcut`; replaces those of the app.
    case setRelevantShortcuts([JSONValue])
    /// An `UpcomingMedia`, `INUpcomingMediaManager`'s, as a whole; an extension sets its parts.
    case setUpcomingMedia(JSONValue)
    /// Each an `INPlayMediaIntent`; replaces those of the app.
    case setSuggestedMediaIntents([JSONValue])
    /// - Parameter mediaType: `INMediaItemType`.
    case setPredictionMode(PredictionMode, mediaType: String)

    /// Of one donation, or one list, as JSON; not a limit of iOS.
    package static let byteLimit = 65_536

    package var byteCount: Int {
        if case .donate(let donation) = self { return donation.json.bytes.count }
        return centerCall?.arguments.bytes.count ?? 0
    }

    /// `INUpcomingMediaPredictionMode`.
    package enum PredictionMode: String, CaseIterable, Codable, Sendable { case `default`, onlyPredictSuggestedIntents }
}

/// The donations of an app that `INInteraction.delete` names.
package enum DonationScope: Sendable, Hashable, Codable {
    case identifiers([String])
    case group(String)
    case all

    package func contains(_ donation: Donation) -> Bool {
        switch self {
        case .identifiers(let identifiers): identifiers.contains(donation.identifier)
        case .group(let group): donation.groupIdentifier == group
        case .all: true
        }
    }
}

/// Reads and writes a call as an extension makes it.
extension DonationCall {
    /// Pictures become digests.
    ///
    /// - Returns: nil for a call of another kind.
    /// - Throws: `FieldError` for a missing or wrong argument.
    package static func read(
        _ call: ExtensionRun.CenterCall, store: IntentImage.Storage
    ) throws(FieldError) -> DonationCall? {
        let reader = MemberReader(call.arguments, at: FieldPath().member("arguments"))
        let read = reader.donationCall(call.name, store)
        if read != nil { try reader.finish() }
        return read
    }

    /// nil for what no extension calls: a donation is a message of its own.
    package var centerCall: ExtensionRun.CenterCall? {
        switch self {
        case .donate, .setUpcomingMedia: nil
        case .delete(.identifiers(let words)): .init("deleteDonations", ["identifiers": .strings(words)])
        case .delete(.group(let group)): .init("deleteDonations", ["groupIdentifier": .string(group)])
        case .delete(.all): .init("deleteAllDonations")
        case .becomeCurrent(let activity): .init("becomeCurrent", ["userActivity": activity])
        case .deleteUserActivities(let words?):
            .init("deleteUserActivities", ["persistentIdentifiers": .strings(words)])
        case .deleteUserActivities(nil): .init("deleteAllUserActivities")
        case .setRelevantShortcuts(let shortcuts): .init("setRelevantShortcuts", ["shortcuts": .array(shortcuts)])
        case .setSuggestedMediaIntents(let intents): .init("setSuggestedMediaIntents", ["intents": .array(intents)])
        case .setPredictionMode(let mode, let type):
            .init("setPredictionMode", ["mode": .string(mode.rawValue), "mediaType": .string(type)])
        }
    }
}

extension MemberReader {
    /// After a problem, the result is not meaningful.
    fileprivate func donationCall(_ name: String, _ store: IntentImage.Storage) -> DonationCall? {
        switch name {
        case "deleteDonations":
            if let group = value("groupIdentifier", .text) { return .delete(.group(group)) }
            return .delete(.identifiers(words("identifiers")))
        case "deleteAllDonations": return .delete(.all)
        case "becomeCurrent": return .becomeCurrent(required("userActivity", .anyObject) ?? .null)
        case "deleteUserActivities": return .deleteUserActivities(words("persistentIdentifiers"))
        case "deleteAllUserActivities": return .deleteUserActivities(nil)
        case "setRelevantShortcuts": return .setRelevantShortcuts(values("shortcuts", store))
        case "setSuggestedMediaIntents": return .setSuggestedMediaIntents(values("intents", store))
        case "setPredictionMode":
            let mode = required("mode", .word(DonationCall.PredictionMode.self))
            return .setPredictionMode(mode ?? .default, mediaType: required("mediaType", .text) ?? "")
        default: return nil
        }
    }

    private func words(_ name: String) -> [String] { required(name, .list(.text)) ?? [] }

    private func values(_ name: String, _ store: IntentImage.Storage) -> [JSONValue] {
        (required(name, .list(.anyObject)) ?? []).map { $0.storePictures(store) }
    }
}
