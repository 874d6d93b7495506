internal import APNs
package import DeviceModel
internal import JSON
internal import Time

/// What apps and the system do with a delivered push, in their simulated replies.
extension ServiceTable {
    /// Applies the decision and stores the result.
    package mutating func apply(
        _ result: ServiceResult, of push: ServicePush, _ context: DeviceContext, _ effects: inout DeviceEffects
    ) {
        var result = result
        switch result.verdict {
        case .discarded(.voipWithheld):
            let unreported = JSONValue.integer(self[push.bundleID].voip.unreported)
            effects.emit(.voipWithheld, push.notification, app: push.bundleID, ["unreported": unreported])
        case .discarded: break
        case .delivered(let outcome): result.detail = apply(outcome, of: push, context, &effects)
        }
        if let former = self.result(of: push.notification), former.verdict == result.verdict {
            result.detail = former.detail
        }
        add(result)
    }

    /// Returns the detail for the outcome's sentence.
    private mutating func apply(
        _ outcome: ServiceOutcome, of push: ServicePush, _ context: DeviceContext, _ effects: inout DeviceEffects
    ) -> String {
        if let limit = outcome.timeLimit(context.assumptions) {
            wait(
                ServiceDeadline(
                    at: context.now.advanced(by: limit), outcome: outcome, bundleID: push.bundleID,
                    notification: push.notification), context, &effects)
        }
        switch outcome {
        case .wakes: return wake(push, &effects)
        case .rings, .filtered, .alreadyReported: return reportCall(outcome, push, context, &effects)
        case .killed: kill(push, context, &effects)
        case .speaks, .failed, .transmitting, .leaves: return talk(outcome, push, context, &effects)
        case .located, .notLocated: return locate(push, &effects)
        case .signalled, .unknownDomain, .containerIgnored: return signal(outcome, push, &effects)
        case .replied, .notNow: return answerServer(outcome, push, &effects)
        case .reloaded: return reloadWidgets(push, context, &effects)
        case .controlReloaded: return reloadControl(push, &effects)
        case .notHandled, .killedLater, .locationTimedOut, .exempt, .exemptStale, .complicationUpdated: break
        }
        return ""
    }

    private func wake(_ push: ServicePush, _ effects: inout DeviceEffects) -> String {
        guard let reply = self[push.bundleID].replies.background else { return "" }
        effects.emit(.backgroundResult, of: push, ["result": .string(reply.rawValue)])
        return reply.rawValue
    }

    // MARK: Calls

    private mutating func reportCall(
        _ outcome: ServiceOutcome, _ push: ServicePush, _ context: DeviceContext, _ effects: inout DeviceEffects
    ) -> String {
        // A call that waits does not end the active one.
        if outcome == .rings, self[push.bundleID].settings.call != .active {
            ring(push.bundleID, of: push.notification, context, &effects)
            self[push.bundleID].settings.call = .ringing
        }
        let reply = self[push.bundleID].replies.voip ?? .init()
        if context.assumptions.voipReportForgives { self[push.bundleID].voip.unreported = 0 }
        self[push.bundleID].voip.calls.add(
            reply.handle ?? "", at: context.now, within: context.assumptions.repeatedCallWindow)
        effects.emit(
            .callReported, of: push,
            [
                "reply": .string(reply.reply.rawValue), "uuid": text(reply.uuid), "handle": text(reply.handle),
                "video": .bool(reply.video),
                "error": outcome == .filtered ? .string("filteredByDoNotDisturb") : nil,
            ])
        return reply.handle ?? ""
    }

    private mutating func kill(_ push: ServicePush, _ context: DeviceContext, _ effects: inout DeviceEffects) {
        let death = "Killing the app: it never posted an incoming call after receiving a VoIP push"
        self[push.bundleID].voip.fail(context.assumptions)
        let unreported = JSONValue.integer(self[push.bundleID].voip.unreported)
        effects.emit(.appKilled, of: push, ["reason": .string(death), "unreported": unreported])
        effects.requests.append(.close(app: push.bundleID))
    }

    private mutating func talk(
        _ outcome: ServiceOutcome, _ push: ServicePush, _ context: DeviceContext, _ effects: inout DeviceEffects
    ) -> String {
        let reply = self[push.bundleID].replies.pushtotalk ?? .init()
        effects.emit(
            .pttResult, of: push,
            [
                "reply": .string(reply.reply.rawValue), "name": text(reply.name),
                "channel": text(self[push.bundleID].settings.channel),
                "error": outcome == .transmitting ? .string(outcome.rawValue) : nil,
            ])
        let speaker = outcome == .speaks ? reply.name : nil
        self[push.bundleID].settings.speaker = speaker
        guard outcome == .leaves else { return speaker ?? "" }
        self[push.bundleID].settings.channel = nil
        let use = TokenUse(.pushtotalk, bundleID: push.bundleID, environment: push.environment)
        effects.requests.append(.retire(use, .unregistered(since: context.now)))
        return ""
    }

    // MARK: Places, files and management

    private func locate(_ push: ServicePush, _ effects: inout DeviceEffects) -> String {
        let reply = self[push.bundleID].replies.location ?? .init()
        let (latitude, longitude) = (reply.latitude, reply.longitude)
        effects.emit(
            .locationReported, of: push,
            [
                "reply": .string(reply.reply.rawValue), "latitude": latitude.map { .number($0) },
                "longitude": longitude.map { .number($0) },
            ])
        return [latitude, longitude].compactMap { $0.map { "\($0)" } }.joined(separator: ", ")
    }

    private func signal(_ outcome: ServiceOutcome, _ push: ServicePush, _ effects: inout DeviceEffects) -> String {
        let changes = outcome == .signalled ? self[push.bundleID].replies.fileprovider : nil
        effects.emit(
            .fileProviderSignalled, of: push,
            [
                "container": text(push.container), "domain": text(push.text("domain")),
                "changes": changes.map { .strings($0) },
                "warning": outcome == .signalled ? nil : .string(outcome.rawValue),
            ])
        return push.container ?? ""
    }

    private func answerServer(_ outcome: ServiceOutcome, _ push: ServicePush, _ effects: inout DeviceEffects) -> String
    {
        let given = self[push.bundleID].replies.mdm ?? [.acknowledged]
        let answers = given.map { outcome == .notNow && $0 != .idle ? .notNow : $0 }
        let statuses = ([.idle] + answers).map(\.rawValue)
        // Only after NotNow does the device poll again by itself.
        effects.emit(
            .mdmReply, of: push, ["statuses": .strings(statuses), "pollsAgain": .bool(answers.last == .notNow)])
        return statuses.joined(separator: ", ")
    }

    // MARK: Widgets and controls

    private mutating func reloadWidgets(
        _ push: ServicePush, _ context: DeviceContext, _ effects: inout DeviceEffects
    ) -> String {
        let (reloaded, overBudget, windows) = reloads(of: push, context)
        self[push.bundleID].widgetReloads = windows
        let replies = self[push.bundleID].replies.widgets
        self[push.bundleID].settings.widgets.update(reloaded, from: replies)
        effects.emit(
            .widgetsReloaded, of: push, ["widgets": .strings(reloaded), "overBudget": .strings(overBudget)])
        return "\(reloaded.count) reloaded" + (overBudget.isEmpty ? "" : ", \(overBudget.count) over budget")
    }

    /// The widgets that a push reloads, the widgets over budget, and the updated windows.
    func reloads(
        of push: ServicePush, _ context: DeviceContext
    ) -> (reloaded: [String], overBudget: [String], windows: [String: ReloadWindow]) {
        let state = self[push.bundleID]
        let widgets = state.settings.pushWidgets(of: context.app(push.bundleID))
        guard !state.settings.isWidgetDeveloperMode else { return (widgets, [], state.widgetReloads) }
        var windows = state.widgetReloads.filter { window in state.settings.widgets.contains { $0.id == window.key } }
        let reloaded = widgets.filter {
            windows[$0, default: ReloadWindow(since: context.now)]
                .take(of: context.assumptions.widgetBudget, at: context.now)
        }
        return (reloaded, widgets.filter { !reloaded.contains($0) }, windows)
    }

    private mutating func reloadControl(_ push: ServicePush, _ effects: inout DeviceEffects) -> String {
        let id = push.subject ?? ""
        let replies = self[push.bundleID].replies.controls
        self[push.bundleID].settings.controls.update([id], from: replies)
        let content = self[push.bundleID].settings.controls.first { $0.id == id }?.content ?? ""
        effects.emit(.controlReloaded, of: push, ["control": .string(id), "value": .string(content)])
        return id
    }

    private func text(_ text: String?) -> JSONValue? { text.map { .string($0) } }
}

extension DeviceEffects {
    fileprivate mutating func emit(_ kind: DeviceEvent.Kind, of push: ServicePush, _ details: JSONObject) {
        emit(kind, push.notification, app: push.bundleID, details)
    }
}

extension [PlacedSurface] {
    /// Sets the named surfaces' content to the app's reply for their kind.
    fileprivate mutating func update(_ ids: [String], from replies: [String: String]) {
        for index in indices where ids.contains(self[index].id) {
            self[index].content = replies[self[index].kind] ?? self[index].content
        }
    }
}
