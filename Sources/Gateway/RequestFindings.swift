package import APNs
package import DeviceModel
internal import Wire

/// Advice about a request beyond APNs' answer; computed when a client asks for it.
package enum RequestFindings {
    /// Covers the connection and the credentials and, for an accepted push, the headers and the payload.
    /// - Parameter connection: `nil` when it was evicted.
    package static func findings(for record: RequestRecord, on connection: ConnectionFacts?) -> [Finding] {
        let common =
            (connection.map { findings(for: $0) } ?? []) + findings(for: record.authentication)
            + [
                finding(
                    "relay.differs", .warning, if: record.relay?.difference != nil, record.relay?.difference ?? "")
            ].compactMap(\.self)
        if case .served(let request, let served) = record.outcome {
            return common + findings(for: served, payloadByteCount: request.payloadByteCount)
        }
        guard case .accepted(let push, _, _) = record.outcome else { return common }
        let decoded = DecodedPayload(push.payload.span.bytes)
        return common + findings(for: push, decoded.content) + decoded.findings
    }

    package static func findings(for connection: ConnectionFacts) -> [Finding] {
        // A client without a version was rejected before it sent anything.
        guard let version = connection.httpVersion else { return [] }
        return [
            finding(
                "connection.http1", .warning, if: version != .http2,
                "received over \(version.rawValue): APNs speaks HTTP/2 only and would close the connection"),
            finding(
                "connection.clear-text", .info, if: connection.tls == nil, "received without TLS: APNs requires TLS"),
        ].compactMap(\.self)
    }

    private static func findings(for authentication: RequestRecord.Authentication) -> [Finding] {
        [
            finding(
                "token.unknown-key", .warning, if: authentication == .unknownKey,
                "the token's key is not registered here, so its signature was not checked; register the key, or "
                    + "set `auth.mode: strict`"),
            finding(
                "token.off", .info, if: authentication == .off,
                "no credentials were checked, because `auth.mode` is off"),
        ].compactMap(\.self)
    }

    private static func findings(
        for served: RequestRecord.ServedRequest, payloadByteCount: Int
    ) -> [Finding] {
        guard served.action == .broadcast else { return [] }
        return [
            finding(
                "bc.size", .warning, if: payloadByteCount > 4096,
                "the payload has \(payloadByteCount) bytes: APNs accepts up to \(ChannelRules.maximumPayloadByteCount), "
                    + "but a device drops Live Activity data over 4096"),
            finding("bc.noSubscribers", .info, if: served.subscribers == 0, "no device is subscribed to the channel"),
        ].compactMap(\.self)
    }

    /// Headers that do not match the content.
    package static func findings(for push: Push, _ content: NotificationContent) -> [Finding] {
        let showsSomething = content.hasAlert || content.badge != nil || content.sound != nil
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
            finding(
                "push-type.missing", .warning, if: push.pushType == nil && push.connection != 0,
                "apns-push-type is missing: watchOS 6 and later require it, other systems may delay or drop the push"),
            finding(
                "priority.background", .warning, if: isBackground && push.priority == .immediate,
                "a background push needs apns-priority 5; Apple calls 10, the default without the header, an error"),
            finding(
                "push-type.background-alert", .warning, if: isBackground && showsSomething,
                "a background push must not have alert, badge or sound"),
            finding(
                "push-type.background-content", .warning, if: isBackground && !content.isContentAvailable,
                "a background push needs `content-available: 1` in `aps`"),
            finding(
                "push-type.alert-background", .warning,
                if: push.pushType == .alert && content.isContentAvailable && !showsSomething,
                "nothing is shown: apns-push-type should be background"),
            finding(
                "expiration.past", .info, if: isLate,
                "apns-expiration has already passed, so the push is tried once and never stored"),
            finding(
                "voip.exp", .warning, if: push.pushType == .voip && isStoredLong,
                "a VoIP push needs apns-expiration 0 or a few seconds: a stored one rings when the call is over"),
            finding(
                "content-encoding", .warning, if: encoding.lowercased() != "identity",
                "content-encoding is \(encoding.prefix(20)): APNs does not decode payloads"),
        ].compactMap(\.self)
    }

    private static func finding(
        _ id: String, _ severity: Finding.Severity, if isFound: Bool, _ message: String
    ) -> Finding? {
        isFound ? Finding(id, severity, at: "", message) : nil
    }
}
