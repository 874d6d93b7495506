internal import DeviceModel
internal import JSON

/// Handlers that miss their deadline, and unanswered calls.
extension ServiceTable {
    /// The handler that waits longest may be killed for it.
    mutating func wait(_ deadline: ServiceDeadline, _ context: DeviceContext, _ effects: inout DeviceEffects) {
        if deadlines.count >= Self.maximumDeadlineCount { end(deadlines.removeFirst(), context, &effects) }
        deadlines.append(deadline)
    }

    mutating func end(_ deadline: ServiceDeadline, _ context: DeviceContext, _ effects: inout DeviceEffects) {
        if deadline.outcome == .rings { return endCall(of: deadline.bundleID, .unanswered, &effects) }
        var details: JSONObject = [:]
        var reason = "the app did not call its completion handler in time"
        if deadline.outcome == .killedLater {
            self[deadline.bundleID].voip.fail(context.assumptions)
            reason = "callservicesd killed the app: its handler did not return and it reported no call"
            details = [
                "code": .string("0xbaadca11"), "unreported": .integer(self[deadline.bundleID].voip.unreported),
            ]
        }
        // A location push kills the extension only.
        let killsExtension = deadline.outcome == .locationTimedOut
        if killsExtension {
            let reply: JSONObject = ["reply": .string(ServiceReplies.LocationReply.Kind.timeout.rawValue)]
            effects.emit(.locationReported, deadline.notification, app: deadline.bundleID, reply)
            reason = "the location push extension did not finish after serviceExtensionWillTerminate"
        }
        details["reason"] = .string(reason)
        effects.emit(.appKilled, deadline.notification, app: deadline.bundleID, details)
        guard !killsExtension else { return }
        effects.requests.append(.close(app: deadline.bundleID))
        // The app's other handlers ended with it.
        deadlines.removeAll { $0.bundleID == deadline.bundleID && $0.outcome != .locationTimedOut }
        endCall(of: deadline.bundleID, .appKilled, &effects)
    }
}

extension ServiceOutcome {
    /// How long a handler that does not return may run.
    func timeLimit(_ assumptions: Assumptions) -> Int64? {
        switch self {
        case .notHandled: assumptions.backgroundTime
        case .killedLater: assumptions.voipReportTime
        case .locationTimedOut: assumptions.locationTime
        case .wakes, .rings, .filtered, .alreadyReported, .exempt, .exemptStale, .killed, .speaks, .transmitting,
            .failed, .leaves, .located, .notLocated, .signalled, .unknownDomain, .containerIgnored, .replied, .notNow,
            .reloaded, .controlReloaded, .complicationUpdated:
            nil
        }
    }
}

extension VoIPState {
    mutating func fail(_ assumptions: Assumptions) {
        unreported = min(unreported, assumptions.voipMaxUnreported - 1) + 1
        isWithheld = unreported >= assumptions.voipMaxUnreported
    }
}
