import APNs
import DeviceModel
import DeviceSimulator
import Foundation
import JSON
import LiveModel
import SiriModel
import Synchronization
import Time

// What a push waits for while another device, or a person, has much to do.

let now = Instant(milliseconds: 1_795_000_000_000)
let exampleApp = "com.example.app"

/// The longest push while a second thread works, in milliseconds.
///
/// A wait for the processor does not count, so that other programs may run: this thread's is subtracted, and while the other
/// thread is without it, the process takes no CPU. The lock itself is fair: it is handed to the thread that waits.
func longestPush(
    beside work: @escaping @Sendable () -> Void, atMost limit: Int = .max, _ push: (_ index: Int) -> Void
) -> Double {
    let isDone = Atomic<Bool>(false)
    let thread = Thread {
        work()
        isDone.store(true, ordering: .releasing)
    }
    thread.start()
    let statistics = open("/proc/thread-self/schedstat", O_RDONLY)
    defer { close(statistics) }
    var (longest, index) = (Duration.zero, 0)
    while !isDone.load(ordering: .acquiring), index < limit {
        let delay = processorDelay(statistics)
        let (start, began) = (ContinuousClock.now, processorTime())
        push(index)
        let wait = min(ContinuousClock.now - start, .nanoseconds(processorTime() - began))
        longest = max(longest, wait - .nanoseconds(processorDelay(statistics) - delay))
        index += 1
    }
    while !isDone.load(ordering: .acquiring) { Thread.sleep(forTimeInterval: 0.01) }
    return longest / .milliseconds(1)
}

/// How long a thread was ready and had no processor, in nanoseconds: the second number of its `schedstat`.
private func processorDelay(_ statistics: Int32) -> UInt64 {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
        text.initialize(repeating: 0)
        pread(statistics, text.baseAddress, text.count - 1, 0)
        var rest = text.baseAddress
        _ = strtoull(text.baseAddress!, &rest, 10)
        return rest.map { UInt64(strtoull($0, nil, 10)) } ?? 0
    }
}

/// How long a piece of work keeps pushes waiting, in milliseconds.
enum LockMeasure {
    /// The longest push to another device meanwhile.
    case push
    /// The longest step of the work, in CPU, whatever else the machine does. Nearly all of a step holds the lock.
    case hold
}

/// Takes a step, and returns what it returns.
typealias LockStep = (() -> Bool) -> Bool

/// The best of three attempts.
private func longest(
    _ measure: LockMeasure, beside work: @escaping @Sendable (DeviceSimulator, LockStep) -> Void,
    in make: () throws -> DeviceSimulator
) throws -> Double {
    guard measure == .hold else { return try longestWait(beside: { work($0) { $0() } }, in: make) }
    return try (0..<3).map { _ in
        var longest: UInt64 = 0
        work(try make()) { step in
            let began = processorTime()
            defer { longest = max(longest, processorTime() - began) }
            return step()
        }
        return Double(longest) / 1_000_000
    }.min() ?? 0
}

/// The best of three attempts, with pushes to a device of their own.
func longestWait(
    beside work: @escaping @Sendable (DeviceSimulator) -> Void, in make: () throws -> DeviceSimulator
) throws -> Double {
    var best = Double.infinity
    for _ in 0..<3 {
        let simulator = try make()
        let registration = try simulator.register("victim")
        let pushes = (0..<1000).map { push(UInt64($0), to: registration) }
        let longest = longestPush(beside: { work(simulator) }) { index in
            simulator.receive(pushes[index % pushes.count], for: registration)
        }
        best = min(best, longest)
    }
    return best
}

/// One device of a person learns of a reservation.
func longestByReservation(_ measure: LockMeasure, devices count: Int) throws -> Double {
    var table = Reservation(.restaurant)
    table.itemReference = SpokenReference(id: "R1", spoken: "Table")
    table.status = .confirmed
    table.duration = LocalTimeRange()
    table.duration?.start = LocalTime(now.advanced(by: 5 * .day), in: "Asia/Tokyo")
    var donation = ReservationDonation()
    donation.reservations = [table]
    let input = DeviceInput.calendar(.markup(donation, .mail))
    return try longest(measure) { simulator, step in
        _ = step { (try? simulator.perform(input, on: "phone-0", at: now)) != nil }
        while step({ simulator.shareReservations() }) {}
    } in: {
        let simulator = makeSimulator()
        var conditions = DeviceConditions()
        conditions.person = "maria"
        for number in 0..<count {
            try simulator.addDevice(named: "phone-\(number)", at: now)
            try simulator.perform(.conditions(conditions), on: "phone-\(number)", at: now)
        }
        return simulator
    }
}

/// Twenty local notifications repeat every minute.
func longestByTimers(_ measure: LockMeasure, days: Int64) throws -> Double {
    try longest(measure) { simulator, step in
        while !step({ simulator.advanceOneStep(to: now.advanced(by: days * .day)) }) {}
    } in: {
        let simulator = makeSimulator()
        try simulator.addDevice(named: "phone", at: now)
        for number in 0..<20 {
            var request = LocalRequest()
            (request.app, request.identifier) = (exampleApp, "\(number)")
            request.content.body = "Tea"
            request.trigger = .interval(milliseconds: 60_000, repeats: true)
            try simulator.perform(.local(.add(request)), on: "phone", at: now)
        }
        return simulator
    }
}

/// A device with 1,000 donations of 100 actions is used, and its suggestions are read.
func longestByDonations(_ measure: LockMeasure) throws -> Double {
    try longest(measure) { simulator, step in
        for minute in 0..<200 {
            let at = now.advanced(by: 10 * .day + Int64(minute) * .minute)
            let act = minute % 2 == 0 ? DeviceAct.lock : .unlock
            _ = step { (try? simulator.perform(act, on: "phone", at: at)) != nil }
            _ = simulator.withSiri(of: "phone", at: at) { SuggestionScene($0, $1).predictions.count }
        }
    } in: {
        let simulator = makeSimulator()
        try simulator.addDevice(named: "phone", at: now)
        for count in 0..<1000 {
            let intent: JSONValue = [
                "class": .string("INSendMessageIntent"), "conversationIdentifier": .string("chat-\(count % 100)"),
            ]
            let donation = Donation(identifier: "\(count)", direction: .outgoing, intent: intent)
            let at = now.advanced(by: Int64(count / 100) * .day + Int64(count % 100) * 600_000)
            try simulator.perform(.donation(.donate(donation), app: exampleApp, .foreground), on: "phone", at: at)
        }
        return simulator
    }
}

/// Each device shows a summary of 100 notifications.
func longestBySummaries(_ measure: LockMeasure, devices count: Int) throws -> Double {
    try longest(measure) { simulator, step in
        while !step({ simulator.advanceOneStep(to: now.advanced(by: .day)) }) {}
    } in: {
        let simulator = makeSimulator()
        var summarized = App(bundleID: exampleApp)
        summarized.settings.scheduledDelivery = .enabled
        simulator.put(summarized)
        var conditions = DeviceConditions()
        conditions.summary.isEnabled = true
        for registration in try simulator.register(devices: count) {
            try simulator.perform(.conditions(conditions), on: registration.device, at: now)
            for count in 0..<100 {
                simulator.receive(push(UInt64(count), to: registration), for: registration)
            }
        }
        return simulator
    }
}

/// All devices start over, each with a notification.
func holdByReset(devices count: Int) throws -> Double {
    try longest(.hold) { simulator, step in
        _ = step {
            simulator.reset(keeping: [.devices, .apps], at: now)
            return true
        }
    } in: {
        try fullSimulator(devices: count)
    }
}

/// The state of all devices, each with a notification, replaces itself, as `PUT /state` does.
func longestWaitBesideLoading(devices count: Int) throws -> Double {
    try longestWait { simulator in
        try? simulator.load(simulator.snapshot())
    } in: {
        try fullSimulator(devices: count)
    }
}

private func fullSimulator(devices count: Int) throws -> DeviceSimulator {
    let simulator = makeSimulator(total: count)
    for (number, registration) in try simulator.register(devices: count).enumerated() {
        simulator.receive(push(UInt64(number), to: registration), for: registration)
    }
    return simulator
}

/// The state is read, as `GET /state` does.
func longestWaitBesideState(notifications count: Int) throws -> Double {
    try longestWait { simulator in
        let isRead = DispatchSemaphore(value: 0)
        Task {
            try? await simulator.saveState().parts.write { _ in }
            isRead.signal()
        }
        isRead.wait()
    } in: {
        let simulator = makeSimulator(total: count)
        let registrations = try simulator.register(devices: count / 10)
        for number in 0..<count {
            let registration = registrations[number % registrations.count]
            simulator.receive(push(UInt64(number), to: registration), for: registration)
        }
        return simulator
    }
}
