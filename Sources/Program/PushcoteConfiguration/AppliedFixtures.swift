package import DeviceModel
package import DeviceSimulator
package import Gateway
internal import JSON
package import Time
internal import Webhooks

/// The apps and devices as last applied; a reload or restart applies only changes.
package struct AppliedFixtures: Sendable {
    package struct Device: Sendable, Codable {
        package var conditions: DeviceConditions
        package var settings: [String: NotificationSettings]
    }

    package var apps: [App]
    package var devices: [String: Device]

    package init(_ fixtures: Fixtures) {
        apps = fixtures.apps
        devices = Dictionary(
            fixtures.devices.map { ($0.name, Device(conditions: $0.conditions, settings: $0.settings)) },
            uniquingKeysWith: { $1 })
    }
}

extension DeviceSimulator {
    private static let appliedDevicesName = "fixtures.devices"

    /// The fixtures of the journal's last start; nil for a new journal.
    package var appliedFixtures: AppliedFixtures? {
        guard let devices: [String: AppliedFixtures.Device] = decoded(Self.appliedDevicesName) else { return nil }
        var applied = AppliedFixtures(Fixtures())
        (applied.apps, applied.devices) = (appliedApps, devices)
        return applied
    }

    /// The apps of the files as last applied; empty after a reset that removed them.
    package var appliedApps: [App] { decoded(Self.appliedAppsName) ?? [] }

    /// - Parameter isKept: Whether a restart must find the devices, too.
    package func storeAppliedFixtures(_ fixtures: Fixtures, isKept: Bool) {
        let applied = AppliedFixtures(fixtures)
        store(applied.apps, for: Self.appliedAppsName)
        if isKept { store(applied.devices, for: Self.appliedDevicesName) }
    }

    private func decoded<Value: Decodable>(_ name: String) -> Value? {
        metadata(name).flatMap { try? JSONTextDecoder.decode(Value.self, from: Array($0.utf8)) }
    }

    private func store(_ value: some Encodable, for name: String) {
        setMetadata(String(decoding: JSONTextEncoder.bytes(value), as: UTF8.self), for: name)
    }
}

extension Configuration {
    /// - Parameter old: The fixtures last applied; apps and devices unchanged since then retain their state.
    /// - Returns: What could not be applied, because a person uninstalled an app.
    /// - Throws: `ConfigurationError`, changing nothing, for a token in use or more devices than `inbox.devices`.
    @discardableResult
    package func register(
        in simulator: DeviceSimulator, at now: Instant, since old: AppliedFixtures? = nil
    ) throws(ConfigurationError) -> [ConfigurationProblem] {
        try check(in: simulator)
        var skipped: [ConfigurationProblem] = []
        for app in contents.apps where old?.apps.contains(app) != true { simulator.put(app, at: now) }
        for device in contents.devices {
            var position = device.position
            do throws(SimulatorError) {
                let isNew = simulator.device(named: device.name) == nil
                try simulator.addDevice(named: device.name, at: now)
                let former = isNew ? nil : old?.devices[device.name]
                // Given tokens come first: they become active, so no second token is derived.
                let given = device.registrations.filter { $0.value.token != nil }
                let registrations = given + device.registrations.filter { $0.value.token == nil }
                func register(_ registration: Fixtures.Placed<RegistrationDraft>) throws(SimulatorError) {
                    position = registration.position
                    let use = registration.value.use(on: device.name, in: gateway.defaultEnvironment)
                    _ = try simulator.register(
                        device: use.device, topic: use.topic, environment: use.environment, kind: use.kind,
                        token: registration.value.token, at: now)
                }
                // An app must be on the device to be in the foreground.
                for registration in registrations
                where registration.value.use(on: device.name, in: gateway.defaultEnvironment).bundleID
                    == device.conditions.foregroundApp
                {
                    try register(registration)
                }
                position = device.position
                if let app = try set(device, in: simulator, at: now, since: former) {
                    let message =
                        "\(app) was uninstalled on \(device.name), so it cannot be in the foreground; give it a registration"
                    skipped.append(ConfigurationProblem(position, message))
                }
                for registration in registrations { try register(registration) }
            } catch {
                throw ConfigurationError(problems: [ConfigurationProblem(position, error.message)])
            }
        }
        return skipped
    }

    private func check(in simulator: DeviceSimulator) throws(ConfigurationError) {
        var problems: [ConfigurationProblem] = []
        let limit = simulator.limits.devices
        var count = simulator.counters.devices
        var tokens = RegistrationCheck(simulator)
        for device in contents.devices {
            if simulator.device(named: device.name) == nil {
                count += 1
                let error = SimulatorError.tooManyDevices(limit: limit)
                if count > limit { problems.append(ConfigurationProblem(device.position, error.message)) }
            }
            for registration in device.registrations {
                guard let token = registration.value.token else { continue }
                do throws(SimulatorError) {
                    try tokens.add(token, for: registration.value.use(on: device.name, in: gateway.defaultEnvironment))
                } catch {
                    problems.append(ConfigurationProblem(registration.position, error.message))
                }
            }
        }
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
    }

    /// Skips conditions and settings that are unchanged since they were last applied.
    /// - Returns: The app that was uninstalled, so that it is not in the foreground.
    private func set(
        _ device: Fixtures.Device, in simulator: DeviceSimulator, at now: Instant, since former: AppliedFixtures.Device?
    ) throws(SimulatorError) -> String? {
        if let former, former.conditions == device.conditions, former.settings == device.settings { return nil }
        var conditions = device.conditions
        var uninstalled: String?
        do throws(SimulatorError) {
            try simulator.perform(.conditions(conditions), on: device.name, at: now)
        } catch {
            guard case .noSuchApp(let app, _) = error, simulator.hasUninstalled(app, on: device.name) else {
                throw error
            }
            (uninstalled, conditions.foregroundApp) = (app, nil)
            try simulator.perform(.conditions(conditions), on: device.name, at: now)
        }
        for (app, settings) in device.settings.sorted(by: { $0.key < $1.key }) {
            try simulator.perform(.settings(settings, app: app), on: device.name, at: now)
        }
        for app in (former?.settings ?? [:]).keys.sorted() where device.settings[app] == nil {
            try simulator.perform(.settings(nil, app: app), on: device.name, at: now)
        }
        return uninstalled
    }
}

extension Configuration {
    /// Sets the fault rules of the files. Unchanged rules retain their counts, or stay removed; rules set through the API stay.
    /// - Returns: The names of rules skipped because a rule set through the API has the name.
    /// - Throws: `FaultPlan.Refusal`, changing nothing, for too many rules.
    @discardableResult
    package func setFaults(in gateway: Gateway) throws(FaultPlan.Refusal) -> [String] {
        try gateway.setFaults(ofFiles: contents.faults.map(\.value))
    }

    /// Sets the webhooks of the files that are new or changed, and removes those that the files no longer have.
    package func setWebhooks(in gateway: Gateway, since old: Configuration? = nil) {
        let former = old?.contents.webhooks.map(\.value) ?? []
        let new = contents.webhooks.map(\.value)
        gateway.webhooks.remove { webhook in
            former.contains(webhook) && !new.contains { $0.name == webhook.name }
        }
        // Webhooks set through the API may have used up the limit.
        for webhook in new where !former.contains(webhook) { _ = try? gateway.webhooks.set(webhook) }
    }
}
