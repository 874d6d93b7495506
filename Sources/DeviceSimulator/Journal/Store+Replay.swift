internal import APNs
internal import DeviceModel

/// Doing again what was done before.
extension Store {
    /// Does an input again; it must come after all that came before it.
    ///
    /// - Throws: `RecordDamage` when it cannot have happened.
    mutating func repeatInput(_ input: SimulatorInput) throws(RecordDamage) {
        switch input {
        case .push(let push, let token, let sequence):
            guard let registration = tokens[token] else { throw RecordDamage() }
            lastSequence = sequence - 1
            var freed: Push?
            _ = receive(push, for: registration, PayloadDigest(push.payload.span.bytes), freed: &freed)
        case .change(let change):
            do {
                try repeatChange(change)
            } catch {
                throw RecordDamage()
            }
        }
    }

    private mutating func repeatChange(_ change: SimulatorChange) throws {
        switch change {
        case .setup(let limits, let assumptions): set(up: limits, assumptions)
        case .astray(let sequence):
            lastSequence = sequence
            counts.received += 1
            counts.cleared += 1
        case .device(let name, let now): _ = try device(named: name, at: now)
        case .deviceDeleted(let name): _ = deleteDevice(named: name)
        case .registration(let name, let topic, let environment, let kind, let generation, let token, let now):
            let request = TokenRequest(
                device: name, topic: topic, environment: environment, kind: kind, generation: generation)
            guard tokens[token] == nil else { throw RecordDamage() }
            _ = add(request, to: try device(named: name), token: token, at: now)
        case .status(let token, let status):
            guard let entry = tokens[token] else { throw RecordDamage() }
            set(status, of: entry)
        case .app(let app): put(app)
        case .appDeleted(let bundleID): _ = removeApp(bundleID)
        case .act(let act, let name, let now):
            let device = try device(named: name)
            // An earlier build may have allowed what is refused today; then it changes nothing.
            try? reduce(.act(act), on: device, at: now)
        case .extended(let notification, let record, let name, let now):
            try reduce(.extended(notification, Shared(record)), on: try device(named: name), at: now)
        case .conditions(let conditions, let name, let now):
            try reduce(.conditions(conditions), on: try device(named: name), at: now)
        case .settings(let settings, let app, let name, let now):
            try reduce(.settings(settings, app: app), on: try device(named: name), at: now)
        case .time(let name, let now): pass(to: now, on: try device(named: name))
        case .cleared(let sequences): _ = clear(sequences)
        case .reset(let scope): reset(keeping: ResetScope(rawValue: scope))
        case .loaded(let snapshot, let now): _ = try load(snapshot, at: now)
        case .note(let key, let text): notes[key] = text
        }
    }
}

extension Store {
    /// Has the service extensions asked about every push that waits for them, in the order of the pushes: who was asked before
    /// a restart cannot answer any more.
    mutating func askExtensionsAgain() {
        extensionTasks = devices.values.flatMap { device in
            device.state.extending.compactMap { waiting in
                // One with a record was answered already, while the device was off.
                guard let push = device.state.extended[waiting.arrival.sequence], push.record == nil else { return nil }
                let task = ExtensionTask(
                    arrival: waiting.arrival, context: push.context, at: waiting.since)
                return (task, device.name)
            }
        }
        extensionTasks.sort { $0.task.arrival.sequence < $1.task.arrival.sequence }
    }

    /// Sets what holds from now on; what is more than the limits allow is dropped, and counted.
    mutating func set(up limits: InboxLimits, _ assumptions: Assumptions) {
        guard limits != self.limits || assumptions != catalog.assumptions else { return }
        record(.setup(limits: limits, assumptions: assumptions))
        if assumptions != catalog.assumptions { catalog.assumptions = assumptions }
        self.limits = limits
        makeRoom()
    }

    /// Keeps a text under a name; nil forgets it.
    mutating func note(_ text: String?, as key: String) {
        guard notes[key] != text else { return }
        record(.note(key: key, text: text))
        notes[key] = text
    }
}
