package import APNs
package import DeviceModel
internal import Fields
internal import JSON
internal import Lint
internal import LiveModel
internal import RequestWire
internal import Time

/// Advice about a request beyond APNs' answer; computed when a client asks for it.
package enum RequestFindings {
    /// Covers the connection and the credentials and, for an accepted push, the headers and the payload.
    /// - Parameters:
    ///   - connection: `nil` when it was evicted.
    ///   - kind: Of the device token of a refused push, if it is known.
    ///   - keyRemark: What is wrong with the `kid` of the provider token, if anything is.
    package static func findings(
        for record: RequestRecord, on connection: ConnectionFacts?, tokenOf kind: TokenKind? = nil,
        keyRemark: String? = nil
    ) -> [Finding] {
        let common =
            arrivalFindings(for: record.request, on: connection) + findings(for: record.authentication, keyRemark)
            + [record.relay?.difference.map { rule("relay.differs").finding(at: "", $0) }].compactMap(\.self)
        switch record.outcome {
        case .served(let request, let served):
            return common + findings(for: served, request.request, payloadByteCount: request.payloadByteCount)
        case .refused(let refused, _):
            let request = refused.request
            if request.value(of: .path).flatMap({ ChannelPath($0) })?.resource == .broadcasts {
                return common + findings(forBroadcast: request)
            }
            return common + findings(forActivities: request, record.authentication, kind)
        case .accepted(let push, _, _):
            let decoded = DecodedPayload(push.payload.span.bytes)
            return common + findings(forActivities: push.request, record.authentication, nil)
                + findings(for: push, decoded.content) + decoded.findings(for: push.pushType)
        case .handledByFault, .oversized: return common
        }
    }

    /// Headers that a broadcast needs (live.md L5.3).
    private static func findings(forBroadcast request: PackedRequest) -> [Finding] {
        [
            finding("bc.expiration", if: request.value(of: .apnsExpiration) == nil),
            finding("bc.priority", if: request.value(of: .apnsPriority) == nil),
        ].compactMap(\.self)
    }

    /// Headers and credentials of a push for a Live Activity (live.md L5.3).
    private static func findings(
        forActivities request: PackedRequest, _ authentication: RequestRecord.Authentication, _ kind: TokenKind?
    ) -> [Finding] {
        let type = request.value(of: .apnsPushType)
        let topic = request.value(of: .apnsTopic)
        let isForToken = kind == .liveactivity || kind == .pushtostart
        let hasType = type == PushType.liveactivity.name
        let hasTopic = topic?.hasSuffix(PushType.liveactivity.topicSuffix) ?? false
        guard isForToken || hasType || hasTopic else { return [] }
        return [
            finding("la.topic.suffix", if: topic != nil && !hasTopic, topic ?? ""),
            finding("la.pushType", if: type != nil && !hasType, type ?? ""),
            finding("la.certificate", if: authentication == .certificate),
        ].compactMap(\.self)
    }

    package static func findings(for connection: ConnectionFacts) -> [Finding] {
        // A client without a version was rejected before it sent anything.
        guard let version = connection.httpVersion else { return [] }
        return findings(forVersion: version, hasTLS: connection.tls != nil)
    }

    /// The findings on how a request arrived: its connection and the names of its headers.
    /// - Parameter connection: `nil` when it was evicted or belongs to an earlier run. Then the request decides: only in
    ///   clear text is `:scheme` http, and only HTTP/1.1 has no `:authority` then.
    package static func arrivalFindings(
        for request: PackedRequest, on connection: ConnectionFacts?
    ) -> [Finding] {
        let unknown = unknownHeaders(of: request)
        if let connection { return findings(for: connection) + unknown }
        guard request.value(of: .scheme) == "http" else { return unknown }
        return findings(forVersion: request.value(of: .authority) == nil ? .http1 : .http2, hasTLS: false) + unknown
    }

    private static func findings(forVersion version: HTTPVersion, hasTLS: Bool) -> [Finding] {
        [
            finding("connection.http1", if: version != .http2, "this was \(version.rawValue)"),
            finding("connection.clear-text", if: !hasTLS),
        ].compactMap(\.self)
    }

    private static func findings(
        for authentication: RequestRecord.Authentication, _ keyRemark: String?
    ) -> [Finding] {
        [
            finding("token.unknown-key", if: authentication == .unknownKey, keyRemark ?? ""),
            finding("token.key-id", if: authentication == .verifiedToken && keyRemark != nil, keyRemark ?? ""),
            finding("token.off", if: authentication == .off),
        ].compactMap(\.self)
    }

    private static func findings(
        for served: RequestRecord.ServedRequest, _ request: PackedRequest, payloadByteCount: Int
    ) -> [Finding] {
        guard served.action == .broadcast else { return [] }
        let payload = JSONValue(request.payload.span.bytes)
        return [
            finding("la.broadcast.start", if: payload?["aps"]?["event"] == .string("start")),
            finding(
                "bc.size", if: payloadByteCount > LiveActivity.maximumDataByteCount,
                "it has \(payloadByteCount), and APNs accepts up to \(ChannelRules.maximumPayloadByteCount)"),
            finding("bc.noSubscribers", if: served.subscribers == 0),
        ].compactMap(\.self)
            + findings(forExpiration: request.value(of: .apnsExpiration).flatMap { Int64($0) } ?? 0)
            + payloadFindings(forBroadcast: request)
    }

    /// As for an activity's token. A broadcast starts nothing, so advice about starts does not help.
    private static func payloadFindings(forBroadcast request: PackedRequest) -> [Finding] {
        var subject = LintSubject(payload: request.payload.span.bytes)
        subject.pushType = .liveactivity
        return Lint.findings(for: subject).filter { finding in
            !["la.start.", "la.input.", "la.size."].contains { finding.id.hasPrefix($0) }
        }
    }

    /// Headers that do not match the content.
    package static func findings(for push: Push, _ content: NotificationContent) -> [Finding] {
        let isBackground = push.pushType == .background
        let encoding = push.request.value(of: .contentEncoding) ?? "identity"
        var isLate = false
        var isStoredLong = push.expiration == .unspecified
        if case .at(let instant) = push.expiration {
            isLate = instant < push.receivedAt
            isStoredLong = instant.milliseconds(since: push.receivedAt) > 30_000
        }
        return [
            // A direct push has no provider to advise.
            finding("push-type.missing", if: push.pushType == nil && push.connection != 0),
            finding("priority.background", if: isBackground && push.priority == .immediate),
            finding("expiration.past", if: isLate),
            finding("voip.exp", if: push.pushType == .voip && isStoredLong),
            finding("content-encoding", if: encoding.lowercased() != "identity", String(encoding.prefix(20))),
        ].compactMap(\.self) + findings(forExpiration: push.expiration.seconds ?? 0)
            + findings(for: push.pushType, content, push.payload.span.bytes)
    }

    /// - Parameter seconds: As in the header.
    private static func findings(forExpiration seconds: Int64) -> [Finding] {
        let unit = EpochUnit(ofSeconds: Double(seconds))
        return [
            finding("expiration.milliseconds", if: unit != nil, "\(seconds) looks like \(unit?.rawValue ?? "")"),
            finding("expiration.ttl", if: 1...longestTTL ~= seconds),
        ].compactMap(\.self)
    }

    /// A push type that does not match the content.
    private static func findings(
        for type: PushType?, _ content: NotificationContent, _ payload: RawSpan
    ) -> [Finding] {
        let showsSomething = content.hasAlert || content.badge != nil || content.sound != nil
        let isBackground = type == .background
        let aps: JSONObject = if isBackground, case .object(let aps)? = JSONValue(payload)?["aps"] { aps } else { [:] }
        let hasOthers = aps.contains { $0.key != PayloadKey.contentAvailable.rawValue && $0.value != .null }
        return [
            finding("push-type.background-alert", if: isBackground && showsSomething),
            finding("push-type.background-keys", if: isBackground && hasOthers && !showsSomething),
            finding("push-type.background-content", if: isBackground && !content.isContentAvailable),
            finding(
                "push-type.alert-background", if: type == .alert && content.isContentAvailable && !showsSomething),
        ].compactMap(\.self)
    }

    /// What the gateway would answer and find for a push with these headers, which is not sent.
    /// - Parameters:
    ///   - type: nil when the push has none, or when no header is known.
    ///   - topic: nil when it is unknown; then every type fits.
    package static func findings(
        for type: PushType?, topic: String?, _ content: NotificationContent, payload: RawSpan
    ) -> [Finding] {
        let name = topic ?? "example" + (type?.topicSuffix ?? "")
        let topicBytes = Array(name.utf8)
        let request = RequestBlock(fields: type.map { [("apns-push-type", $0.name)] } ?? [], body: [])
        do throws(APNsRejection) {
            try TopicRules.checkForm(topicBytes.span.bytes)
            _ = try TopicRules.pushType(request, topic: topicBytes.span.bytes, mismatch: .invalidPushType)
            try PayloadRules.checkSize(byteCount: payload.byteCount, pushType: type, topic: name)
            let missing = finding("push-type.missing", if: type == nil && topic != nil)
            return [missing].compactMap(\.self) + findings(for: type, content, payload)
        } catch {
            let reason = error.reason
            let isForVoIP =
                type == nil && topic == nil && 1...PushType.voip.maximumPayloadByteCount ~= payload.byteCount
            return [
                Finding(
                    reason.rawValue, .error, at: "",
                    "APNs answers \(reason.status) \(reason.rawValue)\(isForVoIP ? ", except for a VoIP push" : ""): "
                        + error.diagnosis.message)
            ]
        }
    }

    /// Ten years: a date before 1980 is none that a provider means.
    private static let longestTTL: Int64 = 315_360_000

    private static func finding(_ id: String, if isFound: Bool, _ detail: @autoclosure () -> String = "") -> Finding? {
        isFound ? rule(id).finding(at: "", detail()) : nil
    }
}

extension RequestFindings {
    /// Headers that look like those of APNs but are none, so that APNs ignores them.
    static func unknownHeaders(of request: PackedRequest) -> [Finding] {
        let names = request.head.withUnsafeBytes { head in
            IteratorSequence(HeadReader(head)).compactMap { $0.header == nil ? $0.name(in: head) : nil }
        }
        return names.compactMap { name in
            remark(on: name).map { rule("headers.unknown").finding(at: "", "`\(name.prefix(40))`\($0)") }
        }.bounded
    }

    /// nil for a header of anything else.
    private static func remark(on name: String) -> String? {
        var word = name.plainKey
        if word.hasPrefix("xapns") { word.removeFirst() }
        guard word.hasPrefix("apns") else {
            let near = headers.first { $0.utf8.count > 7 && NearestName.distance(name.prefix(40), $0) == 1 }
            return near.map { ": did you mean `\($0)`?" }
        }
        if let key = PayloadKey.allCases.first(where: { "apns" + $0.rawValue.plainKey == word }) {
            return ": `\(key.rawValue)` is a key of `aps`"
        }
        let known = headers.first { $0.plainKey == word } ?? otherWords[word] ?? NearestName.of(name, among: headers)
        return known.map { ": did you mean `\($0)`?" } ?? ""
    }

    private static let headers = HeaderName.allCases.map { "\($0.text)" }.filter {
        $0.hasPrefix("apns-") || $0 == "authorization"
    }

    private static let otherWords = [
        "apnsexpiry": "apns-expiration", "apnsexpires": "apns-expiration", "apnsttl": "apns-expiration",
        "apnstype": "apns-push-type", "apnsbundleid": "apns-topic",
    ]
}
