package import APNs
package import Fields
package import Queries

package struct RelaySettings: Sendable, Equatable {
    package var name = "upstream"
    /// nil turns the relay off.
    package var url: String?
    package var allowedTokens: [String] = []
    package var condition: WrittenQuery?
    /// PEM; nil trusts the system's.
    package var authorities: String?
    /// A .p8 file; nil relays the client's own provider token.
    package var keyFile: String?
    package var keyID: String?
    package var teamID: String?
    package var certificate: String?
    package var certificateKey: String?

    package init() {}

    package var rules: RelayRules {
        RelayRules(
            name: name, allowed: Set(allowedTokens.compactMap { DeviceToken(hex: Array($0.utf8).span.bytes) }),
            condition: condition)
    }
}

package struct RelayRules: Sendable {
    package var name: String
    package var allowed: Set<DeviceToken>
    package var condition: WrittenQuery?
}

extension FieldFormat {
    package static var requestCondition: FieldFormat<WrittenQuery> { .query(roots: FaultFacts.roots) }
}
