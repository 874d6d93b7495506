internal import APNs
internal import DeviceModel
internal import Time

extension HygieneRule {
    private static let document = "doc: Establishing a token-based connection to APNs"

    static let tokens = [
        HygieneRule(
            "token.tooNew", .warning, "a provider token replaced within 20 minutes on its connection",
            cost: "APNs answers 429 TooManyProviderTokenUpdates, and may leave the connection unusable",
            apple: "\(document): at most one new token every 20 minutes on a connection",
            fix: "sign a token every 20 to 60 minutes, and reuse it for every push"
        ) { facts in
            facts.requests.filter { $0.rejection?.reason == .tooManyProviderTokenUpdates }.map { Hit($0) }
                + facts.connections.flatMap { connection in
                    pairs(connection.tokens).map { Hit(connection, keyID: $1.keyID, words($0, $1)) }
                }
        },
        HygieneRule(
            "token.notShared", .info, "tokens of one key on several connections within 20 minutes",
            cost: "if APNs counts tokens per key, all connections get 429 TooManyProviderTokenUpdates",
            apple:
                "\(document): the limit is per connection; that it spans connections is not established, but users of"
                + " five client libraries report it",
            fix: "one token for all connections and processes, signed in one place"
        ) { facts in
            Dictionary(grouping: facts.tokenUses, by: \.token.keyID).values.flatMap { uses in
                zip(uses, uses.dropFirst()).filter { earlier, later in
                    earlier.connection.facts.number != later.connection.facts.number
                        && isTooNew(earlier.token, later.token)
                }.map { Hit($1.connection, keyID: $1.token.keyID, words($0.token, $1.token)) }
            }
        },
        HygieneRule(
            "token.tooOld", .error, "a provider token older than an hour",
            cost: "APNs rejects every push with 403 ExpiredProviderToken until a new token comes",
            apple: "\(document): refresh the token at least once every 60 minutes",
            fix: "sign a token every 20 to 60 minutes; compare the clocks if it is newer"
        ) { facts in
            facts.requests.filter { $0.rejection?.reason == .expiredProviderToken }.map { Hit($0) }
                + facts.tokenUses.filter { $0.token.firstUsedAt.since($0.token.issuedAt) > .seconds(3600) }
                .map { Hit($0.connection, keyID: $0.token.keyID) }
        },
        HygieneRule(
            "key.many", .info, "more than two keys of a team in one environment",
            cost: "keys must be kept secret and renewed, and a connection is bound to that of its first push",
            apple: "\(document): a team has at most two team-scoped keys per environment; keys for single topics, which"
                + " this gateway knows from POST /keys, are not counted",
            fix: "one team-scoped key per environment, and a second one only to replace it"
        ) { facts in
            let uses = facts.tokenUses.filter { !facts.topicKeys.contains($0.token.keyID) }
            return Dictionary(grouping: uses) { use in
                "\(use.token.teamID) \(facts.requests(of: use.connection).first?.record.environment.rawValue ?? "")"
            }.values.flatMap { uses -> [Hit] in
                let keys = Set(uses.map(\.token.keyID)).sorted()
                guard keys.count > 2 else { return [] }
                return uses.map { Hit($0.connection, keyID: $0.token.keyID, keys.joined(separator: ", ")) }
            }
        },
    ]

    private typealias Use = ConnectionSnapshot.TokenUse

    private static func isTooNew(_ earlier: Use, _ later: Use) -> Bool {
        earlier.issuedAt != later.issuedAt
            && (Duration.zero..<Duration.seconds(1200)).contains(later.firstUsedAt.since(earlier.firstUsedAt))
    }

    /// Neighbours that follow each other too soon.
    private static func pairs(_ tokens: [Use]) -> [(Use, Use)] {
        zip(tokens, tokens.dropFirst()).filter { $0.keyID == $1.keyID && isTooNew($0, $1) }
    }

    private static func words(_ earlier: Use, _ later: Use) -> String {
        "key \(later.keyID), tokens of \(earlier.issuedAt.text) and \(later.issuedAt.text)"
    }
}
