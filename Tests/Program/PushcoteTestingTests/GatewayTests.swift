import FoundationEssentials
import PushcoteTesting
import Testing

@Suite struct GatewayTests {
    @Test func theClockAdvances() async throws {
        let gateway = try await Pushcote.start("admin.token=secret and more")
        let phone = try await gateway.device("tablet", ["isOnline": false])
        let running = await #expect(throws: PushcoteError.self) { try await gateway.clock.advance(by: .seconds(1)) }
        #expect(running?.description.contains("stop it first") == true)
        try await gateway.clock.stop(at: "2030-01-01T09:00:00Z")
        try await gateway.clock.advance(by: .seconds(3600))
        #expect(try await gateway.call("GET", "/clock").now == "2030-01-01T10:00:00.000Z")
        try await phone.push(topic, order(7))
        try await phone.expect("state=delivered", count: .never, within: .milliseconds(500), advancingClock: true)
        try await phone.patch(["isOnline": true])
        try await phone.expect("state=delivered")
        try await gateway.clock.reset()
        #expect(try await gateway.call("GET", "/clock").mode == "real")
        try await gateway.reset(keeping: "apps")
        #expect(try await gateway.info().counts.devices == 0)
        try await gateway.stop()
    }

    @Test func gatewaysStopAndLeaveNoFiles() async throws {
        async let second = Pushcote.start()
        let gateways = [try await Pushcote.start(), try await second]
        #expect(Set(gateways.map(\.provider)).count == 2)
        for gateway in gateways {
            #expect(gateway.provider == "https://localhost:\(gateway.port)" && gateway.host == "localhost")
            #expect(gateway.clearText.hasPrefix("http://localhost:"))
            #expect(try String(contentsOfFile: gateway.authorityFile, encoding: .utf8) == gateway.authority)
            #expect(try String(contentsOfFile: gateway.keyFile, encoding: .utf8) == gateway.key)
            #expect(gateway.providerToken().split(separator: ".").count == 3)
        }
        for gateway in gateways + gateways { try await gateway.stop() }
        for gateway in gateways {
            #expect(!FileManager.default.fileExists(atPath: gateway.authorityFile))
            let stopped = await #expect(throws: PushcoteError.self) { try await gateway.info() }
            #expect(stopped?.description.hasSuffix("Is the gateway stopped?") == true)
        }
    }

    @Test func aGatewayThatDoesNotStartSaysWhy() async {
        let error = await #expect(throws: PushcoteError.self) { try await Pushcote.start("auth.mod=strict") }
        #expect(error?.description.contains("did you mean auth.mode") == true)
    }
}
