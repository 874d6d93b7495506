internal import APNs
internal import DeviceModel
internal import Time

/// What only the store can do for a device.
extension SimulatorState {
    /// Performs the effects of the device's inputs, except the requests, which it returns.
    mutating func takeEffects(of device: Device) -> [(request: DeviceRequest, at: Instant)] {
        let effects = device.state.effects
        device.state.effects = []
        var requests: [(request: DeviceRequest, at: Instant)] = []
        let last = lastSequence
        for effect in effects {
            switch effect {
            case .changed(let notification): changes?.change(notification)
            case .fired(let entry):
                lastSequence = entry.sequence
                log.append(entry)
                firedCount += 1
            case .extending(let task): extensionTasks.append(task)
            case .gotBroadcast(let channel): channels.countDeliveries(1, on: channel)
            case .request(let request, let at): requests.append((request, at))
            }
        }
        if lastSequence > last {
            hasFired = true
            evictExcess(of: device)
        }
        return requests
    }

    mutating func apply(_ requests: [(request: DeviceRequest, at: Instant)], of device: Device) {
        var (requests, reached) = (requests, device.state.lastEventAt)
        while !requests.isEmpty {
            for (request, now) in requests {
                switch request {
                case .issue(let use): issue(use, on: device, at: now)
                case .ensure(let use): if active(use, on: device).isEmpty { issue(use, on: device, at: now) }
                case .retire(let use, let status): retire(use, on: device, as: status)
                case .subscribe(let channel): subscribe(device, to: channel, at: now)
                case .unsubscribe(let channel): unsubscribe(device, from: channel, at: now)
                case .shareReservations(let changed): shareReservations(of: device, changed: changed, at: now)
                case .takeReservations: takeReservations(for: device, at: now)
                case .forgetTokens, .present, .close, .decided: break
                }
                forgetTokens(of: device, at: now)
                reached = max(reached, now)
            }
            // Carrying one out may lead to others.
            requests = takeEffects(of: device)
        }
        device.state.nextDue = min(device.state.nextDue, device.state.due(after: moment(of: device, at: reached)))
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
        device.state.report(token, for: use, replacing: active?.token, at: moment(of: device, at: now))
    }

    /// In both environments, because the token may have been issued in the other one.
    private func retire(_ use: TokenUse, on device: Device, as status: RegistrationStatus) {
        for entry in active(use, on: device) { entry.status = status }
    }

    private func active(_ use: TokenUse, on device: Device) -> [RegistrationEntry] {
        var request = TokenRequest(use, on: device)
        return device.registrations.filter { entry in
            request.environment = entry.environment
            return entry.status == .active && entry.serves(request)
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
        // Those of an app's latest token, too, so that uninstalled apps are bounded; of these, each keeps its number.
        let latest = device.registrations.filter { $0.kind == .app && $0.status != .active && !$0.isFormer }
        var former = device.registrations.filter(\.isFormer)
        let limit = Self.maximumFormerTokenCount
        guard former.count > limit || latest.count > limit || former.contains(where: isOver) else { return }
        let used = Set(
            device.state.inbox.items.compactMap { log[$0.sequence]?.registration.map { ObjectIdentifier($0) } })
        func isUnused(_ entry: RegistrationEntry) -> Bool { !used.contains(ObjectIdentifier(entry)) }
        former = former.filter(isUnused)
        let forgotten =
            former.enumerated().filter { $0.offset < former.count - limit || isOver($0.element) }.map(\.element)
            + latest.filter(isUnused).dropLast(limit)
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

extension TokenRequest {
    fileprivate init(_ use: TokenUse, on device: Device) {
        self.init(
            device: device.name, topic: use.topic, environment: use.environment, kind: use.kind, subject: use.subject)
    }
}
