internal import Fields
internal import Gateway

extension Setting {
    /// Off unless `relay.url` is set.
    static let relay: [Setting] = [
        Setting("relay.name", \.relay.name, .name, "The upstream's name in records, findings and the log."),
        Setting(
            "relay.url", \.relay.url, .optional(.name),
            "The upstream for relayed pushes, such as https://api.sandbox.push.apple.com: real devices will show "
                + "them (docs/relay.md)."),
        Setting(
            "relay.allow", \.relay.allowedTokens, .list(.hexadecimal),
            "The device tokens whose pushes may be relayed; pushes to other tokens never are."),
        Setting(
            "relay.where", \.relay.condition, .optional(.requestCondition),
            "Conditions on pushes to relay, as in docs/queries.md, such as \"topic=com.example.app\"."),
        Setting(
            "relay.ca", \.relay.authorities, .optional(.path),
            "PEM file of the authorities to trust for the upstream; the system's if empty."),
        Setting(
            "relay.keyFile", \.relay.keyFile, .optional(.path),
            "A .p8 file to sign provider tokens for the upstream with; without it, the client's own token is relayed."),
        Setting(
            "relay.keyId", \.relay.keyID, .optional(.keyIdentifier), "The `kid` of the tokens signed with `keyFile`."),
        Setting(
            "relay.teamId", \.relay.teamID, .optional(.keyIdentifier), "The `iss` of the tokens signed with `keyFile`."),
        Setting(
            "relay.certificate", \.relay.certificate, .optional(.path),
            "PEM file of the client certificate for the upstream, instead of tokens."),
        Setting("relay.certificateKey", \.relay.certificateKey, .optional(.path), "PEM file of its key."),
    ]
}
