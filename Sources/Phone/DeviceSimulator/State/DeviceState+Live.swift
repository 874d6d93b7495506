internal import APNs
internal import DeviceModel
internal import JSON
internal import LiveModel
internal import RequestWire
internal import SiriModel
internal import Time

/// Live Activities, local notifications and apps' other services: `LiveState` decides, the device applies.
extension DeviceState {
    /// Applies an input about which `LiveState` or `SiriState` decides.
    mutating func change(_ input: DeviceInput, at now: Moment) throws(SimulatorError) {
        do throws(DeviceError) {
            try carryOut(at: now) { state, context, effects throws(DeviceError) in
                switch input {
                case .activity(let input): try state.live.activities.reduce(input, context, &effects)
                case .local(let input): try state.live.local.reduce(input, context, &effects)
                case .service(let input): try state.live.services.reduce(input, context, &effects)
                case .donation(let call, let app, let place):
                    try state.siri.reduce(call, by: app, in: place, context, &effects)
                case .calendar(let input): try state.siri.calendar.reduce(input, context, &effects)
                case .act, .extended, .conditions, .settings, .surfaces, .webhook, .time, .setBack: return
                }
            }
            if case .calendar(let input) = input,
                let launch = try siri.calendar.launch(for: input, liveContext(at: now))
            {
                open(launch, at: now)
            }
        } catch {
            throw .live(error)
        }
    }

    /// The app has other widgets or controls with push handlers.
    mutating func exchangeTokens(of bundleID: String, at now: Moment) {
        carryOut(at: now) { state, context, effects in
            state.live.services.exchangeTokens(of: bundleID, now.serviceEnvironment(of: bundleID), context, &effects)
        }
    }

    mutating func advanceHeld(at now: Moment) {
        if hasLive { carryOut(at: now) { state, context, effects in state.live.advance(context, &effects) } }
        if hasSiri { carryOut(at: now) { state, context, effects in state.siri.advance(context, &effects) } }
    }

    /// Applies a change of what the device holds, logs its events and queues its requests.
    ///
    /// - Parameters:
    ///   - notification: the push that causes it.
    ///   - context: of `now`, if it is known.
    mutating func carryOut<Result, Failure: Error>(
        at now: Moment, of notification: UInt64? = nil, in context: DeviceContext? = nil,
        _ change: (inout DeviceState, DeviceContext, inout DeviceEffects) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var effects = DeviceEffects()
        let context = context ?? liveContext(at: now)
        let result = try change(&self, context, &effects)
        apply(effects, of: notification, at: now)
        return result
    }

    mutating func apply(_ effects: DeviceEffects, of notification: UInt64?, at now: Moment) {
        for event in effects.events {
            emit(event.kind, event.notification ?? notification, app: event.app, event.details, at: now)
        }
        for request in effects.requests {
            switch request {
            // At once, because later due events and the input itself must see it delivered.
            case .present(let local): present(local, at: now)
            case .close(let app): close(app, at: now)
            case .decided(let number): if let index = inbox.index(of: number) { touch(index, at: now) }
            default: self.effects.append(.request(request, at: now.time))
            }
        }
    }

    mutating func deliverActivity(_ arrival: Arrival, at index: Int, _ now: Moment) {
        var effects = DeviceEffects()
        let decision = live.activities.receive(
            arrival.activityPush(among: now.registrations), liveContext(at: now), &effects)
        if let reason = decision.reason {
            discard(index, reason, arrival.push, at: now)
        } else {
            complete(index, arrival.push, at: now)
        }
        if effects.events.contains(where: { $0.kind == .appLaunch }) { markLaunched(arrival.bundleID) }
        apply(effects, of: arrival.sequence, at: now)
    }

    /// Delivers a local notification like a push, but no extension sees it (N19).
    private mutating func present(_ local: LocalNotification, at now: Moment) {
        guard let entry = now.tokens?.localEntry(of: local.bundleID) else { return }
        let push = Push(local, at: now.time)
        let sequence = effects.lastSequence(after: now.lastSequence) + 1
        effects.append(.fired(LogEntry(push: push, registration: entry, sequence: sequence)))
        var arrival = Arrival(push, for: entry, sequence: sequence, push.digest)
        let context = now.catalog.context(of: local.bundleID, on: self)
        if local.content.exceedsPayload {
            // Content beside the payload is stored as that of an extension is.
            var run = ExtensionRun(.answered, startedAt: now.time, endedAt: now.time)
            run.answer = local.content
            let record = ExtensionRecord(run, app: context.app, statesAlert: false)
            extended[sequence] = ExtendedPush(context: context, record: Shared(record))
            arrival.traits = record.content?.traits ?? arrival.traits
            (arrival.traits.isMutable, arrival.traits.isContentAvailable) = (false, false)
        }
        accept(arrival, context, at: now)
    }

    /// The outcome of a notification that is not an alert.
    func liveResults(of notification: UInt64) -> (ServiceResult?, ActivityDecision?) {
        guard hasLive else { return (nil, nil) }
        return (live.services.result(of: notification), live.activities.decision(about: notification))
    }

    func liveContext(at now: Moment) -> DeviceContext {
        let (tokens, channels) = (now.tokens, now.catalog.channels)
        return liveContext(
            at: now.time, now.catalog, named: tokens?.deviceName ?? "",
            isRegistered: { bundleID in tokens?.registrations.contains { $0.bundleID == bundleID } ?? false },
            isChannel: { channels[$0] != nil })
    }

    func liveContext(
        at now: Instant, _ catalog: AppCatalog, named name: String, isRegistered: @escaping (String) -> Bool,
        isChannel: @escaping (ChannelKey) -> Bool
    ) -> DeviceContext {
        // The closure must not capture the whole state, which would make the next change copy it.
        let (apps, uninstalled) = (apps, uninstalled)
        // Only suggestions need widgets; the services of other devices stay unshared.
        let services = hasSiri ? live.services : nil
        return DeviceContext(
            now: now, device: conditions.value, assumptions: catalog.assumptions, deviceName: name,
            place: place, catalogRevision: catalog.revision, isChannel: isChannel,
            isInstalled: { bundleID in
                !uninstalled.contains(bundleID) && (apps.contains { $0.bundleID == bundleID } || isRegistered(bundleID))
            },
            widgets: { services?[$0].settings.widgets ?? [] }
        ) { bundleID in
            let known = apps.first { $0.bundleID == bundleID }
            var app = catalog.app(bundleID)
            if let categories = known?.categories { app.categories = categories }
            return (app, known?.settings?.value ?? app.settings, known?.isTerminated ?? false)
        }
    }

    /// Reports a token that the app sends to its back end.
    mutating func report(_ token: DeviceToken, for use: TokenUse, replacing former: DeviceToken?, at now: Moment) {
        var details = use.details(of: token, replacing: former)
        for (name, value) in live.take(token, for: use) { details[name] = value }
        if use.kind == .pushtostart, now.catalog.assumptions.p2sTokenSilent { return }
        emit(.tokenIssued, nil, app: use.bundleID, details, at: now)
    }
}

extension Push {
    /// The collapse identifier is the request's, so that local and remote notifications replace each other (N26).
    fileprivate init(_ local: LocalNotification, at now: Instant) {
        let request = RequestBlock(
            fields: [("apns-collapse-id", local.identifier)], body: local.content.payload.bytes)
        let none = APNsID(high: 0, low: 0)
        self = .make(
            request, token: nil,
            PushFacts(
                apnsID: none, uniqueID: none, environment: .production, pushType: .alert, priority: .immediate,
                expiration: .unspecified, receivedAt: now, connection: Push.localConnection))
    }
}
