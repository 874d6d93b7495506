internal import APNs
package import DeviceModel
internal import Synchronization
package import Time

/// Devices that one request makes. It alone determines their names, tokens and conditions.
package struct Fleet: Sendable, Codable {
    /// The conditions and app settings of a part of the devices, in place of the defaults.
    package struct Part: Sendable, Codable {
        package var conditions: DeviceConditions
        /// By bundle identifier.
        package var settings: [String: NotificationSettings]

        package init(_ conditions: DeviceConditions, _ settings: [String: NotificationSettings] = [:]) {
            self.conditions = conditions
            self.settings = settings
        }
    }

    package var prefix: String
    /// The number in the name of the first device.
    private var first = 1
    /// Of each device's tokens; `device` and `generation` do not count.
    private var uses: [TokenRequest]
    fileprivate var parts: [Part]
    /// For each device the number of its part, from 1; 0 for a plain device.
    fileprivate var assignment: [UInt8]

    package init(prefix: String, uses: [TokenRequest], parts: [Part], assignment: [UInt8]) {
        self.prefix = prefix
        self.uses = uses
        self.parts = parts
        self.assignment = assignment
    }

    package var count: Int { assignment.count }

    /// Such as `fleet-000001`; more than six digits when six are not enough.
    package static func name(_ prefix: String, _ number: Int) -> String { "\(prefix)-\(number.padded(to: 6))" }

    var names: [String] { (first..<first + count).map { Self.name(prefix, $0) } }

    /// Its devices in order, in fleets of at most so many.
    fileprivate func batches(of size: Int) -> [Fleet] {
        stride(from: 0, to: count, by: size).map { start in
            var batch = self
            batch.first = first + start
            batch.assignment = Array(assignment[start..<min(start + size, count)])
            return batch
        }
    }

    /// The tokens of all devices, device by device.
    func tokenRequests() -> [TokenRequest] {
        names.flatMap { name in
            uses.map { use in
                var request = use
                (request.device, request.generation) = (name, 0)
                return request
            }
        }
    }
}

extension DeviceSimulator {
    /// Well under a millisecond: pushes wait for the lock.
    private static let fleetBatchCount = 64

    /// Creates the devices of a fleet: all, or none if one of them exists or there is no room for all.
    ///
    /// If the process ends or the journal fails meanwhile, a part of them may remain.
    package func generate(_ fleet: Fleet, at now: Instant) async throws(SimulatorError) {
        let batches = fleet.batches(of: Self.fleetBatchCount)
        try store.withLock { store throws(SimulatorError) in try store.checkRoom(for: fleet.count) }
        for batch in batches {
            let names = batch.names
            try store.withLock { store throws(SimulatorError) in try store.checkUnused(names) }
        }
        for (index, batch) in batches.enumerated() {
            // Deriving is slow, so do it outside the lock.
            let tokens = batch.tokenRequests().map { ($0, deriveToken($0)) }
            var wakeUps = WakeUps()
            do throws(SimulatorError) {
                try store.withLock { store throws(SimulatorError) in
                    try store.generate(batch, tokens, at: now)
                    wakeUps.isDueEarlier = store.dues.takeIsEarlier()
                }
            } catch {
                // Another request used a name or the remaining capacity meanwhile.
                for name in batches[..<index].flatMap(\.names) { deleteDevice(named: name) }
                throw error
            }
            wake(wakeUps)
            await Task.yield()
        }
    }

    /// Deletes the devices whose names have the prefix, and returns how many.
    package func deleteDevices(withPrefix prefix: String) async -> Int {
        var count = 0
        for name in names(withPrefix: prefix) where deleteDevice(named: name) {
            count += 1
            if count.isMultiple(of: Self.fleetBatchCount) { await Task.yield() }
        }
        return count
    }
}

extension SimulatorState {
    fileprivate func checkRoom(for count: Int) throws(SimulatorError) {
        try checkWritable()
        let room = max(0, limits.devices - devices.count)
        guard count <= room else { throw .noRoom(count, room: room, limit: limits.devices) }
    }

    fileprivate func checkUnused(_ names: [String]) throws(SimulatorError) {
        if let name = names.first(where: { devices[$0] != nil }) { throw .deviceExists(name) }
    }

    /// - Parameter tokens: derived from `tokenRequests()`, in its order.
    mutating func generate(
        _ fleet: Fleet, _ tokens: [(request: TokenRequest, token: DeviceToken)], at now: Instant
    ) throws(SimulatorError) {
        try checkRoom(for: fleet.count)
        let names = fleet.names
        try checkUnused(names)
        record(.generated(fleet, at: now))
        // The devices of a part share the state of the first.
        var states: [UInt8: DeviceState] = [:]
        var next = tokens.startIndex
        for (name, part) in zip(names, fleet.assignment) {
            let device = makeDevice(named: name, at: now)
            if let state = states[part] {
                update(device, at: now) { own, _ in own = state }
            } else {
                if part > 0 { try adapt(device, to: fleet.parts[Int(part) - 1], at: now) }
                states[part] = device.state
            }
            movePerson(of: device, from: catalog.plainConditions.value.person)
            while next < tokens.endIndex, tokens[next].request.device == name {
                var request = tokens[next].request
                let token = freeToken(for: &request, derived: tokens[next].token)
                _ = install(request, on: device, token: token, at: now)
                next += 1
            }
        }
    }

    private mutating func adapt(_ device: Device, to part: Fleet.Part, at now: Instant) throws(SimulatorError) {
        let settings = part.settings.sorted { $0.key < $1.key }
        try update(device, at: now) { state, now throws(SimulatorError) in
            try state.reduce(.conditions(part.conditions), at: now)
            for (app, settings) in settings { try state.reduce(.settings(settings, app: app), at: now) }
        }
    }
}
