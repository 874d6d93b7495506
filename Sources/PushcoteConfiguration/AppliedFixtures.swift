package import APNs
package import DeviceModel
package import DeviceSimulator
internal import FoundationEssentials
package import Gateway

/// What the files said about apps and devices, so that only changes are applied.
package struct AppliedFixtures: Sendable, Codable {
    /// A device as its file has it.
    package struct Device: Sendable, Codable {
        package var conditions: DeviceConditions
        package var settings: [String: NotificationSettings]
    }

    package var apps: [App]
    package var devices: [String: Device]

    /// What fixtures say.
    package init(_ fixtures: Fixtures) {
        apps = fixtures.apps
        devices = Dictionary(
            fixtures.devices.map { ($0.name, Device(conditions: $0.conditions, settings: $0.settings)) },
            uniquingKeysWith: { $1 })
    }
}

extension DeviceSimulator {
    private static let fixturesName = "fixtures"

    /// What the files said when the journal was last used; nil for a new journal.
    package var appliedFixtures: AppliedFixtures? {
        metadata(Self.fixturesName).flatMap { try? JSONDecoder().decode(AppliedFixtures.self, from: Data($0.utf8)) }
    }

    /// Stores what the files say, for the next start.
    package func storeAppliedFixtures(_ fixtures: Fixtures) {
        let encoder = JSONEncoder()
        // In one order, so that the same fixtures are the same text.
        encoder.outputFormatting = .sortedKeys
        guard let text = try? encoder.encode(AppliedFixtures(fixtures)) else { return }
        setMetadata(String(decoding: text, as: UTF8.self), for: Self.fixturesName)
    }
}

extension Configuration {
    /// Adds the apps and devices to a simulator.
    ///
    /// - Parameter old: What was registered before; an app that stands there alike is left as it has become, and so are the
    ///   conditions and settings of a device.
    /// - Throws: `ConfigurationError` when a token is taken, or there are more devices than `inbox.devices`; nothing has changed
    ///   then.
    package func register(
        in simulator: DeviceSimulator, at now: Instant, since old: AppliedFixtures? = nil
    ) throws(ConfigurationError) {
        try check(in: simulator)
        for app in contents.apps where old?.apps.contains(app) != true { simulator.put(app) }
        for device in contents.devices {
            var position = device.position
            do throws(SimulatorError) {
                let isNew = simulator.device(named: device.name) == nil
                try simulator.addDevice(named: device.name, at: now)
                let former = isNew ? nil : old?.devices[device.name]
                try set(device, in: simulator, at: now, since: former)
                // A given token is the active one, so none is derived beside it.
                let given = device.registrations.filter { $0.draft.token != nil }
                for registration in given + device.registrations.filter({ $0.draft.token == nil }) {
                    position = registration.position
                    let use = registration.draft.use(on: device.name, in: environment)
                    _ = try simulator.register(
                        device: use.device, topic: use.topic, environment: use.environment, kind: use.kind,
                        token: registration.draft.token, at: now)
                }
            } catch {
                throw ConfigurationError(problems: [
                    ConfigurationProblem(place: position.description, message: error.message)
                ])
            }
        }
    }

    /// Refuses what cannot be registered.
    private func check(in simulator: DeviceSimulator) throws(ConfigurationError) {
        var problems: [ConfigurationProblem] = []
        func report(_ error: SimulatorError, at position: SourcePosition) {
            problems.append(ConfigurationProblem(place: position.description, message: error.message))
        }
        let limit = simulator.limits.devices
        var count = simulator.counters.devices
        var tokens = RegistrationCheck(simulator)
        for device in contents.devices {
            if simulator.device(named: device.name) == nil {
                count += 1
                if count > limit { report(.tooManyDevices(limit: limit), at: device.position) }
            }
            for registration in device.registrations {
                guard let token = registration.draft.token else { continue }
                do throws(SimulatorError) {
                    try tokens.add(token, for: registration.draft.use(on: device.name, in: environment))
                } catch {
                    report(error, at: registration.position)
                }
            }
        }
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
    }

    /// Puts a device in its conditions, unless it was in them already.
    private func set(
        _ device: Fixtures.Device, in simulator: DeviceSimulator, at now: Instant, since former: AppliedFixtures.Device?
    ) throws(SimulatorError) {
        if let former, former.conditions == device.conditions, former.settings == device.settings { return }
        try simulator.setConditions(device.conditions, of: device.name, at: now)
        for (app, settings) in device.settings.sorted(by: { $0.key < $1.key }) {
            try simulator.setSettings(settings, of: app, on: device.name, at: now)
        }
        for app in (former?.settings ?? [:]).keys.sorted() where device.settings[app] == nil {
            try simulator.setSettings(nil, of: app, on: device.name, at: now)
        }
    }
}

extension Configuration {
    /// Sets the fault rules of the files: a rule that stays goes on counting, and rules made by the API stay.
    ///
    /// - Returns: Rules that are left out, as the API has made one of the same name.
    /// - Throws: `FaultPlan.Refusal` when there would be too many; then nothing has changed.
    @discardableResult
    package func setFaults(in gateway: Gateway, since old: Configuration? = nil) throws(FaultPlan.Refusal) -> [String] {
        let former = old?.contents.faults.map(\.rule) ?? []
        return try gateway.faults.update(contents.faults.map(\.rule), since: former, at: gateway.now())
    }
}
