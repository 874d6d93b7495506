internal import DeviceModel

/// Rules that the decoder applies while it reads: this table gives them source and example, and names to silence them by.
extension LintRule {
    static let decoding = [
        LintRule(
            "payload.json", .error, "WWDC21 10091 (S0-21); mszpro.com (S2-17)",
            "discarded: the payload is not valid JSON",
            fix: #"{"aps": {"alert": {"title": "Passive", "body": "…"}, "interruption-level": "passive"}}"#),
        LintRule(
            "payload.type", .error, "doc: Generating a remote notification", "a value is of the wrong type",
            fix: #""mutable-content": 1"#),
        LintRule(
            "payload.aps.missing", .warning, "doc: Generating a remote notification",
            "the payload has no `aps` dictionary", fix: #"{"aps": {…}}"#),
        LintRule(
            "payload.aps.type", .error, "doc: Generating a remote notification",
            "discarded: `aps` must be a dictionary", fix: #"{"aps": {…}}"#),
        LintRule(
            "payload.interruption-level.unknown", .warning, "S0-20, X3", "unknown level, which counts as active",
            fix: #""interruption-level": "time-sensitive""#),
        LintRule(
            "relevance.range", .warning, "doc: Generating a remote notification", "`relevance-score` is 0…1",
            fix: #""relevance-score": 0.75"#),
        LintRule(
            "badge.type", .error, "doc: Generating a remote notification", "`badge` must be a whole number, 0 or more",
            fix: #""badge": 3"#),
        LintRule(
            "sound.critical.noDict", .warning, "doc: Generating a remote notification",
            "a critical alert sounds only with a `sound` dictionary",
            fix: #""sound": {"critical": 1, "name": "default", "volume": 1.0}"#),
        LintRule(
            "volume.range", .warning, "doc: Generating a remote notification", "`volume` is 0…1",
            fix: #""sound": {"critical": 1, "name": "default", "volume": 0.5}"#),
        LintRule(
            "aps.unknownKey", .warning, "doc: Generating a remote notification", "unknown key in `aps`",
            fix: #"{"aps": {…}, "order": "17"}"#),
        LintRule(
            "summary-arg.ignored", .info, "doc: Generating a remote notification", "ignored since iOS 15",
            fix: "leave the key out"),
        LintRule(
            "alert.unknownKey", .warning, "doc: Generating a remote notification", "unknown key in `alert`",
            fix: #"{"aps": {"alert": {…}}, "order": "17"}"#),
        LintRule(
            "alert.ignoredKey", .info, "doc: Generating a remote notification", "has no effect any more",
            fix: "leave the key out"),
        LintRule(
            "alert.liveActivityForm", .info, "doc: Generating a remote notification",
            "only a Live Activity's alert has a dictionary here",
            fix: #""title-loc-key": "SHIPPED", "title-loc-args": ["17"]"#),
        LintRule(
            "alert.locKey.unknown", .warning, "doc: Generating a remote notification",
            "the app has no text for the key, so the key itself is shown",
            fix: #"localizations: {en: {SHIPPED: "%@ is on its way"}}"#, needs: [.app]),
        LintRule(
            "alert.locArgs.tooFew", .warning, "doc: Generating a remote notification",
            "the text has more places than there are arguments",
            fix: #""loc-key": "SHIPPED", "loc-args": ["The lamp"]"#, needs: [.app]),
    ]
}
