package import APNs
package import DeviceModel
package import Fields

/// A provider key as a file or a request describes it, without its bytes.
package struct ProviderKeyDraft: FieldDescribed, Hashable {
    package var keyID: String?
    package var teamID: String?
    package var environments = APNsEnvironment.allCases
    /// nil for all topics of the team.
    package var topics: [String]?
    package var relatedKeyID: String?

    package init() {}

    package static let fields: [Field<ProviderKeyDraft>] = [
        Field("keyId", \.keyID, .optional(.keyIdentifier), "kid of the key's tokens."),
        Field("teamId", \.teamID, .optional(.keyIdentifier), "iss of the key's tokens."),
        Field("environments", \.environments, .list(.word()), "Where the key may be used."),
        Field("topics", \.topics, .optional(.list(.topic)), "What it may be used for; absent for all of the team's."),
        Field(
            "relatedKeyId", \.relatedKeyID, .optional(.keyIdentifier),
            "Another key that may be used on the same connection."),
    ]

    package static let checks: [FieldCheck<ProviderKeyDraft>] = [
        FieldCheck { draft in
            guard draft.environments.isEmpty else { return [] }
            return [
                FieldProblem(
                    FieldPath().member("environments"), "is empty",
                    "omit it for both, or name sandbox or production")
            ]
        }
    ]

    package func key(keyID: String, teamID: String) -> ProviderKey {
        ProviderKey(
            keyID: keyID, teamID: teamID, environments: Set(environments),
            scope: topics.map { .topics(Set($0)) } ?? .team, relatedKeyID: relatedKeyID)
    }
}

extension FieldFormat {
    /// Apple's have ten letters and digits; invented ones may also have `-`, `_` and `.`.
    package static var keyIdentifier: FieldFormat<String> {
        text(
            "1 to 64 letters and digits, ten as with Apple's",
            read: { text in
                let isAllowed = text.utf8.allSatisfy { byte in
                    switch byte {
                    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
                    default: false
                    }
                }
                return (1...64).contains(text.utf8.count) && isAllowed ? text : nil
            }, write: { $0 })
    }
}
