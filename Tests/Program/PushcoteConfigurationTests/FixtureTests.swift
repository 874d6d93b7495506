import APNs
import DeviceModel
import DeviceSimulator
import Foundation
import Gateway
import JSON
import PushcoteConfiguration
import Testing
import Time
import Webhooks

/// Files of a folder, read in order of their names.
@Suite struct FixtureTests {
    /// Loads a configuration with a temporary folder of files.
    static func load(_ files: [String: String]) throws -> Result<Fixtures, ConfigurationError> {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pushcote-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
        let sources = ConfigurationSources(overrides: ["fixtures=\(folder.path)"])
        do {
            return .success(try sources.load(text: "").configuration.contents)
        } catch {
            let short = error.problems.map {
                ConfigurationProblem(
                    $0.place.replacingOccurrences(of: folder.path + "/", with: ""),
                    $0.message.replacingOccurrences(of: folder.path + "/", with: ""))
            }
            return .failure(ConfigurationError(problems: short))
        }
    }

    @Test func areReadInOrderOfName() throws {
        let contents = try Self.load([
            "20.json": #"{"devices": {"tablet": {"registrations": [{"topic": "com.example.app.voip"}]}}}"#,
            "10.yaml": "devices:\n  phone:\napps:\n  com.example.app: {displayName: Example, entitlements: [a, b]}\n",
            "30.yml": "keys:\n- {keyId: K, teamId: T, file: k.p8, environments: [sandbox], "
                + "topics: [com.example.app]}\n",
            "40.txt": "not: [read", ".hidden.yaml": "not: [read",
        ]).get()
        #expect(contents.devices.map(\.name) == ["phone", "tablet"])
        #expect(contents.devices[1].registrations.map { $0.value.use(on: "x", in: .sandbox).kind } == [.voip])
        // `App` alone is the module.
        let app = DeviceModel.App(bundleID: "com.example.app", displayName: "Example", entitlements: ["a", "b"])
        #expect(contents.apps == [app])
        let key = ProviderKey(keyID: "K", teamID: "T", environments: [.sandbox], scope: .topics(["com.example.app"]))
        #expect(contents.keys.map(\.key) == [key])
        #expect(contents.keys[0].file.hasSuffix("/k.p8"))
    }

    @Test(arguments: ["a.yaml", "a.json"]) func nameAWebhooksAuthoritiesFromTheirFolder(_ name: String) throws {
        let text = #"{"webhooks": [{"name": "hook", "url": "https://localhost/", "ca": "ca.pem"}]}"#
        let webhook = try #require(try Self.load([name: text]).get().webhooks.first?.value)
        #expect(webhook.authorities?.hasPrefix("/") == true && webhook.authorities?.hasSuffix("/ca.pem") == true)
    }

    @Test(arguments: ["a.yaml", "a.json"]) func keepNumbersAndBooleansOfConditionsAndBodies(_ name: String) throws {
        let rule = #"""
            {"name": "f", "effect": {"delay": "1s"}, "match": {"where":
              {"payload.aps.badge": {">": 2}, "keyId": {"exists": true}, "headers.x": "2"}}}
            """#
        let hook = #"{"name": "h", "url": "http://localhost/", "body": {"count": 3, "isTest": true, "no": "3"}}"#
        let contents = try Self.load([name: #"{"faults": [\#(rule)], "webhooks": [\#(hook)]}"#]).get()
        let bytes = Array(rule.utf8)
        let json = JSONValue(bytes.span.bytes)
        let rules = try FaultRule.rules(from: #require(json))
        #expect(contents.faults.map(\.value) == rules)
        #expect(contents.webhooks.map(\.value.body) == [#"{"count":3,"isTest":true,"no":"3"}"#])
    }

    @Test func acceptCompactJSON() throws {
        let text = "{\n\t\"apps\": {\n\t\t\"com.example.app\": {\"displayName\": \"\\ud83d\\uDE00 a\\/b\"}\n\t}\n}\n"
        #expect(try Self.load(["a.json": text]).get().apps.map(\.displayName) == ["😀 a/b"])
    }

    @Test func setADevicesConditions() throws {
        let device = """
            devices:
              phone:
                isLocked: false
                foregroundApp:
                locale: no
                focus: {active: "off", modes: [{id: off, name: 5, schedule: [{from: 18:00, to: "6:00"}, {to: 06:00}]}]}
                summary: {times: [07:30]}
            """
        #expect {
            try ConfigurationSources().load(text: device)
        } throws: { error in
            "\(error)" == "config.yaml:6:84: devices.phone.focus.modes[0].schedule[0].to is \"6:00\"; "
                + "accepted: a time of day from 00:00 to 23:59"
        }
        let right = device.replacing("\"6:00\"", with: "06:00")
        let conditions = try ConfigurationSources().load(text: right).configuration.contents.devices[0].conditions
        #expect(!conditions.isLocked && conditions.foregroundApp == nil && conditions.locale == "no")
        #expect(conditions.focus.activeMode?.name == "5")
        #expect(conditions.focus.activeMode?.schedule[0].from == WallTime(hour: 18, minute: 0))
        #expect(conditions.summary.times == [WallTime(hour: 7, minute: 30)])
    }

    @Test func putADevicesSettingsOverTheAppsOwn() throws {
        let contents = try Self.load([
            "a.yaml":
                "devices: {phone: {apps: {com.example.app: {alert: disabled}, com.example.b: {sound: disabled}}}}",
            "b.yaml": "apps: {com.example.app: {settings: {scheduledDelivery: enabled}}}",
        ]).get()
        let settings = contents.devices[0].settings
        #expect(settings.count == 2)
        #expect(settings["com.example.app"]?.alert == .disabled)
        #expect(settings["com.example.app"]?.scheduledDelivery == .enabled)
        #expect(settings["com.example.b"]?.sound == .disabled)
        #expect(settings["com.example.b"]?.scheduledDelivery == .disabled)
    }

    static let mistakes: [(files: [String: String], message: String)] = [
        (
            ["a.yaml": "devices:\n  phone:\n    registration: []\n"],
            "a.yaml:3:5: unknown key devices.phone.registration; did you mean registrations?"
        ),
        (
            ["a.json": "{\n  \"device\": {}\n}"],
            "a.json:2:3: unknown key device; did you mean devices?"
        ),
        (
            ["a.json": "{\n  \"devices\": {,\n}"],
            "a.json:2:15: not JSON: found `,`: one comma too many"
        ),
        (
            ["a.yaml": "devices: {phone: }\n", "b.yaml": "\ndevices: {phone: }\n"],
            "b.yaml:2:11: duplicate device phone, first at a.yaml:1:11"
        ),
        (["a.yaml": "- a\n"], "a.yaml:1:1: the file is a list; accepted: keys, apps, devices, faults, webhooks"),
        (
            ["a.yaml": "faults:\n- scenario: G5\n- {name: never-answered, effect: {loses: answer}}\n"],
            "a.yaml:3:3: duplicate fault never-answered, first at a.yaml:2:3"
        ),
    ]

    @Test(arguments: mistakes) func stopStartUpIfInvalid(_ files: [String: String], _ message: String) throws {
        guard case .failure(let error) = try Self.load(files) else {
            Issue.record("it was accepted")
            return
        }
        #expect(error.description == message)
    }

    @Test func anIdentifierOfUnusualLengthIsAWarning() throws {
        let text =
            "keys:\n- {keyId: K23456789, teamId: TEAM123456, file: k.p8}\n- {keyId: K234567890, teamId: T, file: l.p8}"
        #expect(
            try ConfigurationSources().load(text: text).warnings == [
                "config.yaml:2:3: keyId \"K23456789\" does not have 10 characters, as Apple's IDs do",
                "config.yaml:3:3: teamId \"T\" does not have 10 characters, as Apple's IDs do",
            ])
    }

    @Test func aFolderIsNotAConfiguration() throws {
        for (sources, name) in [
            (ConfigurationSources(path: "/"), "--config"),
            (ConfigurationSources(environment: ["PUSHCOTE_CONFIG": "/"]), "PUSHCOTE_CONFIG"),
        ] {
            #expect {
                try sources.load()
            } throws: { error in
                "\(error)" == "\(name) /: is a folder; accepted: a file"
            }
        }
    }

    @Test func aMissingFolderStopsStartUp() throws {
        let sources = ConfigurationSources()
        #expect {
            try sources.load(text: "\nfixtures: /nowhere/at/all\n")
        } throws: { error in
            "\(error)" == "config.yaml:2:11: fixtures: /nowhere/at/all is not a readable folder"
        }
    }

    @Test func fillASimulator() throws {
        let text = """
            environment: production
            apps: {com.example.app: }
            devices:
              phone: {registrations: [{topic: com.example.app, token: "00ff"}, {topic: com.example.app.voip}]}
              tablet:
            """
        let configuration = try ConfigurationSources().load(text: text).configuration
        let simulator = DeviceSimulator { request in
            DeviceToken(bytes: Array("\(request.device)/\(request.topic)".utf8))!
        }
        try configuration.register(in: simulator, at: Instant(milliseconds: 1))
        let devices = simulator.devicePage(after: nil, limit: .max).devices
        #expect(devices.map(\.name) == ["phone", "tablet"])
        #expect(devices[0].registrations.map(\.token.hex).first == "00ff")
        #expect(devices[0].registrations.allSatisfy { $0.environment == .production })
        #expect(simulator.apps().map(\.bundleID) == ["com.example.app"])
    }

    /// A phone with conditions from a file.
    private static func phone(_ line: String) throws -> Configuration {
        try ConfigurationSources().load(text: "devices:\n  phone: {\(line)}\n").configuration
    }

    @Test func putDevicesInTheirConditions() throws {
        let simulator = DeviceSimulator { _ in DeviceToken(bytes: [1])! }
        let first = try Self.phone("isOnline: false, apps: {com.example.app: {sound: disabled}}")
        try first.register(in: simulator, at: Instant(milliseconds: 1))
        #expect(simulator.conditions(of: "phone") == first.contents.devices[0].conditions)
        #expect(simulator.conditions(of: "phone")?.isOnline == false)
        #expect(simulator.appsOnDevice("phone").map(\.settings.sound) == [.disabled])
    }

    @Test func doNotChangeADeviceTheyDescribeUnchanged() throws {
        let simulator = DeviceSimulator { _ in DeviceToken(bytes: [1])! }
        let first = try Self.phone("isOnline: false, apps: {com.example.app: {sound: disabled}}")
        try first.register(in: simulator, at: Instant(milliseconds: 1))
        var other = DeviceConditions()
        other.isLocked = false
        try simulator.perform(.conditions(other), on: "phone", at: Instant(milliseconds: 2))
        try first.register(in: simulator, at: Instant(milliseconds: 3), since: AppliedFixtures(first.contents))
        #expect(simulator.conditions(of: "phone") == other)
        // A changed file applies, and members it no longer has return to their defaults.
        try Self.phone("ringSwitch: silent").register(
            in: simulator, at: Instant(milliseconds: 4), since: AppliedFixtures(first.contents))
        #expect(simulator.conditions(of: "phone")?.ringSwitch == .silent)
        #expect(simulator.conditions(of: "phone")?.isOnline == true)
        #expect(simulator.appsOnDevice("phone").allSatisfy { !$0.hasOwnSettings })
        // A device deleted meanwhile is created again from the file.
        simulator.deleteDevice(named: "phone")
        try first.register(in: simulator, at: Instant(milliseconds: 5), since: AppliedFixtures(first.contents))
        #expect(simulator.conditions(of: "phone")?.isOnline == false)
    }

    @Test func anAppInTheForegroundThatWasUninstalledDoesNotStopTheStart() throws {
        func configuration(_ more: String) throws -> Configuration {
            let device = "  phone: {foregroundApp: com.example.app\(more)}\n"
            return try ConfigurationSources().load(text: "apps:\n  com.example.app:\ndevices:\n" + device).configuration
        }
        let simulator = DeviceSimulator { _ in DeviceToken(bytes: [1])! }
        let first = try configuration("")
        #expect(try first.register(in: simulator, at: Instant(milliseconds: 1)).isEmpty)
        try simulator.perform(.uninstall(app: "com.example.app"), on: "phone", at: Instant(milliseconds: 2))
        let skipped = try configuration(", ringSwitch: silent").register(
            in: simulator, at: Instant(milliseconds: 3), since: AppliedFixtures(first.contents))
        #expect(
            skipped.map(\.description) == [
                "config.yaml:4:3: com.example.app was uninstalled on phone, so it cannot be in the foreground; give it a "
                    + "registration"
            ])
        #expect(simulator.conditions(of: "phone")?.ringSwitch == .silent)
        #expect(simulator.conditions(of: "phone")?.foregroundApp == nil)
    }

    @Test(arguments: [
        (
            """
            devices:
              phone:
                registrations:
                  - {topic: com.example.app, token: "0011223344"}
                  - {topic: com.example.app.voip, token: "aabb"}
                  - {topic: com.example.app, token: "aabbccddee"}
            """, "config.yaml:6:9: the tokens 00112233… and aabbccdd… are both for com.example.app in the"
        ),
        (
            """
            devices:
              phone: {registrations: [{topic: com.example.app, token: "00ff"}]}
              tablet: {registrations: [{topic: com.example.app, token: "00ff"}]}
            """, "config.yaml:3:28: the token belongs to another registration, of device \"phone\""
        ),
        ("devices:\n  a:\n  b:\n  c:\n", "config.yaml:4:3: the limit of 2 devices is reached"),
    ]) func whatCannotBeIsReportedWithItsPlaceAndNothingIsCreated(_ text: String, _ words: String) throws {
        let configuration = try ConfigurationSources().load(text: text).configuration
        let simulator = DeviceSimulator(limits: InboxLimits(devices: 2)) { _ in DeviceToken(bytes: [1])! }
        #expect {
            try configuration.register(in: simulator, at: Instant(milliseconds: 1))
        } throws: { error in
            "\(error)".hasPrefix(words)
        }
        #expect(simulator.counters.devices == 0)
    }
}
