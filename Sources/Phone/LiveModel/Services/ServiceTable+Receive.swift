package import APNs
package import DeviceModel
package import JSON
internal import Time

/// A push that is neither an alert nor for a Live Activity, as it reaches its device.
package struct ServicePush: Sendable {
    package var kind: PushType
    package var bundleID: String
    package var environment: APNsEnvironment
    package var notification: UInt64
    /// The control whose token it was sent to.
    package var subject: String?
    /// Whether the app's complication pushes of the day are used up.
    package var isOverBudget = false
    /// How long it took to reach the device, in milliseconds.
    package var age: Int64 = 0
    package var payload: JSONValue?

    package init(
        _ kind: PushType, bundleID: String, environment: APNsEnvironment, notification: UInt64, subject: String? = nil
    ) {
        self.kind = kind
        self.bundleID = bundleID
        self.environment = environment
        self.notification = notification
        self.subject = subject
    }
}

extension ServiceTable {
    /// Whether the app's declaration or its state on the device affects pushes of this type; if not, they only arrive.
    package func governs(_ kind: PushType, of app: App) -> Bool {
        app.declares(kind) || apps[app.bundleID]?.concern(kind) == true
    }

    /// Decides about a push for which `governs` is true.
    package func decide(_ push: ServicePush, _ context: DeviceContext) -> ServiceResult? {
        let facts = facts(push, context)
        return ServiceRules.table(for: push.kind)?.decide(facts, nil).map {
            ServiceResult(notification: push.notification, facts: facts, verdict: $0)
        }
    }

    /// PushKit's `mustReport` (iOS 26.4): false in the foreground, during a call, and for a push that comes too late.
    package func mustReport(_ push: ServicePush, _ context: DeviceContext) -> Bool {
        facts(push, context).match([], without: [.isForeground, .hasCall, .isStale])
    }

    /// Carries out the decision and stores the result.
    package mutating func perform(
        _ result: ServiceResult, of push: ServicePush, _ context: DeviceContext, _ effects: inout DeviceEffects
    ) {
        var result = result
        switch result.verdict {
        case .discarded(.voipWithheld):
            let unreported = JSONValue.integer(self[push.bundleID].voip.unreported)
            effects.emit(.voipWithheld, push.notification, app: push.bundleID, ["unreported": unreported])
        case .discarded: break
        case .delivered(let outcome): result.detail = perform(outcome, push, context, &effects)
        }
        add(result)
    }

    private func facts(_ push: ServicePush, _ context: DeviceContext) -> FactSet<ServiceFact> {
        var facts: FactSet<ServiceFact> = []
        func insert(_ fact: ServiceFact, if holds: Bool?) { facts.insert(fact, if: holds == true) }
        let app = context.app(push.bundleID)
        let state = self[push.bundleID]
        switch push.kind {
        case .background:
            insert(.lacksMode, if: !app.hasRemoteNotificationMode)
            insert(.isTerminated, if: context.isTerminated(push.bundleID))
            insert(.timesOut, if: state.replies.background == .timeout)
        case .voip:
            let reply = state.replies.voip ?? .init()
            insert(.isUnregistered, if: app.pushkit?.voip == false)
            insert(.isWithheld, if: state.voip.isWithheld)
            insert(.reportsCall, if: reply.reply == .reportCall)
            insert(.reportsExisting, if: reply.reply == .reportExisting)
            insert(.timesOut, if: reply.reply == .timeout)
            insert(.isForeground, if: context.isForeground(push.bundleID))
            insert(.hasCall, if: state.settings.call != .none)
            insert(
                .isStale, if: context.has(.callMetadata) && push.age >= context.assumptions.callRingTime)
            insert(.isFiltered, if: context.filtersCall(from: reply.handle ?? "", of: push.bundleID, state.voip))
        case .pushtotalk:
            let reply = state.replies.pushtotalk?.reply ?? .participant
            insert(.isUnregistered, if: app.ptt == false)
            insert(.hasNoChannel, if: state.settings.channel == nil)
            insert(.isTransmitting, if: state.settings.isTransmitting && state.settings.isHalfDuplex)
            insert(.leaves, if: reply == .leave || reply == .timeout && context.assumptions.pttTimeoutLeaves)
            insert(.fails, if: reply == .error || reply == .timeout && !context.assumptions.pttTimeoutLeaves)
        case .location:
            let reply = state.replies.location?.reply ?? .location
            insert(.lacksExtension, if: app.locationExtension == false)
            insert(.lacksEntitlement, if: app.locationExtension == true && !app.has(.locationPush))
            insert(.isUnauthorized, if: state.settings.locationAuthorization != .always)
            insert(.timesOut, if: reply == .timeout)
            insert(.fails, if: reply == .none)
        case .fileprovider:
            insert(.isUnregistered, if: app.pushkit?.fileprovider == false)
            insert(
                .isUnknownDomain, if: state.settings.fileProviderDomains.map { !$0.contains(push.text("domain") ?? "") }
            )
            insert(.isOutsideWorkingSet, if: state.settings.isReplicated && push.container != ServicePush.workingSet)
        case .mdm:
            insert(.isNotEnrolled, if: state.settings.isEnrolled == false)
            insert(.hasWrongMagic, if: state.settings.pushMagic.map { $0 != push.text("mdm") })
            insert(.waitsForUnlock, if: context.assumptions.mdmWaitsForUnlock && !context.device.isUnlockedSinceBoot)
        case .widgets:
            insert(.isFeatureMissing, if: !context.has(.widgetPushes))
            insert(.hasNoSurface, if: state.settings.pushWidgets(of: app).isEmpty)
            insert(.isOverBudget, if: reloads(of: push, context).reloaded.isEmpty)
        case .controls:
            let controls = state.settings.pushControls(of: app)
            insert(.isFeatureMissing, if: !context.has(.controls))
            insert(.hasNoSurface, if: push.subject.map { !controls.contains($0) } ?? true)
        case .complication:
            insert(.hasNoSurface, if: !state.settings.hasComplication)
            insert(.isOverBudget, if: push.isOverBudget)
        case .alert, .liveactivity: break
        }
        return facts
    }

    /// The widgets that a push reloads, the widgets over budget, and the updated windows.
    private func reloads(
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

    /// Carries out the outcome and returns the detail for its sentence.
    private mutating func perform(
        _ outcome: ServiceOutcome, _ push: ServicePush, _ context: DeviceContext, _ effects: inout DeviceEffects
    ) -> String {
        // Before the state is copied: the handler that waits longest may be killed for it.
        if let limit = outcome.timeLimit(context.assumptions) {
            wait(
                ServiceDeadline(
                    at: context.now.advanced(by: limit), outcome: outcome, bundleID: push.bundleID,
                    notification: push.notification), context, &effects)
        }
        // A call that waits does not end the active one.
        let rings = outcome == .rings && self[push.bundleID].settings.call != .active
        if rings { ring(push.bundleID, of: push.notification, context, &effects) }
        var state = self[push.bundleID]
        defer { self[push.bundleID] = state }
        func emit(_ kind: DeviceEvent.Kind, _ details: JSONObject) {
            effects.emit(kind, push.notification, app: push.bundleID, details)
        }
        func text(_ text: String?) -> JSONValue? { text.map { .string($0) } }
        switch outcome {
        case .wakes:
            guard let reply = state.replies.background else { return "" }
            emit(.backgroundResult, ["result": .string(reply.rawValue)])
            return reply.rawValue
        case .rings, .filtered, .alreadyReported:
            let reply = state.replies.voip ?? .init()
            if rings { state.settings.call = .ringing }
            if context.assumptions.voipReportForgives { state.voip.unreported = 0 }
            state.voip.calls.add(reply.handle ?? "", at: context.now, within: context.assumptions.repeatedCallWindow)
            emit(
                .callReported,
                [
                    "reply": .string(reply.reply.rawValue), "uuid": text(reply.uuid), "handle": text(reply.handle),
                    "video": .bool(reply.video),
                    "error": outcome == .filtered ? .string("filteredByDoNotDisturb") : nil,
                ])
            return reply.handle ?? ""
        case .killed:
            let death = "Killing the app: it never posted an incoming call after receiving a VoIP push"
            state.voip.fail(context.assumptions)
            emit(.appKilled, ["reason": .string(death), "unreported": .integer(state.voip.unreported)])
        case .speaks, .failed, .transmitting, .leaves:
            let reply = state.replies.pushtotalk ?? .init()
            emit(
                .pttResult,
                [
                    "reply": .string(reply.reply.rawValue), "name": text(reply.name),
                    "channel": text(state.settings.channel),
                    "error": outcome == .transmitting ? .string(outcome.rawValue) : nil,
                ])
            state.settings.speaker = outcome == .speaks ? reply.name : nil
            guard outcome == .leaves else { return state.settings.speaker ?? "" }
            state.settings.channel = nil
            let use = TokenUse(.pushtotalk, bundleID: push.bundleID, environment: push.environment)
            effects.requests.append(.retire(use, .unregistered(since: context.now)))
        case .located, .notLocated:
            let reply = state.replies.location ?? .init()
            let (latitude, longitude) = (reply.latitude, reply.longitude)
            emit(
                .locationReported,
                [
                    "reply": .string(reply.reply.rawValue), "latitude": latitude.map { .number($0) },
                    "longitude": longitude.map { .number($0) },
                ])
            return [latitude, longitude].compactMap { $0.map { "\($0)" } }.joined(separator: ", ")
        case .signalled, .unknownDomain, .containerIgnored:
            let changes = outcome == .signalled ? state.replies.fileprovider : nil
            emit(
                .fileProviderSignalled,
                [
                    "container": text(push.container), "domain": text(push.text("domain")),
                    "changes": changes.map { .strings($0) },
                    "warning": outcome == .signalled ? nil : .string(outcome.rawValue),
                ])
            return push.container ?? ""
        case .replied, .notNow:
            let given = state.replies.mdm ?? [.acknowledged]
            let answers = given.map { outcome == .notNow && $0 != .idle ? .notNow : $0 }
            let statuses = ([.idle] + answers).map(\.rawValue)
            // Only after NotNow does the device poll again by itself.
            emit(.mdmReply, ["statuses": .strings(statuses), "pollsAgain": .bool(answers.last == .notNow)])
            return statuses.joined(separator: ", ")
        case .reloaded:
            let (reloaded, overBudget, windows) = reloads(of: push, context)
            state.widgetReloads = windows
            state.settings.widgets.update(reloaded, from: state.replies.widgets)
            emit(.widgetsReloaded, ["widgets": .strings(reloaded), "overBudget": .strings(overBudget)])
            return "\(reloaded.count) reloaded" + (overBudget.isEmpty ? "" : ", \(overBudget.count) over budget")
        case .controlReloaded:
            let id = push.subject ?? ""
            state.settings.controls.update([id], from: state.replies.controls)
            let content = state.settings.controls.first { $0.id == id }?.content ?? ""
            emit(.controlReloaded, ["control": .string(id), "value": .string(content)])
            return id
        case .notHandled, .killedLater, .locationTimedOut, .exempt, .exemptStale, .complicationUpdated: break
        }
        return ""
    }

    // MARK: Time limits

    mutating func wait(_ deadline: ServiceDeadline, _ context: DeviceContext, _ effects: inout DeviceEffects) {
        if deadlines.count >= Self.maximumDeadlineCount { perform(deadlines.removeFirst(), context, &effects) }
        deadlines.append(deadline)
    }

    mutating func perform(_ deadline: ServiceDeadline, _ context: DeviceContext, _ effects: inout DeviceEffects) {
        if deadline.outcome == .rings { return endCall(of: deadline.bundleID, .unanswered, &effects) }
        var details: JSONObject = [:]
        var reason = "the app did not call its completion handler in time"
        switch deadline.outcome {
        case .killedLater:
            self[deadline.bundleID].voip.fail(context.assumptions)
            reason = "callservicesd killed the app: its handler did not return and it reported no call"
            details = [
                "code": .string("0xbaadca11"), "unreported": .integer(self[deadline.bundleID].voip.unreported),
            ]
        case .locationTimedOut:
            let reply: JSONObject = ["reply": .string(ServiceReplies.LocationReply.Kind.timeout.rawValue)]
            effects.emit(.locationReported, deadline.notification, app: deadline.bundleID, reply)
            reason = "the location push extension did not finish after serviceExtensionWillTerminate"
        default: break
        }
        details["reason"] = .string(reason)
        effects.emit(.appKilled, deadline.notification, app: deadline.bundleID, details)
        // A location push kills the extension only.
        if deadline.outcome != .locationTimedOut { endCall(of: deadline.bundleID, .appKilled, &effects) }
    }
}

extension ServiceOutcome {
    /// How long a handler that does not return may run.
    fileprivate func timeLimit(_ assumptions: Assumptions) -> Int64? {
        switch self {
        case .notHandled: assumptions.backgroundTime
        case .killedLater: assumptions.voipReportTime
        case .locationTimedOut: assumptions.locationTime
        default: nil
        }
    }
}

extension VoIPState {
    fileprivate mutating func fail(_ assumptions: Assumptions) {
        unreported = min(unreported, assumptions.voipMaxUnreported - 1) + 1
        isWithheld = unreported >= assumptions.voipMaxUnreported
    }
}

extension ServicePush {
    /// The only container that a replicated extension enumerates after a push.
    static let workingSet = "NSFileProviderWorkingSetContainerItemIdentifier"

    func text(_ name: String) -> String? { payload?[name]?.string }

    var container: String? { text("container-identifier") }
}

extension [PlacedSurface] {
    /// Sets the named surfaces' content to the app's reply for their kind.
    fileprivate mutating func update(_ ids: [String], from replies: [String: String]) {
        for index in indices where ids.contains(self[index].id) {
            self[index].content = replies[self[index].kind] ?? self[index].content
        }
    }
}

extension DeviceContext {
    /// Whether the active Focus silences a call, decided as for a call's notification (B.5).
    fileprivate func filtersCall(from handle: String, of bundleID: String, _ voip: VoIPState) -> Bool {
        guard device.focus.activeMode != nil else { return false }
        var call = CommunicationContext()
        call.intent = .startCall
        var caller = Person.Handle()
        (caller.value, caller.type) = (handle, handle.contains("@") ? .emailAddress : .phoneNumber)
        call.sender.handle = caller
        var traits = ContentTraits()
        traits.hasAlert = true
        traits.communication = call
        var phone = App(bundleID: bundleID, entitlements: [Entitlement.communication.rawValue])
        phone.supportedIntents = [call.intent.rawValue]
        let policy = PolicyContext(
            device: device, app: phone, settings: NotificationSettings(), assumptions: assumptions)
        var inputs = InterruptionInputs(content: traits, context: policy, now: now)
        inputs.sinceLastCall = voip.calls.time(since: handle, at: now)
        return MadeDecision(inputs, last: nil).outcome.timing == .silencedByFocus
    }
}
