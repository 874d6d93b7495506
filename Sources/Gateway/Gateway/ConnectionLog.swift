package import APNs
package import RequestWire
internal import Synchronization
package import TLSEngine
package import Time

/// A provider's connection as of its opening.
package struct ConnectionFacts: Sendable, Codable {
    /// Consecutive from 1; the same in request records and logs.
    package internal(set) var number: UInt32 = 0
    package var remoteAddress = ""
    package var localAddress = ""
    package var traffic: Traffic?
    /// `nil` for a client rejected before it sent anything.
    package var httpVersion: HTTPVersion?
    package var tls: TLSFacts?
    package var connectTarget: String?
    package var openedAt: Instant

    package struct TLSFacts: Sendable, Codable {
        package var version: String
        package var cipher: String
        /// Empty when the client sent no ALPN.
        package var offeredALPN: [String]
        /// `nil` when the client offered none.
        package var selectedALPN: String?
        package var serverName: String?
        package var isResumed: Bool
        package var clientCertificate: String?

        enum CodingKeys: String, CodingKey {
            case version, cipher, offeredALPN = "offeredAlpn", selectedALPN = "selectedAlpn", serverName, isResumed
            case clientCertificate
        }
    }

    package init(openedAt: Instant) { self.openedAt = openedAt }
}

extension ConnectionFacts.TLSFacts {
    package init(_ handshake: TLSHandshake) {
        self.init(
            version: handshake.version, cipher: handshake.cipher, offeredALPN: handshake.offeredProtocols,
            selectedALPN: handshake.selectedProtocol, serverName: handshake.serverName, isResumed: handshake.isResumed,
            clientCertificate: handshake.clientCertificate?.subject)
    }
}

/// A connection's facts, counters and events at one moment.
package struct ConnectionSnapshot: Sendable {
    package var facts: ConnectionFacts
    package var closedAt: Instant?
    package var accepted: UInt64 = 0
    package var refused: UInt64 = 0
    package var pings: UInt64 = 0
    /// Streams above the limit, refused with REFUSED_STREAM before they become requests.
    package var refusedStreams: UInt64 = 0
    /// Streams refused over a second after a GOAWAY that left the connection open: the client ignores it.
    package var streamsAfterGoAway: UInt64 = 0
    /// SETTINGS_MAX_CONCURRENT_STREAMS as last announced.
    package var streamLimit: UInt32 = 0
    /// The client's SETTINGS, last value by name.
    package var settings: [String: UInt32] = [:]
    /// Provider tokens it used, newest last, without signatures.
    package var tokens: [TokenUse] = []
    package var refusal: APNsRejection?
    /// Fault rules that fired for the connection, not for a request.
    package var faults: [FaultUse] = []
    package var goAways: [GoAway] = []
    package var ending: ConnectionEnding?
    /// The limit for which the gateway closed it; the name used in metrics.
    package var limit: String?

    package struct FaultUse: Sendable, Hashable, Codable {
        package var rule: String
        package var stage: FaultRule.Stage
        package var at: Instant
    }

    package struct GoAway: Sendable, Hashable {
        /// RFC 9113 §7.
        package var code: UInt32
        package var lastStream: Int32
        /// Truncated to 2048 bytes.
        package var debugData: String
        package var at: Instant
        /// Whether it ended the connection because of what the client sent.
        package var isViolation = false

        /// The number for a code without a name.
        package var codeName: String {
            HTTP2ErrorCode.allCases.first { $0.number == code }?.rawValue ?? String(code)
        }
    }

    package struct TokenUse: Sendable, Codable, Equatable {
        package var keyID: String
        package var teamID: String
        package var issuedAt: Instant
        package var firstUsedAt: Instant

        enum CodingKeys: String, CodingKey { case keyID = "keyId", teamID = "teamId", issuedAt, firstUsedAt }
    }
}

/// One connection's record, written by its event loop and read by the admin API.
final class ConnectionEntry: Sendable {
    let facts: ConnectionFacts
    let accepted = Atomic<UInt64>(0)
    let refused = Atomic<UInt64>(0)
    let streamLimit = Atomic<UInt32>(0)
    /// The members above stay 0 in it.
    let details: Mutex<ConnectionSnapshot>

    init(facts: ConnectionFacts) {
        self.facts = facts
        details = Mutex(ConnectionSnapshot(facts: facts))
    }

    var snapshot: ConnectionSnapshot {
        var snapshot = details.withLock { $0 }
        snapshot.accepted = accepted.load(ordering: .relaxed)
        snapshot.refused = refused.load(ordering: .relaxed)
        snapshot.streamLimit = streamLimit.load(ordering: .relaxed)
        return snapshot
    }
}

/// Open connections and the most recently closed ones.
package final class ConnectionLog: Sendable {
    private struct State {
        var last: UInt32 = 0
        var open: [UInt32: ConnectionEntry] = [:]
        var closed: [ConnectionEntry] = []
    }

    private static let closedCapacity = 200

    private let state = Mutex(State())
    let refusedStreams = Atomic<UInt64>(0)

    func open(_ facts: ConnectionFacts) -> ConnectionEntry {
        state.withLock { state in
            state.last &+= 1
            var facts = facts
            facts.number = state.last
            let entry = ConnectionEntry(facts: facts)
            state.open[state.last] = entry
            return entry
        }
    }

    /// Fills an unused log with what is known of a recorded run's connections.
    func restore(_ facts: [ConnectionFacts]) {
        state.withLock { state in
            state.last = facts.map(\.number).max() ?? 0
            state.closed = facts.suffix(Self.closedCapacity).map(ConnectionEntry.init)
        }
    }

    func close(_ entry: ConnectionEntry, at now: Instant) {
        entry.details.withLock { $0.closedAt = now }
        state.withLock { state in
            state.open[entry.facts.number] = nil
            if state.closed.count == Self.closedCapacity { state.closed.removeFirst() }
            state.closed.append(entry)
        }
    }

    /// Oldest first.
    package var snapshots: [ConnectionSnapshot] {
        let entries = state.withLock { $0.closed + $0.open.values }
        return entries.sorted { $0.facts.number < $1.facts.number }.map(\.snapshot)
    }

    /// `nil` when the connection was evicted.
    package func snapshot(of number: UInt32) -> ConnectionSnapshot? {
        state.withLock { state in state.open[number] ?? state.closed.last { $0.facts.number == number } }?.snapshot
    }

    package var refusedStreamCount: UInt64 { refusedStreams.load(ordering: .relaxed) }

    package var openCount: Int { state.withLock { $0.open.count } }

    /// Since the start.
    package var openedCount: UInt32 { state.withLock { $0.last } }
}

/// Records what happens on a connection besides its requests.
extension ProviderConnection {
    /// About a screenful.
    private static let debugByteCapacity = 2048
    /// For fault rules and GOAWAY frames; the first ones explain the most.
    private static let eventCapacity = 20
    /// More tokens on one connection are a mistake that 20 already show.
    private static let tokenCapacity = 20
    /// Streams that a client opened before it read the GOAWAY arrive within this time.
    private static let goAwayAllowance = Duration.seconds(1)
    /// The client chooses the names; 16 is a few more than the standard defines.
    private static let settingCapacity = 16

    package func received(settings: [(name: String, value: UInt32)]) {
        entry.details.withLock { details in
            for (name, value) in settings
            where details.settings.count < Self.settingCapacity || details.settings[name] != nil {
                details.settings[name] = value
            }
        }
    }

    package func receivedPing() { entry.details.withLock { $0.pings += 1 } }

    package func refusedStreams(_ count: Int) {
        entry.details.withLock { $0.refusedStreams += UInt64(count) }
        gateway.connectionLog.refusedStreams.add(UInt64(count), ordering: .relaxed)
    }

    package func refusedAfterGoAway() {
        let now = gateway.now()
        entry.details.withLock { details in
            guard let goAway = details.goAways.last, now.since(goAway.at) > Self.goAwayAllowance else { return }
            details.streamsAfterGoAway += 1
        }
    }

    func record(_ token: VerifiedToken, at now: Instant) {
        let use = ConnectionSnapshot.TokenUse(
            keyID: token.keyID, teamID: token.teamID, issuedAt: token.issuedAt, firstUsedAt: now)
        entry.details.withLock { details in
            let isKnown = details.tokens.contains {
                $0.keyID == use.keyID && $0.teamID == use.teamID && $0.issuedAt == use.issuedAt
            }
            guard !isKnown else { return }
            if details.tokens.count == Self.tokenCapacity { details.tokens.removeFirst() }
            details.tokens.append(use)
        }
    }

    package func recordFault(_ rule: String, on stage: FaultRule.Stage) {
        let fault = ConnectionSnapshot.FaultUse(rule: rule, stage: stage, at: gateway.now())
        entry.details.withLock { if $0.faults.count < Self.eventCapacity { $0.faults.append(fault) } }
    }

    /// - Parameter isViolation: Whether the client broke a rule of HTTP/2, or exceeded a limit.
    package func sent(goAway code: UInt32, lastStream: Int32, debugData: [UInt8], isViolation: Bool = false) {
        let goAway = ConnectionSnapshot.GoAway(
            code: code, lastStream: lastStream,
            debugData: String(decoding: debugData.prefix(Self.debugByteCapacity), as: UTF8.self), at: gateway.now(),
            isViolation: isViolation)
        entry.details.withLock { if $0.goAways.count < Self.eventCapacity { $0.goAways.append(goAway) } }
    }

    package func ended(_ ending: ConnectionEnding, limit: String?) {
        entry.details.withLock { ($0.ending, $0.limit) = (ending, limit) }
    }

    package func closed() { gateway.connectionLog.close(entry, at: gateway.now()) }
}
