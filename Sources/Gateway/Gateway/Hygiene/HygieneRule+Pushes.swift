internal import APNs
internal import DeviceModel
internal import RequestWire
internal import Time

extension HygieneRule {
    private static let sending = "doc: Sending notification requests to APNs"
    private static let responses = "doc: Handling notification responses from APNs"

    static let answers = [
        HygieneRule(
            "retry.rejected", .warning, "a rejected request sent again",
            cost: "the answer stays the same; each rejection slows the connection, and too many end it",
            apple:
                "\(responses): 4XX answers slow down a provider, and a connection with too many errors is closed; what to"
                + " send again is 429 and 5XX, later",
            fix: "send again after 429, 500 and 503 only; correct or drop what got another 4XX"
        ) { facts in repeats(facts.requests) { $0.isFinal ? $0.retryKey : nil } },
        HygieneRule(
            "device.unregistered", .warning, "pushes to a token over a second after its 410",
            cost: "the pushes are lost, and the database keeps dead tokens",
            apple:
                "\(responses): stop pushing to the token until the device registers it again after `timestamp`; the second"
                + " is this gateway's allowance for pushes under way",
            fix: "delete the token from the database, unless it was registered after `timestamp`"
        ) { facts in
            repeats(facts.requests, after: .seconds(1)) {
                $0.status == 410 ? "\($0.token ?? "") \($0.topic ?? "")" : nil
            }
        },
        HygieneRule(
            "device.environment", .error, "a token of one environment pushed to the other",
            cost: "APNs rejects it with 400 BadDeviceToken, which looks like a token to delete",
            apple: "\(responses): BadDeviceToken; Apple's staff confirm the environment as a cause",
            fix: "store the environment beside each token: sandbox for builds from Xcode, production for all others"
        ) { facts in
            facts.requests.filter { $0.rejection?.diagnosis.code == "device-token.environment" }.map {
                Hit(
                    $0,
                    $0.record.environment == .production
                        ? "sandbox tokens at production" : "production tokens in the sandbox")
            }
        },
    ]

    /// Rules about the pushes.
    static let pushes = [
        HygieneRule(
            "priority.background", .warning, "background pushes with priority 10",
            cost: "a background push shows nothing, so 10 gains nothing, and APNs may reject it",
            apple:
                "\(sending): always use priority 5; priority 10 is an error. That APNs rejects them is not established",
            fix: "apns-priority: 5 with apns-push-type: background"
        ) { facts in facts.requests.filter(\.isUrgentBackground).map { Hit($0) } },
        HygieneRule(
            "text.duplicate", .info, "the same text to the same device again, without apns-collapse-id",
            cost: "the person sees the notification twice, and turns notifications off",
            apple:
                "\(sending): requests with the same apns-collapse-id show as one notification; that APNs drops a repeated"
                + " apns-id is not established",
            fix: "apns-collapse-id with the identifier of what the text is about"
        ) { facts in
            let alerts = facts.requests.filter { $0.push?.collapseID == nil }
            return repeats(alerts, within: .milliseconds(facts.duplicateWindow)) { request in
                request.text.map { "\(request.token ?? "")\n\($0)" }
            }
        },
        HygieneRule(
            "expiration.never", .info, "no push of a topic has apns-expiration",
            cost: "a phone that was off shows news that is old by then",
            apple:
                "\(sending): without it, APNs may store the push for up to 30 days. That all of at least 10 pushes of a"
                + " topic lack it is this gateway's measure",
            fix: "apns-expiration: the time when the text becomes pointless, or 0 for now or never"
        ) { facts in
            Dictionary(grouping: facts.requests.filter { $0.push != nil }) { $0.topic ?? "" }.values
                .filter { pushes in
                    pushes.count >= 10 && pushes.allSatisfy { $0.push?.expiration == .unspecified }
                }.joined().map { Hit($0) }
        },
    ]

    /// Requests with the key of an earlier one.
    /// - Parameters:
    ///   - delay: Only later ones, counted from the first.
    ///   - window: Only those that follow the previous one within this time.
    private static func repeats(
        _ requests: [HygieneRequest], after delay: Duration = .zero, within window: Duration? = nil,
        by key: (HygieneRequest) -> String?
    ) -> [Hit] {
        var times: [String: (first: Instant, latest: Instant)] = [:]
        return requests.compactMap { request in
            guard let key = key(request) else { return nil }
            let known = times[key]
            times[key] = (known?.first ?? request.at, request.at)
            guard let known, delay == .zero || request.at.since(known.first) > delay else { return nil }
            let time = request.at.since(known.latest)
            if let window, time < .zero || time > window { return nil }
            return Hit(request, request.reason ?? "")
        }
    }
}

extension HygieneRequest {
    /// Whether another attempt gets the same answer. IdleTimeout is about the connection.
    fileprivate var isFinal: Bool { [400, 404, 405, 413].contains(status) && reason != "IdleTimeout" }

    /// The token alone decides, or the whole request. A hash would be smaller, but its collisions would be reported as findings.
    fileprivate var retryKey: String {
        let request = record.request
        let subject = token ?? "\(request.value(of: .path) ?? "") \(request.value(of: .apnsChannelID) ?? "")"
        let target = "\(reason ?? "") \(subject) \(topic ?? "")"
        let isAboutToken = ["BadDeviceToken", "DeviceTokenNotForTopic"].contains(reason)
        if isAboutToken { return target }
        return "\(target) \(request.value(of: .apnsCollapseID) ?? "") "
            + String(decoding: request.payload, as: UTF8.self)
    }

    fileprivate var isUrgentBackground: Bool {
        if let push { return push.pushType == .background && push.priority == .immediate }
        let request = record.request
        return request.value(of: .apnsPushType) == "background" && request.value(of: .apnsPriority) ?? "10" == "10"
    }
}
