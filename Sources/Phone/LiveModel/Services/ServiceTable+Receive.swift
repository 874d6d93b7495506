package import APNs
package import DeviceModel
package import JSON

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
    /// Whether the token is not in use any more: the app left the channel, or the control was removed.
    package var isTokenRetired = false
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

    private func facts(_ push: ServicePush, _ context: DeviceContext) -> FactSet<ServiceFact> {
        var facts: FactSet<ServiceFact> = []
        func insert(_ fact: ServiceFact, if holds: Bool?) { facts.insert(fact, if: holds == true) }
        let app = context.app(push.bundleID)
        let state = self[push.bundleID]
        let former = result(of: push.notification)
        switch push.kind {
        case .background:
            insert(.lacksMode, if: !app.hasRemoteNotificationMode)
            insert(.isTerminated, if: context.isTerminated(push.bundleID))
            insert(.timesOut, if: state.replies.background == .timeout)
        case .voip: facts = callFacts(push, app, former, context)
        case .pushtotalk:
            let reply = state.replies.pushtotalk?.reply ?? .participant
            insert(.isFeatureMissing, if: !context.has(.pushToTalk))
            insert(.isUnregistered, if: app.ptt == false)
            insert(.hasNoChannel, if: state.settings.channel == nil || push.isTokenRetired)
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
            let domains = state.settings.fileProviderDomains
            insert(.isUnknownDomain, if: domains.map { !$0.contains(push.text("domain") ?? "") })
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
            insert(.hasNoSurface, if: push.isTokenRetired || push.subject.map { !controls.contains($0) } ?? true)
        case .complication:
            insert(.hasNoSurface, if: !state.settings.hasComplication)
            insert(.isOverBudget, if: push.isOverBudget)
        case .alert, .liveactivity: break
        }
        return former?.facts.replacing(circumstances, by: facts) ?? facts
    }

    private func callFacts(
        _ push: ServicePush, _ app: App, _ former: ServiceResult?, _ context: DeviceContext
    ) -> FactSet<ServiceFact> {
        var facts: FactSet<ServiceFact> = []
        let state = self[push.bundleID]
        let reply = state.replies.voip ?? .init()
        facts.insert(.isUnregistered, if: app.pushkit?.voip == false)
        facts.insert(.isWithheld, if: state.voip.isWithheld)
        facts.insert(.reportsCall, if: reply.reply == .reportCall)
        facts.insert(.reportsExisting, if: reply.reply == .reportExisting)
        facts.insert(.timesOut, if: reply.reply == .timeout)
        facts.insert(.isForeground, if: context.isForeground(push.bundleID))
        facts.insert(.hasCall, if: state.settings.call != .none)
        facts.insert(.isStale, if: context.has(.callMetadata) && push.age >= context.assumptions.callRingTime)
        let caller = former?.detail ?? reply.handle ?? ""
        let pause = state.voip.calls.time(since: caller, at: context.now)
        let isRepeated =
            former?.facts.contains(.isRepeatedCall)
            ?? (pause.map { $0 <= context.assumptions.repeatedCallWindow } ?? false)
        facts.insert(.isRepeatedCall, if: isRepeated)
        facts.insert(.isFiltered, if: context.filtersCall(from: caller, of: push.bundleID, isRepeated: isRepeated))
        return facts
    }
}

/// The facts that a preview may change. It decides again about a push and takes the others from its record: how the app
/// replied, and what earlier pushes had led to.
private let circumstances: FactSet<ServiceFact> = [
    .lacksMode, .isTerminated, .isUnregistered, .isForeground, .isFiltered, .isStale, .lacksExtension,
    .lacksEntitlement, .waitsForUnlock, .isFeatureMissing,
]

extension ServicePush {
    /// The only container that a replicated extension enumerates after a push.
    static let workingSet = "NSFileProviderWorkingSetContainerItemIdentifier"

    func text(_ name: String) -> String? { payload?[name]?.string }

    var container: String? { text("container-identifier") }
}

extension DeviceContext {
    /// Whether the active Focus silences a call, decided as for a call's notification (B.5).
    fileprivate func filtersCall(from handle: String, of bundleID: String, isRepeated: Bool) -> Bool {
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
        var inputs = InterruptionInputs(content: traits, context: policy)
        inputs.sinceLastCall = isRepeated ? 0 : nil
        return MadeDecision(inputs, last: nil).outcome.timing == .silencedByFocus
    }
}
