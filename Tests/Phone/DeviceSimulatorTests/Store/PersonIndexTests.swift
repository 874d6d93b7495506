import APNs
import DeviceModel
import Synchronization
import TestSupport
import Testing

@testable import DeviceSimulator

@Suite("G.7 all devices of a person are found") struct PersonIndexTests {
    @Test func areFoundAfterEveryChange() async throws {
        let simulator = DeviceSimulator(
            conditions: .owned(by: "maria"), deriveToken: DeviceSimulator.make().deriveToken)
        for name in ["Phone", "Tablet", "Watch"] { try simulator.addDevice(named: name, at: .at(0)) }
        #expect(simulator.devices(of: "maria") == ["Phone", "Tablet", "Watch"])

        try simulator.perform(.conditions(.owned(by: "john")), on: "Tablet", at: .at(1))
        try simulator.perform(.conditions(.owned(by: nil)), on: "Watch", at: .at(2))
        #expect(simulator.devices(of: "maria") == ["Phone"])
        #expect(simulator.devices(of: "john") == ["Tablet"])

        let use = TokenRequest(device: "", topic: "com.example.chat", environment: .sandbox, kind: .app)
        let fleet = Fleet(prefix: "f", uses: [use], parts: [.init(.owned(by: "john"))], assignment: [0, 1, 1])
        try await simulator.generate(fleet, at: .at(3))
        #expect(simulator.devices(of: "maria") == ["Phone", "f-000001"])
        #expect(simulator.devices(of: "john") == ["Tablet", "f-000002", "f-000003"])

        simulator.deleteDevice(named: "f-000003")
        simulator.deleteDevice(named: "Watch")
        #expect(simulator.devices(of: "john") == ["Tablet", "f-000002"])

        let copy = DeviceSimulator(deriveToken: simulator.deriveToken)
        try copy.load(simulator.snapshot())
        // A snapshot omits default conditions, so the device gets those of the simulator that loads it.
        #expect(copy.devices(of: "maria") == [])
        #expect(copy.devices(of: "john") == ["Tablet", "f-000002"])

        simulator.reset()
        #expect(simulator.devices(of: "maria") == [] && simulator.devices(of: "john") == [])
    }
}

extension DeviceSimulator {
    /// The index must agree with the devices.
    fileprivate func devices(of person: String) -> [String] {
        store.withLock { store in
            let owned = store.devices.values.filter { $0.state.conditions.value.person == person }
            #expect(owned.map(\.name).sorted() == store.people[person].devices.map(\.name))
            return store.people[person].devices.map(\.name)
        }
    }
}

extension DeviceConditions {
    fileprivate static func owned(by person: String?) -> DeviceConditions { .with { $0.person = person } }
}
