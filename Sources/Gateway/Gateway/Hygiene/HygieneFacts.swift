package import APNs
package import DeviceModel
package import DeviceSimulator
internal import RequestWire
package import Time

/// The input of the hygiene rules: providers' retained connections and requests.
package struct HygieneFacts: Sendable {
    /// In order of their numbers.
    package var connections: [ConnectionSnapshot]
    /// Oldest first, without direct pushes.
    package var requests: [HygieneRequest]
    package var now: Instant
    /// Keys for single topics, of which a team may have many.
    package var topicKeys: Set<String> = []
    /// How long equal texts count as duplicates, in milliseconds.
    package var duplicateWindow = Assumptions().duplicateWindow
    /// Lint findings about an accepted push.
    package var lint: Lint = { _, _ in [] }
    package let requestsByConnection: [UInt32: [HygieneRequest]]
    /// By connection: address and user agent.
    private let clients: [UInt32: HygieneFinding.Who]

    package typealias Lint = @Sendable (Push, Registration) -> [Finding]

    package init(connections: [ConnectionSnapshot], requests: [HygieneRequest], now: Instant) {
        self.connections = connections
        self.requests = requests
        self.now = now
        requestsByConnection = Dictionary(grouping: requests, by: \.connection)
        var clients: [UInt32: HygieneFinding.Who] = [:]
        for (connection, requests) in requestsByConnection {
            clients[connection, default: .init()].userAgent = requests.lazy.compactMap { request in
                request.record.request.value(of: .userAgent)
            }.first.map { String($0.prefix(200)) }
        }
        for connection in connections where !connection.facts.remoteAddress.isEmpty {
            clients[connection.facts.number, default: .init()].remoteAddress = connection.host
        }
        self.clients = clients
    }

    func client(of connection: UInt32) -> HygieneFinding.Who { clients[connection] ?? .init() }

    func requests(of connection: ConnectionSnapshot) -> [HygieneRequest] {
        requestsByConnection[connection.facts.number] ?? []
    }

    /// All tokens by connection, in order of use.
    var tokenUses: [(connection: ConnectionSnapshot, token: ConnectionSnapshot.TokenUse)] {
        connections.flatMap { connection in connection.tokens.map { (connection, $0) } }
            .sorted { $0.token.firstUsedAt < $1.token.firstUsedAt }
    }
}

/// A request with the parts that several rules read.
package struct HygieneRequest: Sendable {
    package let record: RequestRecord
    /// As in the path, in lower case.
    let token: String?
    let topic: String?

    package init(_ record: RequestRecord) {
        self.record = record
        token = record.tokenText?.lowercased()
        topic = record.registration?.topic ?? record.request.value(of: .apnsTopic)
    }

    var number: UInt64 { record.number }
    var connection: UInt32 { record.connection }
    var at: Instant { record.receivedAt }
    var status: UInt16? { record.status }

    /// As sent; fault rules may use any word.
    var reason: String? { record.fault?.reason ?? rejection?.reason.rawValue }

    var rejection: APNsRejection? { record.rejection }

    /// The push, if it was accepted.
    var push: Push? {
        if case .accepted(let push, _, _) = record.outcome { push } else { nil }
    }

    /// The texts of an accepted alert; nil for other requests.
    var text: String? {
        guard let push, push.pushType ?? .alert == .alert else { return nil }
        let content = DecodedPayload(push.payload.span.bytes).content
        let parts = [content.title, content.subtitle, content.body]
        return parts.allSatisfy(\.isEmpty) ? nil : parts.joined(separator: "\n")
    }
}

/// How much of a log was examined.
package struct HygieneCoverage: Sendable, Hashable, Codable {
    package var examined: Int
    /// Evicted, cleared, or too many to examine.
    package var missing: Int
}

package struct HygieneReport: Sendable {
    package var findings: [HygieneFinding]
    package var requests: HygieneCoverage
    package var connections: HygieneCoverage
}

extension Gateway {
    /// The hygiene report about the logs.
    /// - Parameters:
    ///   - since: only later requests, and the connections that sent them.
    ///   - connection: only this one.
    ///   - lint: reports nothing if nil.
    package func hygiene(
        since: UInt64 = 0, connection: UInt32? = nil, lint: HygieneFacts.Lint? = nil
    ) -> HygieneReport {
        let last = requestLog.counts.total
        let wanted = last - min(last, since)
        let limit = RequestLog.countedLength
        let page = requestLog.page(since: last - min(wanted, UInt64(limit)), through: last, limit: limit)
        let requests = page.items.filter { $0.connection != 0 }.map { HygieneRequest($0) }
        let senders = Set(requests.map(\.connection))
        let all = connectionLog.snapshots
        let opened = Int(connectionLog.openedCount)
        func isWanted(_ number: UInt32) -> Bool {
            connection.map { $0 == number } ?? (since == 0 || senders.contains(number))
        }
        let connections = all.filter { isWanted($0.facts.number) }
        var facts = HygieneFacts(
            connections: connections, requests: requests.filter { isWanted($0.connection) }, now: now())
        facts.topicKeys = Set(keys.keys.filter { $0.scope != .team }.map(\.keyID))
        facts.duplicateWindow = simulator.assumptions.duplicateWindow
        if let lint { facts.lint = lint }
        return HygieneReport(
            findings: HygieneRule.findings(in: facts),
            requests: HygieneCoverage(
                examined: page.items.count,
                missing: Int(clamping: wanted) - min(page.items.count, Int(clamping: wanted))),
            connections: HygieneCoverage(examined: connections.count, missing: opened - min(opened, all.count)))
    }
}
