package import APNs
internal import DeviceModel
internal import Synchronization
package import Time

extension DeviceSimulator {
    /// Registers an app of a device for pushes, creating the device if needed.
    ///
    /// Returns the active registration for the same topic, environment and kind, or issues a new token; earlier tokens
    /// stay known.
    ///
    /// - Parameters:
    ///   - token: issued instead of a derived one. It becomes active and unregisters the token that was active before.
    ///   - isFormer: issue the given token as unregistered and leave the active one.
    package func register(
        device: String, topic: String, environment: APNsEnvironment, kind: TokenKind, token: DeviceToken? = nil,
        isFormer: Bool = false, at now: Instant
    ) throws(SimulatorError) -> Registration {
        var request = TokenRequest(device: device, topic: topic, environment: environment, kind: kind, generation: 0)
        if let token {
            return try change(device) { store throws(SimulatorError) in
                try store.checkWritable()
                return try store.register(request, token: token, isFormer: isFormer, at: now)
            }
        }
        // Deriving is slow, so do it outside the lock; if the token is taken meanwhile, derive another.
        while true {
            let found = store.withLock { $0.current(for: request) }
            if let registration = found.active { return registration }
            request.generation = max(request.generation, found.nextGeneration)
            let token = deriveToken(request)
            let issued = try change(device) { store throws(SimulatorError) in
                try store.issue(token, for: request, at: now)
            }
            if let issued { return issued }
            request.generation += 1
        }
    }

    /// Creates a device named after an unknown token. Returns the existing registration if the token is known by now.
    package func registerUnknown(
        _ token: DeviceToken, topic: String, environment: APNsEnvironment, kind: TokenKind, at now: Instant
    ) throws(SimulatorError) -> Registration {
        let hex = token.hex
        return try store.withLock { store throws(SimulatorError) in
            if let known = store.tokens[token] { return known.snapshot }
            try store.checkWritable()
            let lengths = [8, 16, 32, hex.count].filter { $0 <= hex.count } + [hex.count]
            let names = lengths.lazy.map { Registration.unknownDevice + hex.prefix($0) }
            // Only a deliberately named device has the whole token as its name.
            let name = names.first { store.devices[$0] == nil } ?? Registration.unknownDevice + hex
            let request = TokenRequest(device: name, topic: topic, environment: environment, kind: kind, generation: 0)
            let device = try store.device(named: name, at: now)
            return store.add(request, to: device, token: token, at: now)
        }
    }

    /// An equal status retains its time, which is part of the answer to a push. Activating a token unregisters the
    /// active one for the same use; nil when the token was never issued.
    @discardableResult
    package func setStatus(_ kind: RegistrationStatus.Kind, of token: DeviceToken, at now: Instant) -> Registration? {
        store.withLock { store in
            guard let entry = store.tokens[token] else { return nil }
            if entry.status.kind != kind {
                if kind == .active { store.unregisterOthers(than: entry, at: now) }
                store.set(RegistrationStatus(kind, since: now), of: entry)
            }
            return entry.snapshot
        }
    }

    /// Unregisters a token, and uninstalls its app unless another token for the app's own topic is active.
    /// The device may be switched off; nil when the token was never issued.
    @discardableResult
    package func remove(_ token: DeviceToken, at now: Instant) throws(SimulatorError) -> Registration? {
        guard let name = registration(of: token)?.device else { return nil }
        return try change(name) { store throws(SimulatorError) in
            let device = try store.device(named: name)
            try store.checkWritable()
            guard let entry = store.tokens[token], entry.device === device else { return nil }
            if !device.keepsApp(without: entry) {
                try store.apply(.act(.uninstall(app: entry.bundleID)), on: device, at: now)
            }
            // Uninstalling has already unregistered an active token; its time must not change.
            if case .unregistered = entry.status { return entry.snapshot }
            store.set(.unregistered(since: now), of: entry)
            return entry.snapshot
        }
    }
}

extension SimulatorState {
    func current(for request: TokenRequest) -> (active: Registration?, nextGeneration: Int) {
        let matching = devices[request.device]?.registrations.filter { $0.serves(request) } ?? []
        let next = matching.map { Int($0.generation) + 1 }.max() ?? 0
        return (matching.last { $0.status == .active }?.snapshot, next)
    }

    /// The next derived token for a use that is not taken.
    ///
    /// - Parameter first: Derived from the request; nil derives it.
    func freeToken(for request: inout TokenRequest, derived first: DeviceToken? = nil) -> DeviceToken {
        var token = first ?? deriveToken(request)
        while tokens[token] != nil {
            request.generation += 1
            token = deriveToken(request)
        }
        return token
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

    /// Issues a given token in place of the active one for the same use, or beside it if `isFormer`.
    mutating func register(
        _ request: TokenRequest, token: DeviceToken, isFormer: Bool, at now: Instant
    ) throws(SimulatorError) -> Registration {
        if let known = tokens[token], known.device.name != request.device || !known.serves(request) {
            throw .tokenTaken(device: known.device.name)
        }
        var request = request
        request.generation = current(for: request).nextGeneration
        let device = try device(named: request.device, at: now)
        let entry = tokens[token] ?? add(request, to: device, token: token, at: now, isFormer: isFormer).entry
        if isFormer {
            set(.unregistered(since: now), of: entry)
        } else {
            unregisterOthers(than: entry, at: now)
            if entry.status != .active { set(.active, of: entry) }
        }
        return entry.snapshot
    }

    /// A device has one active token per use.
    fileprivate mutating func unregisterOthers(than entry: RegistrationEntry, at now: Instant) {
        let use = entry.snapshot.use
        // A former push-to-start token stays valid (T7).
        guard use.kind != .pushtostart else { return }
        for other in entry.device.registrations where other.status == .active && other !== entry && other.serves(use) {
            set(.unregistered(since: now), of: other)
        }
    }

    /// Unregisters the tokens of a removed app. Replaying the act repeats this, so it is not journaled.
    func unregister(_ bundleID: String, on device: Device, at now: Instant) {
        for registration in device.registrations
        where registration.bundleID == bundleID && registration.status.kind != .unregistered {
            registration.status = .unregistered(since: now)
        }
    }
}
