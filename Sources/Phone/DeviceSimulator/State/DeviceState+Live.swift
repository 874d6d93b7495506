internal import APNs
internal import DeviceModel
internal import JSON
internal import LiveModel
internal import RequestWire
internal import SiriModel
internal import Time

/// Live Activities, local notifications and apps' other services: `LiveState` decides, the device applies.
extension DeviceState {
    mutating func change(_ input: LiveInput, at now: Instant) throws(SimulatorError) {
        do throws(DeviceError) {
            try carryOut(at: now) { state, context, effects throws(DeviceError) in
                try state.live.reduce(input, context, &effects)
            }
        } catch {
            throw .live(error)
        }
    }

    mutating func performHeldDue(at now: Instant) {
        if hasLive { carryOut(at: now) { state, context, effects in state.live.performDue(context, &effects) } }
        if hasSiri { carryOut(at: now) { state, context, effects in state.siri.performDue(context, &effects) } }
    }

    /// Applies a change of what the device holds, logs its events and queues its requests.
    ///
    /// - Parameters:
    ///   - notification: the push that causes it.
    ///   - context: of `now`, if it is known.
    mutating func carryOut<Result, Failure: Error>(
        at now: Instant, of notification: UInt64? = nil, in context: DeviceContext? = nil,
        _ change: (inout DeviceState, DeviceContext, inout DeviceEffects) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var effects = DeviceEffects()
        let context = context ?? liveContext(at: now)
        let result = try change(&self, context, &effects)
        carryOut(effects, of: notification, at: now)
        return result
    }

    mutating func carryOut(_ effects: DeviceEffects, of notification: UInt64?, at now: Instant) {
        for event in effects.events {
            emit(event.kind, event.notification ?? notification, app: event.app, event.details, at: now)
        }
        for request in effects.requests {
            // At once, because later due events and the input itself must see it delivered.
            if case .present(let local) = request {
                present(local, at: now)
            } else {
                liveRequests.append((request, now))
            }
        }
    }

    mutating func deliverActivity(_ arrival: Arrival, at place: Int, _ now: Instant) {
        var effects = DeviceEffects()
        let decision = live.activities.receive(arrival.activityPush, liveContext(at: now), &effects)
        if let reason = decision.reason {
            discard(place, reason, arrival.push, at: now)
        } else {
            complete(place, arrival.push, at: now)
        }
        carryOut(effects, of: arrival.sequence, at: now)
    }

    /// Delivers a local notification like a push, but no extension sees it (N19).
    private mutating func present(_ local: LocalNotification, at now: Instant) {
        guard let device else { return }
        catalog.lastSequence += 1
        let push = Push(local, at: now)
        let entry = device.localEntry(of: local.bundleID)
        catalog.fired.append(LogEntry(push: push, registration: entry, sequence: catalog.lastSequence))
        var arrival = Arrival(push, for: entry, sequence: catalog.lastSequence, push.digest)
        let context = catalog.context(of: local.bundleID, on: self)
        if local.content.exceedsPayload {
            // Content beside the payload is stored as that of an extension is.
            var run = ExtensionRun(.answered, startedAt: now, endedAt: now)
            run.answer = local.content
            let record = ExtensionRecord(run, app: context.app, statesAlert: false)
            extended[arrival.sequence] = ExtendedPush(context: context, record: Shared(record))
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

    func liveContext(at now: Instant) -> DeviceContext {
        let device = device
        return liveContext(at: now, catalog, named: device?.name ?? "") { bundleID in
            device?.registrations.contains { $0.bundleID == bundleID && $0.isOfInstalledApp } ?? false
        }
    }

    /// Reads nothing that the store's lock guards.
    func detachedContext(named name: String, registered: Set<String>, at now: Instant) -> DeviceContext {
        liveContext(at: now, AppCatalog(copying: catalog), named: name) { registered.contains($0) }
    }

    private func liveContext(
        at now: Instant, _ catalog: AppCatalog, named name: String, isRegistered: @escaping (String) -> Bool
    ) -> DeviceContext {
        // The closure must not capture the whole state, which would make the next change copy it.
        let apps = apps
        // Only suggestions need widgets; the services of other devices stay unshared.
        let services = hasSiri ? live.services : nil
        return DeviceContext(
            now: now, device: conditions.value, assumptions: catalog.assumptions, deviceName: name,
            place: place, catalogRevision: self.catalog.revision,
            isChannel: { catalog.channels[$0] != nil },
            isInstalled: { bundleID in
                apps.contains { $0.bundleID == bundleID } || isRegistered(bundleID)
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
    mutating func report(_ token: DeviceToken, for use: TokenUse, replacing former: DeviceToken?, at now: Instant) {
        var details = use.details(of: token, replacing: former)
        for (name, value) in live.take(token, for: use) { details[name] = value }
        if use.kind == .pushtostart, catalog.assumptions.p2sTokenSilent { return }
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

extension TokenRequest {
    fileprivate init(_ use: TokenUse, on device: Device) {
        self.init(
            device: device.name, topic: use.topic, environment: use.environment, kind: use.kind, subject: use.subject)
    }
}

/// What only the store can do for a device.
extension SimulatorState {
    mutating func performLiveRequests(of device: Device) {
        var reached = device.state.lastEventAt
        // Performing one may lead to others.
        while !device.state.liveRequests.isEmpty {
            let requests = device.state.liveRequests
            device.state.liveRequests = []
            for (request, now) in requests {
                switch request {
                case .issue(let use): issue(use, on: device, at: now)
                case .retire(let use, let status): retire(use, on: device, as: status)
                case .subscribe(let channel): subscribe(device, to: channel, at: now)
                case .unsubscribe(let channel): unsubscribe(device, from: channel)
                case .shareReservations(let changed): shareReservations(of: device, changed: changed, at: now)
                case .takeReservations: takeReservations(for: device, at: now)
                case .forgetTokens, .present: break
                }
                forgetTokens(of: device, at: now)
                reached = max(reached, now)
            }
        }
        device.state.nextDue = min(device.state.nextDue, device.state.due(after: reached))
        if device.state.nextDue < device.queuedDue { dues.insert(device) }
    }

    /// Issues a token as a consequence of an input; replaying the input issues it again, so it is not journaled.
    private mutating func issue(_ use: TokenUse, on device: Device, at now: Instant) {
        var request = TokenRequest(use, on: device)
        let (active, generation) = current(for: request)
        request.generation = generation
        let token = freeToken(for: &request)
        let entry = RegistrationEntry(request, on: device, token: token, at: now)
        // A former push-to-start token stays valid (T7).
        if use.kind != .pushtostart { retire(use, on: device, as: .unregistered(since: now)) }
        device.registrations.append(entry)
        tokens[token] = entry
        device.state.report(token, for: use, replacing: active?.token, at: now)
    }

    /// In both environments, because the token may have been issued in the other one.
    private func retire(_ use: TokenUse, on device: Device, as status: RegistrationStatus) {
        var request = TokenRequest(use, on: device)
        for entry in device.registrations where entry.status == .active {
            request.environment = entry.environment
            if entry.serves(request) { entry.status = status }
        }
    }

    /// Of a device, besides those to which its inbox has pushes.
    static let maximumFormerTokenCount = 200

    /// Forgets tokens whose time is over, and the oldest former ones beyond the limit. A token stays while the inbox has
    /// a push to it.
    mutating func forgetTokens(of device: Device, at now: Instant) {
        func isOver(_ entry: RegistrationEntry) -> Bool {
            entry.forgottenAt(catalog.assumptions).map { $0 <= now } ?? false
        }
        var former = device.registrations.filter(\.isFormer)
        guard former.count > Self.maximumFormerTokenCount || former.contains(where: isOver) else { return }
        let used = Set(
            device.state.inbox.items.compactMap { log[$0.sequence]?.registration.map { ObjectIdentifier($0) } })
        former.removeAll { used.contains(ObjectIdentifier($0)) }
        let excess = former.count - Self.maximumFormerTokenCount
        let forgotten = former.enumerated().filter { $0.offset < excess || isOver($0.element) }.map(\.element)
        device.state.forgottenTokenCount &+= UInt32(clamping: forgotten.count)
        forget(forgotten, of: device)
    }

    /// Forgets the tokens of activities that a reset removed.
    mutating func forgetActivities(of device: Device) {
        forget(device.registrations.filter { $0.kind == .liveactivity }, of: device)
    }

    private mutating func forget(_ entries: [RegistrationEntry], of device: Device) {
        guard !entries.isEmpty else { return }
        for entry in entries {
            entry.isForgotten = true
            tokens[entry.token] = nil
        }
        device.registrations.removeAll(where: \.isForgotten)
    }
}
