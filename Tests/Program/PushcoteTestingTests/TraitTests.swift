import PushcoteTesting
import Synchronization
import Testing

/// The gateways and devices of tests, by suite.
private let given = Mutex<[String: (gateways: Set<String>, devices: [String])]>([:])

/// Returns the test's gateway and device, and checks that the gateway belongs to the suite and the device to the test.
private func check(_ suite: String) async throws {
    let (gateway, device) = (try Pushcote.current, try phone)
    let (own, others, devices) = given.withLock { given in
        given[suite, default: ([], [])].gateways.insert(gateway.admin)
        given[suite, default: ([], [])].devices.append(device.name)
        let others = given.filter { $0.key != suite }.values.reduce(into: Set()) { $0.formUnion($1.gateways) }
        return (given[suite]?.gateways, others, given[suite]?.devices ?? [])
    }
    #expect(own == [gateway.admin])
    #expect(!others.contains(gateway.admin))
    #expect(Set(devices).count == devices.count)
    try await device.push(topic, order(7))
    #expect(try await device.notifications().count == 1)
}

@Suite(.pushcote) struct TraitTests {
    @Test(arguments: 1...4) func eachCaseHasADevice(_: Int) async throws { try await check("TraitTests") }

    @Test func theDeviceHasTheTestsName() throws {
        #expect(try phone.name.hasPrefix("theDeviceHasTheTestsName-"))
    }

    @Suite struct Inner { @Test func innerSuitesShareTheGateway() async throws { try await check("TraitTests") } }

    @Suite(.pushcote("auth.mode=strict", "admin.token=secret and more")) struct Strict {
        @Test(arguments: 1...2) func anInnerSuiteWithOtherSettingsHasItsOwnGateway(_: Int) async throws {
            try await check("Strict")
        }
    }
}

/// Runs in parallel with `TraitTests`.
@Suite(.pushcote) struct OtherTraitTests {
    @Test(arguments: 1...4) func anotherSuiteHasAnotherGateway(_: Int) async throws {
        try await check("OtherTraitTests")
    }
}

@Test(.pushcote) func aTestAloneHasItsOwnGateway() async throws { try await check("alone") }

@Test func withoutTheTraitAMessageNamesTheRemedy() throws {
    let error = #expect(throws: PushcoteError.self) { try phone }
    #expect(error?.description == "This test has no device: add the trait .pushcote to it or to its suite.")
}
