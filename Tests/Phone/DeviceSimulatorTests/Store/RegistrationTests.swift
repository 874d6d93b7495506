import APNs
import DeviceModel
import Testing

@testable import DeviceSimulator

@Suite struct RegistrationTests {
    let simulator = DeviceSimulator.make()

    func register(_ kind: TokenKind = .app, token: DeviceToken? = nil, at: Int64 = 0) throws -> Registration {
        try simulator.register(
            device: "Phone", topic: "com.example.chat", environment: .sandbox, kind: kind, token: token, at: .at(at))
    }

    @Test("at most 200 former tokens of an app are kept, and the others counted") func boundsFormerTokens() throws {
        let simulator = DeviceSimulator.make()
        for _ in 0..<300 {
            let registration = try simulator.register(
                device: "Phone", topic: "com.example.app", environment: .sandbox, kind: .app, at: .at(0))
            simulator.setStatus(.unregistered, of: registration.token, at: .at(0))
        }
        let device = try #require(simulator.device(named: "Phone"))
        #expect(device.registrations.count == 201 && device.forgottenTokenCount == 99)
        #expect(Set(device.registrations.map(\.token)).count == 201)
    }

    @Test("at most 200 tokens of uninstalled apps are kept, and the others counted")
    func boundsUninstalledApps() throws {
        let simulator = DeviceSimulator.make()
        for number in 0..<300 {
            let registration = try simulator.register(
                device: "Phone", topic: "com.a\(number)", environment: .sandbox, kind: .app, at: .at(0))
            try simulator.perform(.uninstall(app: "com.a\(number)"), on: "Phone", at: .at(0))
            #expect(simulator.registration(of: registration.token)?.status.kind == .unregistered)
        }
        let device = try #require(simulator.device(named: "Phone"))
        #expect(device.forgottenTokenCount == 99 && device.registrations.count == 201)
        // The last ones are known, so that a new installation gets a new token.
        let last = try simulator.register(
            device: "Phone", topic: "com.a299", environment: .sandbox, kind: .app, at: .at(0))
        #expect(last.status == .active && last.token != device.registrations.last?.token)
    }

    @Test func issuesTheSameTokenForTheSameRequest() throws {
        let first = try register()
        let second = try register(at: 5)
        #expect(first.token == second.token)
        #expect(second.registeredAt == .at(0))
        #expect(DeviceSimulator.make().registered("Phone").token == first.token)
        #expect(simulator.registration(of: first.token)?.device == "Phone")
    }

    @Test func issuesDifferentTokensForDifferentRequests() throws {
        let tokens = [
            try register().token, try register(.voip).token,
            simulator.registered("Phone", topic: "com.example.mail").token,
            simulator.registered("Tablet").token,
            try simulator.register(
                device: "Phone", topic: "com.example.chat", environment: .production, kind: .app, at: .at(0)
            ).token,
        ]
        #expect(Set(tokens).count == tokens.count)
        #expect(simulator.devicePage(after: nil, limit: .max).devices.map(\.name) == ["Phone", "Tablet"])
    }

    @Test func issuesALongTokenForALiveActivity() throws {
        #expect(try register(.liveactivity).token.hex.count == 160)
        #expect(try register().token.hex.count == 64)
    }

    @Test func issuesANewTokenAfterUnregistering() throws {
        let first = try register()
        #expect(simulator.setStatus(.unregistered, of: first.token, at: .at(7))?.status == .unregistered(since: .at(7)))
        let second = try register(at: 9)
        #expect(second.token != first.token)
        #expect(second.entry.generation == 1)
        #expect(simulator.registration(of: first.token)?.status == .unregistered(since: .at(7)))
        #expect(simulator.registration(of: second.token)?.status == .active)
    }

    @Test func expiresAndReactivates() throws {
        let token = try register().token
        #expect(simulator.setStatus(.expired, of: token, at: .at(3))?.status == .expired(since: .at(3)))
        #expect(simulator.setStatus(.active, of: token, at: .at(5))?.status == .active)
        #expect(try register().token == token)
    }

    @Test func aReactivatedTokenReplacesTheActiveOne() throws {
        let first = try register()
        _ = simulator.setStatus(.unregistered, of: first.token, at: .at(7))
        let second = try register(at: 9)
        #expect(simulator.setStatus(.active, of: first.token, at: .at(10))?.status == .active)
        #expect(simulator.registration(of: second.token)?.status == .unregistered(since: .at(10)))
    }

    @Test func rejectsTokensNeverIssued() {
        #expect(simulator.registration(of: .numbered(1)) == nil)
        #expect(simulator.setStatus(.unregistered, of: .numbered(1), at: .at(0)) == nil)
        #expect(simulator.setStatus(.expired, of: .numbered(1), at: .at(0)) == nil)
        #expect(simulator.setStatus(.active, of: .numbered(1), at: .at(5)) == nil)
    }

    @Test func acceptsAGivenToken() throws {
        let derived = try register()
        let given = try register(token: .numbered(7, byteCount: 5), at: 4)
        #expect(given.token == .numbered(7, byteCount: 5))
        #expect(simulator.registration(of: derived.token)?.status == .unregistered(since: .at(4)))
        #expect(try register().token == given.token)
        simulator.setStatus(.unregistered, of: given.token, at: .at(5))
        #expect(try register(token: given.token, at: 6).status == .active)
        #expect(simulator.device(named: "Phone")?.registrations.count == 2)
    }

    @Test func rejectsATokenOfAnotherDevice() throws {
        let token = simulator.registered("Tablet").token
        #expect(throws: SimulatorError.tokenTaken(device: "Tablet")) { try register(token: token) }
        #expect(simulator.device(named: "Phone") == nil)
    }

    @Test func createsADeviceForAnUnknownToken() throws {
        let token = DeviceToken.numbered(0x0123_4567_89AB_CDEF)
        let twin = DeviceToken.numbered(0x0123_4567_0000_0000)
        let first = try unknown(token)
        #expect(first.device == "device-01234567")
        #expect(try unknown(token).device == first.device)
        #expect(try unknown(twin).device == "device-0123456700000000")
        #expect(try unknown(DeviceToken(bytes: [0xAB])!).device == "device-ab")
        #expect(simulator.devicePage(after: nil, limit: .max).devices.count == 3)
    }

    private func unknown(_ token: DeviceToken) throws -> Registration {
        try simulator.registerUnknown(
            token, topic: "com.example.chat", environment: .production, kind: .app, at: .at(1))
    }

    @Test func createsNoMoreDevicesThanAllowed() throws {
        let simulator = DeviceSimulator.make(limits: InboxLimits(devices: 1))
        let phone = simulator.registered("Phone")
        #expect(throws: SimulatorError.tooManyDevices(limit: 1)) {
            try simulator.addDevice(named: "Tablet", at: .at(0))
        }
        #expect(throws: SimulatorError.tooManyDevices(limit: 1)) {
            try simulator.registerUnknown(
                .numbered(1), topic: "com.example.chat", environment: .sandbox, kind: .app, at: .at(0))
        }
        #expect(simulator.registered("Phone").token == phone.token)
        #expect(simulator.counters.registrations == 1)
    }

    @Test func forgetsTheTokensOfADeletedDevice() throws {
        let phone = try register()
        simulator.push("before", to: phone)
        #expect(simulator.deleteDevice(named: "Phone"))
        #expect(!simulator.deleteDevice(named: "Phone"))
        #expect(simulator.registration(of: phone.token) == nil)
        // A push in transit when the device was deleted is counted.
        simulator.push("late", to: phone)
        #expect(simulator.notifications().items.isEmpty)
        #expect(simulator.counters.counts.cleared == 2)
        #expect(try register().token == phone.token)
    }

    @Test func keepsApps() {
        simulator.put(App(bundleID: "com.example.mail", team: "TEAM123456"))
        simulator.put(App(bundleID: "com.example.chat", displayName: "Chat"))
        simulator.put(App(bundleID: "com.example.chat", displayName: "Chatter", entitlements: ["aps-environment"]))
        #expect(simulator.apps().map(\.displayName) == ["Chatter", "mail"])
        #expect(simulator.deleteApp("com.example.mail", at: .at(0)))
        #expect(!simulator.deleteApp("com.example.mail", at: .at(0)))
        #expect(simulator.app("com.example.chat")?.entitlements == ["aps-environment"])
    }
}
