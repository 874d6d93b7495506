internal import DeviceModel

extension LintRule {
    private static let background = "doc: Pushing background updates to your App"

    /// About a push type and a payload that do not match. Reported beside APNs' answer, which needs both; listed so that they
    /// can be silenced.
    package static let headers = [
        FindingRule(
            "push-type.missing", .warning, "doc: Sending notification requests to APNs",
            "apns-push-type is missing: watchOS 6 and later require it, other systems may delay or drop the push",
            fix: "apns-push-type: alert"),
        FindingRule(
            "push-type.background-alert", .warning, background,
            "the app is not woken: a background push must not have alert, badge or sound",
            fix: #"{"aps": {"content-available": 1}}, or apns-push-type: alert"#),
        FindingRule(
            "push-type.background-keys", .warning, background,
            "Apple allows only `content-available` in the `aps` of a background push: remove the other keys",
            fix: #"{"aps": {"content-available": 1}, "order": "17"}"#),
        FindingRule(
            "push-type.background-content", .warning, background,
            "the app is not woken: a background push needs `content-available: 1` in `aps`",
            fix: #"{"aps": {"content-available": 1}}"#),
        FindingRule(
            "push-type.alert-background", .warning, background,
            "nothing is shown: apns-push-type should be background", fix: "apns-push-type: background"),
    ].map { LintRule(rule: $0) }
}
