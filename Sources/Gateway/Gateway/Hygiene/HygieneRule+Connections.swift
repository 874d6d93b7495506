internal import DeviceModel
internal import RequestWire
internal import Time

extension HygieneRule {
    private static let connecting = "doc: Establishing a connection to APNs"

    static let connections = [
        HygieneRule(
            "connection.perPush", .warning, "a new connection for every push",
            cost: "each push pays for a TCP and a TLS handshake, and a burst looks like an attack",
            apple:
                "\(connecting): keep connections open; rapid connection and disconnection counts as a denial-of-service"
                + " attack. Apple gives no number; reported from 5 such connections of a client within a minute",
            fix: "one connection per process, kept open and used for all pushes"
        ) { facts in
            Dictionary(grouping: facts.connections.filter(\.wasForOnePush)) { facts.client(of: $0.facts.number) }.values
                .filter { hasBurst($0.map(\.facts.openedAt).sorted()) }.joined().map { Hit($0) }
        },
        HygieneRule(
            "connection.http1", .warning, "pushes over HTTP/1.1", cost: "APNs closes such a connection unanswered",
            apple: "doc: Sending notification requests to APNs: HTTP/2 and TLS 1.2 or later",
            fix: "HTTP/2 with TLS at listen.provider, or HTTP/2 with prior knowledge at listen.clearText"
        ) { facts in
            facts.connections.filter { $0.facts.httpVersion == .http1 }.map { Hit($0) }
        },
        HygieneRule(
            "connection.noPing", .info, "no PING on a connection that was idle for over an hour",
            cost: "a connection that a firewall dropped is noticed by the next push, which waits or is lost",
            apple: "doc: Sending notification requests to APNs: a provider may send a PING after an hour of inactivity;"
                + " when APNs itself closes an idle connection is not established",
            fix: "an HTTP/2 PING now and then while nothing is sent"
        ) { facts in
            facts.connections.compactMap { connection in
                guard connection.facts.httpVersion == .http2, connection.pings == 0 else { return nil }
                return longestRest(of: connection, in: facts).map {
                    Hit(connection, "idle for \($0 / .minute) minutes")
                }
            }
        },
        HygieneRule(
            "connection.goAwayIgnored", .warning, "new requests on a connection over a second after its GOAWAY",
            cost: "APNs does not process them; the pushes are lost unless they are sent again on another connection",
            apple: "doc: Handling notification responses from APNs: GOAWAY says why the connection ends; RFC 9113 §6.8:"
                + " no new streams after it. The second is this gateway's allowance",
            fix: "another connection as soon as GOAWAY arrives; send streams above its last-stream-id again there"
        ) { facts in
            facts.connections.filter { $0.streamsAfterGoAway > 0 }.map {
                Hit($0, "\($0.streamsAfterGoAway) refused on connection \($0.facts.number)")
            }
        },
        HygieneRule(
            "connection.violation", .error, "a connection ended by an HTTP/2 error of the client or by a limit",
            cost: "its open pushes are lost",
            apple: "RFC 9113 §5.4.1; docs/hardening.md lists the limits, which are this gateway's",
            fix: "for 'a stream identifier lower than an earlier one', one client per thread or an asynchronous client,"
                + " because threads that share a connection send HEADERS out of order (RFC 9113 §5.1.1); otherwise what"
                + " the message names"
        ) { facts in
            facts.connections.flatMap { connection -> [Hit] in
                let violations = connection.goAways.filter { $0.isViolation }
                if let last = violations.last { return [Hit(connection, "\(last.codeName) \(last.debugData)")] }
                guard let limit = connection.limit, limit != "IdleTimeout" else { return [] }
                return [Hit(connection, "the limit \(limit)")]
            }
        },
    ]

    private static let burstCount = 5
    private static let burst = Duration.seconds(60)
    private static let longRest: Int64 = .hour

    private static func hasBurst(_ times: [Instant]) -> Bool {
        times.indices.dropFirst(burstCount - 1).contains {
            // Negative where the clock went back.
            (Duration.zero...burst).contains(times[$0].since(times[$0 - burstCount + 1]))
        }
    }

    /// In milliseconds; nil up to an hour, and when requests of the connection are missing from the log.
    private static func longestRest(of connection: ConnectionSnapshot, in facts: HygieneFacts) -> Int64? {
        let requests = facts.requests(of: connection)
        guard requests.count >= connection.accepted + connection.refused else { return nil }
        let times = [connection.facts.openedAt] + requests.map(\.at) + [connection.closedAt ?? facts.now]
        let longest = zip(times, times.dropFirst()).map { $1.milliseconds(since: $0) }.max() ?? 0
        return longest > longRest ? longest : nil
    }
}

extension ConnectionSnapshot {
    /// Opened by the client for one request, and closed by it.
    fileprivate var wasForOnePush: Bool {
        accepted + refused == 1 && closedAt != nil && goAways.isEmpty && faults.isEmpty && ending ?? .client == .client
    }
}
