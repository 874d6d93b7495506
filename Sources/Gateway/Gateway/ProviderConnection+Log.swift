package import RequestWire
internal import Synchronization
internal import Time

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
