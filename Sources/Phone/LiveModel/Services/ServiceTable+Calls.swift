package import DeviceModel
internal import Fields
internal import JSON
internal import Time

/// Why a call ended although neither the person nor the app ended it.
package enum CallEnd: String, Sendable {
    case unanswered, appKilled, appTerminated, appUninstalled, restarted, poweredOff
}

/// Calls end with their app, with the phone, or unanswered.
extension ServiceTable {
    /// With all apps' calls, their handlers end.
    package mutating func endAll(_ cause: CallEnd, _ effects: inout DeviceEffects) {
        for bundleID in apps.keys.sorted() {
            endCall(of: bundleID, cause, &effects)
            endSpeech(of: bundleID, &effects)
        }
        deadlines = []
    }

    /// Ends the app's call and handlers, which the system need not kill any more.
    package mutating func terminate(_ bundleID: String, _ effects: inout DeviceEffects) {
        endCall(of: bundleID, .appTerminated, &effects)
        endSpeech(of: bundleID, &effects)
        deadlines.removeAll { $0.bundleID == bundleID }
    }

    package mutating func uninstall(_ bundleID: String, _ effects: inout DeviceEffects) {
        endCall(of: bundleID, .appUninstalled, &effects)
        apps[bundleID] = nil
        deadlines.removeAll { $0.bundleID == bundleID }
    }

    /// Ends what is said on the app's channel; the device stays in the channel.
    private mutating func endSpeech(of bundleID: String, _ effects: inout DeviceEffects) {
        let former = self[bundleID].settings
        guard former.speaker != nil || former.isTransmitting else { return }
        (self[bundleID].settings.speaker, self[bundleID].settings.isTransmitting) = (nil, false)
        let changed = self[bundleID].settings.differences(from: former)
        effects.emit(.settingsChanged, app: bundleID, ["services": .strings(changed)])
    }

    /// Does nothing if the app has no call.
    mutating func endCall(of bundleID: String, _ cause: CallEnd, _ effects: inout DeviceEffects) {
        stopRinging(bundleID)
        guard self[bundleID].settings.call != .none else { return }
        self[bundleID].settings.call = .none
        effects.emit(
            .settingsChanged, app: bundleID, ["services": .strings(["call"]), "cause": .string(cause.rawValue)])
    }

    /// Starts the time after which an unanswered call ends; an earlier call of the app no longer rings.
    ///
    /// - Parameter notification: The push that the app reported; nil for a call that the app reported by itself.
    mutating func ring(
        _ bundleID: String, of notification: UInt64?, _ context: DeviceContext, _ effects: inout DeviceEffects
    ) {
        stopRinging(bundleID)
        wait(
            ServiceDeadline(
                at: context.now.advanced(by: context.assumptions.callRingTime), outcome: .rings, bundleID: bundleID,
                notification: notification), context, &effects)
    }

    mutating func stopRinging(_ bundleID: String) {
        deadlines.removeAll { $0.outcome == .rings && $0.bundleID == bundleID }
    }
}

// MARK: Deadlines

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
