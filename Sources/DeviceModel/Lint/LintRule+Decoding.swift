/// Rules that the decoder applies while it reads: this table gives them source and example, and names to silence them by.
extension LintRule {
    static let decoding = [
        LintRule(
            "payload.json", .error, "S0-21, S2-17", "discarded: the payload is not valid JSON",
            fix: #"{"aps": {"alert": {"title": "Passive", "body": "…"}, "interruption-level": "passive"}}"#),
        LintRule(
            "payload.type", .error, "C.6", "a value is of the wrong type", fix: #""mutable-content": 1"#),
        LintRule(
            "payload.aps.missing", .warning, "C.6", "the payload has no `aps` dictionary", fix: #"{"aps": {…}}"#),
        LintRule(
            "payload.aps.type", .error, "C.6", "discarded: `aps` must be a dictionary", fix: #"{"aps": {…}}"#),
        LintRule(
            "payload.interruption-level.unknown", .warning, "S0-20, X3", "unknown level, which counts as active",
            fix: #""interruption-level": "time-sensitive""#),
        LintRule(
            "relevance.range", .warning, "C.6", "`relevance-score` is 0…1", fix: #""relevance-score": 0.75"#),
        LintRule("badge.type", .error, "C.6, I.4", "`badge` must be a whole number, 0 or more", fix: #""badge": 3"#),
        LintRule(
            "sound.critical.noDict", .warning, "C.6", "a critical alert sounds only with a `sound` dictionary",
            fix: #""sound": {"critical": 1, "name": "default", "volume": 1.0}"#),
        LintRule(
            "volume.range", .warning, "C.6", "`volume` is 0…1",
            fix: #""sound": {"critical": 1, "name": "default", "volume": 0.5}"#),
        LintRule(
            "aps.unknownKey", .warning, "apns 7.2", "unknown key in `aps`", fix: #"{"aps": {…}, "order": "17"}"#),
        LintRule(
            "summary-arg.ignored", .info, "C.6", "ignored since iOS 15", fix: "leave the key out"),
        LintRule(
            "alert.unknownKey", .warning, "apns 7.2", "unknown key in `alert`",
            fix: #"{"aps": {"alert": {…}}, "order": "17"}"#),
        LintRule("alert.ignoredKey", .info, "C.6", "has no effect any more", fix: "leave the key out"),
        LintRule(
            "alert.liveActivityForm", .info, "apns 7.2", "only a Live Activity's alert has a dictionary here",
            fix: #""title-loc-key": "SHIPPED", "title-loc-args": ["17"]"#),
        LintRule(
            "alert.locKey.unknown", .warning, "C.6", "the app has no text for the key, so the key itself is shown",
            fix: #"localizations: {en: {SHIPPED: "%@ is on its way"}}"#, needs: [.app]),
        LintRule(
            "alert.locArgs.tooFew", .warning, "C.6", "the text has more places than there are arguments",
            fix: #""loc-key": "SHIPPED", "loc-args": ["The lamp"]"#, needs: [.app]),
    ]
}
