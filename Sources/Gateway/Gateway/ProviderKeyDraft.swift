package import APNs
internal import DeviceModel
package import Fields

/// A provider key in a file or a request, without its bytes.
package struct ProviderKeyDraft: FieldDescribed, Hashable {
    package var keyID: String?
    package var teamID: String?
    package var environments = APNsEnvironment.allCases
    /// nil for all of the team's topics.
    package var topics: [String]?
    package var relatedKeyID: String?

    package init() {}

    package static let fields: [Field<ProviderKeyDraft>] = [
        Field("keyId", \.keyID, .optional(.keyIdentifier), "kid of the key's tokens."),
        Field("teamId", \.teamID, .optional(.keyIdentifier), "iss of the key's tokens."),
        Field("environments", \.environments, .list(.word()), "The environments in which it may be used."),
        Field(
            "topics", \.topics, .optional(.list(.topic)),
            "The topics it may be used for; all of the team's when absent."),
        Field(
            "relatedKeyId", \.relatedKeyID, .optional(.keyIdentifier),
            "Another key that may be used on the same connection."),
    ]

    package static let checks: [FieldCheck<ProviderKeyDraft>] = [
        FieldCheck(
            at: "environments", found: "is empty", remedy: "omit it for both, or name sandbox or production"
        ) { $0.environments.isEmpty }
    ]

    package func key(keyID: String, teamID: String) -> ProviderKey {
        ProviderKey(
            keyID: keyID, teamID: teamID, environments: Set(environments),
            scope: topics.map { .topics(Set($0)) } ?? .team, relatedKeyID: relatedKeyID)
    }
}

extension FieldFormat {
    /// Apple's have ten letters and digits; others may also contain `-`, `_` and `.`.
    package static var keyIdentifier: FieldFormat<String> {
        let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._".utf8)
        return text(
            "1 to 64 letters and digits, ten as with Apple's",
            read: { (1...64).contains($0.utf8.count) && $0.utf8.allSatisfy(allowed.contains) ? $0 : nil },
            write: { $0 })
    }
}
