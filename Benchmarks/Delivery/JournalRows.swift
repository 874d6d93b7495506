import APNs
import DeviceModel
import DeviceSimulator
import Foundation
import Journal
import Time

// The journal's cost besides writing: the next start, and pushes during a checkpoint.

/// A journal file that is deleted with its value.
final class JournalFile: Sendable {
    let path = FileManager.default.temporaryDirectory.appending(path: "pushcote-\(UUID().uuidString).sqlite")
        .path(percentEncoded: false)

    deinit {
        for suffix in ["", "-wal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }

    func keeper(_ simulator: DeviceSimulator, checkpointInterval: Int = .max) throws -> JournalKeeper {
        let keeper = JournalKeeper(
            simulator, in: try SQLiteJournal(file: path),
            settings: JournalSettings(checkpointInterval: checkpointInterval)
        ) { 0 }
        try keeper.open()
        return keeper
    }
}

/// The longest push during checkpoints of many devices, in milliseconds, the best of three attempts.
func longestWaitBesideCheckpoint(devices deviceCount: Int) throws -> Double {
    let file = JournalFile()
    let simulator = makeSimulator()
    let keeper = try file.keeper(simulator)
    let registrations = try simulator.register(devices: deviceCount)
    for (number, registration) in registrations.enumerated() {
        simulator.receive(push(UInt64(number), to: registration), for: registration)
    }
    keeper.commit()
    var best = Double.infinity
    for _ in 0..<3 {
        simulator.setMetadata(String(best), for: "attempt")
        keeper.commit()
        let pushes = (0..<200_000).map { push(UInt64($0), to: registrations[$0 &* 7919 % deviceCount]) }
        let longest = longestPush(beside: keeper.writeCheckpoint, atMost: pushes.count) { index in
            simulator.receive(pushes[index], for: registrations[index &* 7919 % deviceCount])
        }
        keeper.commit()
        best = min(best, longest)
    }
    keeper.journal.close()
    return best
}

/// Seconds of CPU time of a start with a filled journal.
///
/// - Parameter hasCheckpoint: whether the state is read from a checkpoint instead of the inputs.
func start(
    notifications count: Int, hasCheckpoint: Bool,
    _ fill: (DeviceSimulator, JournalKeeper) throws -> Void
) throws -> Double {
    let file = JournalFile()
    do {
        let simulator = makeSimulator(perDevice: max(1, count), total: max(1, count))
        let keeper = try file.keeper(simulator)
        try fill(simulator, keeper)
        keeper.commit()
        if hasCheckpoint { keeper.writeCheckpoint() }
        keeper.journal.close()
    }
    let simulator = makeSimulator(perDevice: max(1, count), total: max(1, count))
    let began = processorTime()
    let keeper = try file.keeper(simulator)
    let time = Double(processorTime() - began) / 1e9
    guard simulator.counters.notifications == count else { fatalError("the journal holds everything") }
    keeper.journal.close()
    return time
}

func fill(_ simulator: DeviceSimulator, _ keeper: JournalKeeper, notifications: Int, devices: Int) throws {
    let registrations = try simulator.register(devices: devices)
    for number in 0..<notifications {
        let registration = registrations[number % devices]
        // Lock and unlock now and then, so that pushes arrive in varying policy contexts.
        if number % 20 == 0 {
            try simulator.perform(number % 40 == 0 ? .unlock : .lock, on: registration.device, at: now)
            keeper.commit()
        }
        simulator.receive(push(UInt64(number), to: registration), for: registration)
    }
}

func fillWithChanges(_ simulator: DeviceSimulator, devices: Int) throws {
    for number in 0..<devices {
        let device = try simulator.register("phone-\(number)").device
        var conditions = DeviceConditions()
        var focus = Focus()
        focus.id = "focus-\(number)"
        conditions.focus.modes = [focus]
        try simulator.perform(.conditions(conditions), on: device, at: now)
        var settings = NotificationSettings()
        settings.sound = .disabled
        try simulator.perform(.settings(settings, app: exampleApp), on: device, at: now)
    }
}
