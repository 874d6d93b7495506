package import APNs
package import DeviceModel
package import DeviceSimulator
internal import Fields
package import Gateway
internal import JSON

/// What a gateway knows from the start: the sections `keys`, `apps`, `devices` and `faults` of a file.
package struct Fixtures: Sendable, Hashable {
    /// Provider keys.
    package var keys: [Key] = []
    /// Apps by bundle identifier.
    package var apps: [App] = []
    /// Where each app is named.
    var appPositions: [SourcePosition] = []
    /// Devices with their tokens.
    package var devices: [Device] = []
    /// Fault rules in their order.
    package var faults: [Fault] = []

    /// Nothing.
    package init() {}

    /// A provider key and the file that holds it.
    package struct Key: Sendable, Hashable {
        /// What the key may be used for.
        package var key: ProviderKey
        /// A .p8 file, or a PEM file with the public key.
        package var file: String
        /// Where `file` is named, for messages about it.
        package var position: SourcePosition
    }

    /// A device and its registrations.
    package struct Device: Sendable, Hashable {
        package var name: String
        /// In the order of the file.
        package var registrations: [Registration] = []
        /// How the person holds it.
        package var conditions = DeviceConditions()
        /// What the person decided about apps, by bundle identifier; for others, the app's own settings hold.
        package internal(set) var settings: [String: NotificationSettings] = [:]
        /// What `settings` differ in from the app's, as the file has it.
        var settingEdits: [String: JSONValue] = [:]
        /// Where the device is named.
        package var position: SourcePosition
    }

    /// A fault rule, its scenario's name taken in its place.
    package struct Fault: Sendable, Hashable {
        package var rule: FaultRule
        /// Where it, or its scenario, begins.
        package var position: SourcePosition
    }

    /// What an app of a device gets a token for.
    package struct Registration: Sendable, Hashable {
        /// The topic that the token is good for.
        package var topic: String
        /// `nil` stands for the configuration's.
        package var environment: APNsEnvironment?
        /// What the token is used for.
        package var kind: TokenKind
        /// `nil` derives one.
        package var token: DeviceToken?
        /// Where the registration begins.
        package var position: SourcePosition
    }
}

extension Fixtures {
    /// Puts what devices say about apps over what the apps say, once all of them have been read.
    mutating func resolveSettings() {
        let apps = Dictionary(apps.map { ($0.bundleID, $0.settings) }, uniquingKeysWith: { $1 })
        for index in devices.indices {
            for (bundleID, edit) in devices[index].settingEdits {
                var settings = apps[bundleID] ?? NotificationSettings()
                // What is wrong was reported when it was read, and stops the start.
                try? settings.apply(edit)
                devices[index].settings[bundleID] = settings
            }
        }
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
        in simulator: DeviceSimulator, at now: Instant, since old: FixtureNote? = nil
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
                let given = device.registrations.filter { $0.token != nil }
                for registration in given + device.registrations.filter({ $0.token == nil }) {
                    position = registration.position
                    _ = try simulator.register(
                        device: device.name, topic: registration.topic,
                        environment: registration.environment ?? environment, kind: registration.kind,
                        token: registration.token, at: now)
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
        var uses: [DeviceToken: TokenRequest] = [:]
        var tokens: [TokenRequest: DeviceToken] = [:]
        for device in contents.devices {
            if simulator.device(named: device.name) == nil {
                count += 1
                if count > limit { report(.tooManyDevices(limit: limit), at: device.position) }
            }
            for registration in device.registrations {
                guard let token = registration.token else { continue }
                let use = TokenRequest(
                    device: device.name, topic: registration.topic,
                    environment: registration.environment ?? environment, kind: registration.kind)
                let known = uses[token] ?? simulator.registration(of: token)?.use
                if let known, known != use { report(.tokenTaken(device: known.device), at: registration.position) }
                uses[token] = known ?? use
                if let first = tokens[use], first != token {
                    report(.twoTokens(first, token, for: use), at: registration.position)
                }
                tokens[use] = token
            }
        }
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
    }

    /// Puts a device in its conditions, unless it was in them already.
    private func set(
        _ device: Fixtures.Device, in simulator: DeviceSimulator, at now: Instant, since former: FixtureNote.Device?
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
