package import APNs
package import DeviceModel
internal import Wire

/// What a person should know of a request although APNs' answer does not tell; derived when somebody looks.
package enum RequestFindings {
    /// Everything about a request: its connection, its credentials, its headers, and its payload if it was accepted.
    /// - Parameter connection: The connection it came on; `nil` when it is not remembered.
    package static func findings(for record: RequestRecord, on connection: ConnectionFacts?) -> [Finding] {
        let beside = (connection.map { findings(for: $0) } ?? []) + findings(for: record.authentication)
        guard case .accepted(let push, _, _) = record.outcome else { return beside }
        let decoded = DecodedPayload(push.payload.span.bytes)
        return beside + findings(for: push, decoded.content) + decoded.findings
    }

    /// What a connection says about its client.
    package static func findings(for connection: ConnectionFacts) -> [Finding] {
        // It was turned away before it said anything.
        guard let version = connection.httpVersion else { return [] }
        var findings: [Finding] = []
        if version != .http2 {
            findings.append(
                Finding(
                    "connection.http1", .warning, at: "",
                    "received over \(version.rawValue): APNs speaks HTTP/2 only and would close the connection"))
        }
        if connection.tls == nil {
            findings.append(
                Finding(
                    "connection.clear-text", .info, at: "", "received without TLS: APNs requires TLS"))
        }
        return findings
    }

    private static func findings(for authentication: RequestRecord.Authentication) -> [Finding] {
        switch authentication {
        case .unknownKey:
            [
                Finding(
                    "token.unknown-key", .warning, at: "",
                    "the token's key is not registered here, so its signature was not checked; register the key, or "
                        + "set `auth.mode: strict`")
            ]
        case .off:
            [Finding("token.off", .info, at: "", "no credentials were checked, because `auth.mode` is off")]
        case .verifiedToken, .certificate, .admin, .none: []
        }
    }

    /// What a push's headers say, held against its content.
    package static func findings(for push: Push, _ content: NotificationContent) -> [Finding] {
        var findings: [Finding] = []
        func report(_ id: String, _ severity: Finding.Severity, _ message: String) {
            findings.append(Finding(id, severity, at: "", message))
        }
        let showsSomething = content.hasAlert || content.badge != nil || content.sound != nil
        switch push.pushType {
        // A push by hand says nothing of a provider.
        case nil where push.connection != 0:
            report(
                "push-type.missing", .warning,
                "apns-push-type is missing: watchOS 6 and later require it, other systems may delay or drop the push")
        case .background:
            if push.priority == .immediate {
                report(
                    "priority.background", .warning,
                    "a background push needs apns-priority 5; Apple calls 10, the default without the header, an error")
            }
            if showsSomething {
                report("push-type.background-alert", .warning, "a background push must not have alert, badge or sound")
            }
            if !content.isContentAvailable {
                report(
                    "push-type.background-content", .warning,
                    "a background push needs `content-available: 1` in `aps`")
            }
        case .alert where content.isContentAvailable && !showsSomething:
            report("push-type.alert-background", .warning, "nothing is shown: apns-push-type should be background")
        default: break
        }
        if case .at(let instant) = push.expiration, instant < push.receivedAt {
            report(
                "expiration.past", .info,
                "apns-expiration has already passed, so the push is tried once and never stored")
        }
        if let encoding = push.request.value(of: .contentEncoding), encoding.lowercased() != "identity" {
            report(
                "content-encoding", .warning,
                "content-encoding is \(encoding.prefix(20)): APNs does not decode payloads")
        }
        return findings
    }
}
