import DeviceModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DeviceSimulator

/// Memory of a device with state: 100,000 must fit in 400 MB.
@Suite(.serialized) struct DeviceMemoryTests {
    static let deviceCount = 2000
    static let byteCountPerDevice = 400_000_000 / 100_000

    /// Memory of one of many devices.
    ///
    /// The median of three measurements; nothing is freed between them.
    private func cost(of prepare: (Registration, DeviceSimulator) throws -> Void) throws -> Int {
        var costs: [Int] = []
        var simulators: [DeviceSimulator] = []
        for _ in 0..<3 {
            let before = allocatedByteCount()
            let simulator = DeviceSimulator.make()
            for number in 0..<Self.deviceCount { try prepare(simulator.registered("device-\(number)"), simulator) }
            costs.append((allocatedByteCount() - before) / Self.deviceCount)
            simulators.append(simulator)
        }
        #expect(simulators.allSatisfy { $0.counters.devices == Self.deviceCount })
        return costs.sorted()[1]
    }

    /// Conditions shared by many devices.
    private let conditions = DeviceConditions.with {
        $0.focus.modes = [FocusTests.work { $0.schedule = [FocusTests.officeHours] }]
        $0.summary.isEnabled = true
    }

    @Test func aDeviceWithSharedConditionsIsSmall() throws {
        let cost = try cost { registration, simulator in
            try simulator.perform(.conditions(conditions), on: registration.device, at: .at(0))
            simulator.push("Hello", to: registration)
        }
        print("\(cost) bytes for a device with a notification, in conditions that many share")
        #expect(cost < Self.byteCountPerDevice / 2)
    }

    @Test func aDeviceWithItsOwnConditionsIsBounded() throws {
        let cost = try cost { registration, simulator in
            var own = conditions
            own.locale = "\(registration.device)"
            try simulator.perform(.conditions(own), on: registration.device, at: .at(0))
            let settings = NotificationSettings.with { $0.scheduledDelivery = .enabled }
            try simulator.perform(.settings(settings, app: registration.topic), on: registration.device, at: .at(0))
            simulator.push("Hello", to: registration)
        }
        print("\(cost) bytes for a device with a notification, conditions and settings of its own")
        #expect(cost < Self.byteCountPerDevice)
    }

    @Test func equalConditionsAreOneObject() throws {
        let simulator = DeviceSimulator.make()
        for name in ["A", "B", "C"] {
            _ = simulator.registered(name)
            try simulator.perform(.conditions(conditions), on: name, at: .at(0))
        }
        try simulator.perform(.conditions(DeviceConditions()), on: "C", at: .at(0))
        let (one, other, plain) = simulator.store.withLock { store in
            (
                store.devices["A"]!.state.conditions, store.devices["B"]!.state.conditions,
                store.devices["C"]!.state.conditions === store.catalog.plainConditions
            )
        }
        #expect(one === other)
        #expect(plain)
    }
}
