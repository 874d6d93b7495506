package import APNs
internal import Synchronization
package import TLSEngine
package import Wire

/// What is known of a provider's connection.
package struct ConnectionFacts: Sendable, Codable {
    /// Consecutive from 1; the same in request records and logs.
    package internal(set) var number: UInt32 = 0
    package var remoteAddress: String
    package var localAddress: String
    /// `nil` for a push by hand.
    package var traffic: Traffic?
    /// `nil` for a client that was rejected before it sent anything.
    package var httpVersion: HTTPVersion?
    package var tls: TLSFacts?
    package var connectTarget: String?
    package var openedAt: Instant

    /// What the TLS handshake agreed on.
    package struct TLSFacts: Sendable, Codable {
        package var version: String
        package var cipher: String
        /// Protocols the client offered; empty when it sent no ALPN at all.
        package var offeredALPN: [String]
        /// The protocol that was chosen; `nil` for a client that offered none.
        package var selectedALPN: String?
        package var serverName: String?
        package var isResumed: Bool
        /// The certificate's subject.
        package var clientCertificate: String?

        enum CodingKeys: String, CodingKey {
            case version, cipher, offeredALPN = "offeredAlpn", selectedALPN = "selectedAlpn", serverName, isResumed
            case clientCertificate
        }
    }

    package init(
        remoteAddress: String, localAddress: String, traffic: Traffic?, httpVersion: HTTPVersion?, tls: TLSFacts?,
        connectTarget: String?, openedAt: Instant
    ) {
        self.remoteAddress = remoteAddress
        self.localAddress = localAddress
        self.traffic = traffic
        self.httpVersion = httpVersion
        self.tls = tls
        self.connectTarget = connectTarget
        self.openedAt = openedAt
    }
}

extension ConnectionFacts.TLSFacts {
    package init(_ handshake: TLSHandshake) {
        self.init(
            version: handshake.version, cipher: handshake.cipher, offeredALPN: handshake.offeredProtocols,
            selectedALPN: handshake.selectedProtocol, serverName: handshake.serverName, isResumed: handshake.isResumed,
            clientCertificate: handshake.clientCertificate?.subject)
    }
}

/// A connection at one moment.
package struct ConnectionSnapshot: Sendable {
    package var facts: ConnectionFacts
    /// `nil` while it is open.
    package var closedAt: Instant?
    package var accepted: UInt64 = 0
    package var refused: UInt64 = 0
    package var pings: UInt64 = 0
    /// Streams above the limit, refused with REFUSED_STREAM before they became requests.
    package var refusedStreams: UInt64 = 0
    /// How many streams it may have open, as announced last.
    package var streamLimit: UInt32 = 0
    /// The client's last SETTINGS by name.
    package var settings: [String: UInt32] = [:]
    /// The provider tokens it used, newest last, without their signatures.
    package var tokens: [TokenUse] = []
    /// Why the gateway refused the whole connection.
    package var refusal: APNsRejection?
    /// Fault rules that fired for the connection itself.
    package var faults: [FaultUse] = []
    /// The GOAWAY frames that were sent.
    package var goAways: [GoAway] = []
    /// How it ended; `nil` while it is open.
    package var ending: ConnectionEnding?
    /// The limit for which the gateway ended it, as metrics name it.
    package var limit: String?

    package struct FaultUse: Sendable, Hashable, Codable {
        package var rule: String
        package var stage: FaultRule.Stage
        package var at: Instant
    }

    package struct GoAway: Sendable, Hashable {
        /// The error code of RFC 9113 §7.
        package var code: UInt32
        package var lastStream: Int32
        /// As text, cut after a few kilobytes.
        package var debugData: String
        package var at: Instant

        /// The code's name, or its number when it has none.
        package var codeName: String {
            HTTP2ErrorCode.allCases.first { $0.number == code }?.rawValue ?? String(code)
        }
    }

    package struct TokenUse: Sendable, Codable, Equatable {
        package var keyID: String
        package var teamID: String
        package var issuedAt: Instant
        package var firstUsedAt: Instant

        enum CodingKeys: String, CodingKey {
            case keyID = "keyId", teamID = "teamId", issuedAt, firstUsedAt
        }
    }
}

/// The record of one connection: its event loop writes, the admin API reads.
final class ConnectionEntry: Sendable {
    let facts: ConnectionFacts
    let accepted = Atomic<UInt64>(0)
    let refused = Atomic<UInt64>(0)
    let pings = Atomic<UInt64>(0)
    let refusedStreams = Atomic<UInt64>(0)
    let streamLimit = Atomic<UInt32>(0)
    /// Without the counters above.
    private let details: Mutex<ConnectionSnapshot>

    /// Debug data is for people; as much as a screen shows.
    static let keptDebugByteCount = 2048
    /// Fault rules and GOAWAY frames per connection: the first ones explain the most.
    private static let keptTraces = 20
    /// Tokens per connection: using more is a mistake that 20 of them show.
    private static let keptTokens = 20

    init(facts: ConnectionFacts) {
        self.facts = facts
        details = Mutex(ConnectionSnapshot(facts: facts))
    }

    func merge(settings: [(name: String, value: UInt32)]) {
        details.withLock { details in
            // Names come from a peer; a few more than the standard knows are enough.
            for (name, value) in settings where details.settings.count < 16 || details.settings[name] != nil {
                details.settings[name] = value
            }
        }
    }

    func add(token: ConnectionSnapshot.TokenUse) {
        details.withLock { details in
            let isKnown = details.tokens.contains {
                $0.keyID == token.keyID && $0.teamID == token.teamID && $0.issuedAt == token.issuedAt
            }
            guard !isKnown else { return }
            if details.tokens.count == Self.keptTokens { details.tokens.removeFirst() }
            details.tokens.append(token)
        }
    }

    func add(fault: ConnectionSnapshot.FaultUse) {
        details.withLock { if $0.faults.count < Self.keptTraces { $0.faults.append(fault) } }
    }

    func add(goAway: ConnectionSnapshot.GoAway) {
        details.withLock { if $0.goAways.count < Self.keptTraces { $0.goAways.append(goAway) } }
    }

    func end(_ ending: ConnectionEnding, limit: String?) {
        details.withLock { ($0.ending, $0.limit) = (ending, limit) }
    }

    func refuse(_ rejection: APNsRejection) { details.withLock { $0.refusal = rejection } }

    func close(at now: Instant) { details.withLock { $0.closedAt = now } }

    var snapshot: ConnectionSnapshot {
        var snapshot = details.withLock { $0 }
        snapshot.accepted = accepted.load(ordering: .relaxed)
        snapshot.refused = refused.load(ordering: .relaxed)
        snapshot.pings = pings.load(ordering: .relaxed)
        snapshot.refusedStreams = refusedStreams.load(ordering: .relaxed)
        snapshot.streamLimit = streamLimit.load(ordering: .relaxed)
        return snapshot
    }
}

/// Open connections, and the last closed ones.
package final class ConnectionLog: Sendable {
    private struct State {
        var last: UInt32 = 0
        var open: [UInt32: ConnectionEntry] = [:]
        var closed: [ConnectionEntry] = []
    }

    /// How many closed connections are retained.
    private static let keptClosed = 200

    private let state = Mutex(State())
    /// Streams refused above the announced limit, on all connections since the start.
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

    func close(_ entry: ConnectionEntry, at now: Instant) {
        entry.close(at: now)
        state.withLock { state in
            state.open[entry.facts.number] = nil
            if state.closed.count == Self.keptClosed { state.closed.removeFirst() }
            state.closed.append(entry)
        }
    }

    /// Every retained connection, oldest first.
    package var snapshots: [ConnectionSnapshot] {
        let entries = state.withLock { $0.closed + $0.open.values }
        return entries.sorted { $0.facts.number < $1.facts.number }.map(\.snapshot)
    }

    /// One connection; `nil` when it is not retained.
    package func snapshot(of number: UInt32) -> ConnectionSnapshot? {
        state.withLock { state in state.open[number] ?? state.closed.last { $0.facts.number == number } }?.snapshot
    }

    package var refusedStreamCount: UInt64 { refusedStreams.load(ordering: .relaxed) }

    package var openCount: Int { state.withLock { $0.open.count } }
}
