package import APNs
internal import DeviceModel
internal import Synchronization

/// Tokens: issued, unregistered, and seen for the first time.
extension DeviceSimulator {
    /// Registers an app of a device for pushes; makes the device when there is none of the name.
    ///
    /// While a registration for the same topic, environment and kind is active, it is returned. Otherwise a new token is
    /// issued; the former ones stay known.
    ///
    /// - Parameters:
    ///   - token: the token to issue instead of a derived one; an active registration with another token is unregistered
    ///     then, and one with this token becomes active again.
    ///   - isFormer: the given token is unregistered from the beginning, and the active one stays.
    /// - Throws: `SimulatorError`; nothing has changed then.
    package func register(
        device: String, topic: String, environment: APNsEnvironment, kind: TokenKind, token: DeviceToken? = nil,
        isFormer: Bool = false, at now: Instant
    ) throws(SimulatorError) -> Registration {
        var request = TokenRequest(device: device, topic: topic, environment: environment, kind: kind, generation: 0)
        if let token {
            return try store.withLock { store throws(SimulatorError) in
                try store.checkWritable()
                return try store.register(request, token: token, isFormer: isFormer, at: now)
            }
        }
        // Deriving is slow, so it happens outside the lock; a token taken meanwhile costs another round.
        while true {
            let found = store.withLock { $0.current(for: request) }
            if let registration = found.active { return registration }
            request.generation = max(request.generation, found.nextGeneration)
            let token = deriveToken(request)
            let issued = try store.withLock { store throws(SimulatorError) in
                try store.issue(token, for: request, at: now)
            }
            if let issued { return issued }
            request.generation += 1
        }
    }

    /// Creates a device for an unknown token, named after it.
    ///
    /// - Returns: The registration; the existing one when the token is known by now.
    /// - Throws: `SimulatorError.tooManyDevices`.
    package func registerUnknown(
        _ token: DeviceToken, topic: String, environment: APNsEnvironment, kind: TokenKind, at now: Instant
    ) throws(SimulatorError) -> Registration {
        let hex = token.hex
        return try store.withLock { store throws(SimulatorError) in
            if let known = store.tokens[token] { return known.snapshot }
            try store.checkWritable()
            let lengths = [8, 16, 32, hex.count].filter { $0 <= hex.count } + [hex.count]
            let names = lengths.lazy.map { "device-" + hex.prefix($0) }
            // The whole token is the name of another device only on purpose.
            let name = names.first { store.devices[$0] == nil } ?? "device-\(hex)"
            let request = TokenRequest(device: name, topic: topic, environment: environment, kind: kind, generation: 0)
            let device = try store.device(named: name, at: now)
            return store.add(request, to: device, token: token, at: now)
        }
    }

    /// Pushes to the token end as `Unregistered`; nil when it was never issued.
    @discardableResult
    package func unregister(_ token: DeviceToken, at now: Instant) -> Registration? {
        setStatus(.unregistered(since: now), of: token)
    }

    /// Takes a token back, and its app with it: the app is uninstalled with everything that it has on the device, unless
    /// another active token for the app's own topic says that it is still there. A device that is switched off is no
    /// obstacle.
    ///
    /// - Returns: nil when the token was never issued.
    /// - Throws: `SimulatorError`; nothing has changed then.
    @discardableResult
    package func remove(_ token: DeviceToken, at now: Instant) throws(SimulatorError) -> Registration? {
        guard let name = registration(of: token)?.device else { return nil }
        return try change(name) { device, store throws(SimulatorError) in
            try store.checkWritable()
            guard let entry = store.tokens[token], entry.device === device else { return nil }
            if !device.isInstalled(besides: entry) {
                try store.reduce(.act(.uninstall(app: entry.bundleID)), on: device, at: now)
            }
            // The act has unregistered an active token already; its time must not change.
            if case .unregistered = entry.status { return entry.snapshot }
            store.set(.unregistered(since: now), of: entry)
            return entry.snapshot
        }
    }

    /// Pushes to the token end as `ExpiredToken`; nil when it was never issued.
    @discardableResult
    package func expire(_ token: DeviceToken, at now: Instant) -> Registration? {
        setStatus(.expired(since: now), of: token)
    }

    /// Activates a token in place of the active one for the same use; nil when it was never issued.
    @discardableResult
    package func reactivate(_ token: DeviceToken, at now: Instant) -> Registration? {
        store.withLock { store in
            guard let entry = store.tokens[token] else { return nil }
            store.unregisterOthers(than: entry, at: now)
            store.set(.active, of: entry)
            return entry.snapshot
        }
    }

    private func setStatus(_ status: RegistrationStatus, of token: DeviceToken) -> Registration? {
        store.withLock { store in
            guard let entry = store.tokens[token] else { return nil }
            store.set(status, of: entry)
            return entry.snapshot
        }
    }
}

extension Store {
    func current(for request: TokenRequest) -> (active: Registration?, nextGeneration: Int) {
        let matching = devices[request.device]?.registrations.filter { $0.serves(request) } ?? []
        let next = matching.map { Int($0.generation) + 1 }.max() ?? 0
        return (matching.last { $0.status == .active }?.snapshot, next)
    }

    /// Issues a derived token; nil when it is taken.
    mutating func issue(
        _ token: DeviceToken, for request: TokenRequest, at now: Instant
    ) throws(SimulatorError) -> Registration? {
        if let active = current(for: request).active { return active }
        try checkWritable()
        guard tokens[token] == nil else { return nil }
        return add(request, to: try device(named: request.device, at: now), token: token, at: now)
    }

    /// Issues a given token in place of the active one for the same use, unless it is a former one.
    mutating func register(
        _ request: TokenRequest, token: DeviceToken, isFormer: Bool, at now: Instant
    ) throws(SimulatorError) -> Registration {
        if let known = tokens[token], known.device.name != request.device || !known.serves(request) {
            throw .tokenTaken(device: known.device.name)
        }
        var request = request
        request.generation = current(for: request).nextGeneration
        let device = try device(named: request.device, at: now)
        let entry = tokens[token] ?? add(request, to: device, token: token, at: now).entry
        if isFormer {
            set(.unregistered(since: now), of: entry)
        } else {
            unregisterOthers(than: entry, at: now)
            if entry.status != .active { set(.active, of: entry) }
        }
        return entry.snapshot
    }

    /// A device has one active token for each use.
    fileprivate mutating func unregisterOthers(than entry: RegistrationEntry, at now: Instant) {
        let use = entry.snapshot.use
        for other in entry.device.registrations where other.status == .active && other !== entry && other.serves(use) {
            set(.unregistered(since: now), of: other)
        }
    }
}
