import APNs
import DeviceModel
import DeviceSimulator
import Foundation
import Memory
import RequestWire
import Time

// The cost of delivery without a network: reading the payload, deciding, recording.
// `make bench` runs this and prints the rows; each line is a JSON object.

/// In nanoseconds, for the whole process.
func processorTime() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

func residentByteCount() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/statm", encoding: .ascii)) ?? ""
    let pages = status.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * sysconf(Int32(_SC_PAGESIZE))
}

func makeSimulator(perDevice: Int = 100, total: Int = 400_000) -> DeviceSimulator {
    DeviceSimulator(limits: InboxLimits(perDevice: perDevice, total: total)) { request in
        let seed = [
            request.device, request.topic, request.environment.rawValue, request.kind.rawValue, "\(request.generation)",
        ]
        // FNV-1a, continued for each byte of the token.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func mix(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        for byte in seed.joined(separator: "\0").utf8 { mix(byte) }
        let bytes = (0..<request.byteCount).map { index in
            mix(UInt8(truncatingIfNeeded: index))
            return UInt8(truncatingIfNeeded: hash >> 32)
        }
        return DeviceToken(bytes: bytes)!
    }
}

/// 207 bytes, a typical alert; every row uses it.
let payload = Array(
    (#"{"aps":{"alert":{"title":"Order 4711","body":"Your parcel has left our warehouse and is on its way to you. Your "#
        + #"parcel has left our warehou"},"sound":"default","thread-id":"orders","badge":3},"order":"4711"}"#).utf8)

func push(_ number: UInt64, to registration: Registration) -> Push {
    let fields = [
        (":method", "POST"), (":scheme", "https"), (":path", "/3/device/\(registration.token.hex)"),
        ("apns-topic", registration.topic), ("apns-push-type", "alert"),
    ]
    let request = RequestBlock(fields: fields.map { ($0, $1) }, body: payload)
    return Push.make(
        request, token: registration.token,
        PushFacts(
            apnsID: APNsID(high: 0, low: number), uniqueID: APNsID(high: 1, low: number), environment: .sandbox,
            pushType: .alert, priority: .immediate, expiration: .unspecified, receivedAt: now, connection: 1))
}

/// Nanoseconds per delivered alert; building the pushes is not timed.
func delivery(count: Int, prepare: (DeviceSimulator, [Registration]) throws -> Void) throws -> Double {
    let simulator = makeSimulator()
    let registrations = try simulator.register(devices: 1000)
    try prepare(simulator, registrations)
    var best = Double.infinity
    for _ in 0..<5 {
        let pushes = (0..<count).map { push(UInt64($0), to: registrations[$0 % registrations.count]) }
        let began = processorTime()
        for (index, push) in pushes.enumerated() {
            simulator.receive(push, for: registrations[index % registrations.count])
        }
        best = min(best, Double(processorTime() - began) / Double(count))
    }
    return best
}

extension DeviceSimulator {
    func register(_ device: String) throws -> Registration {
        try register(device: device, topic: exampleApp, environment: .sandbox, kind: .app, at: now)
    }

    func register(devices count: Int) throws -> [Registration] { try (0..<count).map { try register("phone-\($0)") } }

    func receive(_ push: Push, for registration: Registration) {
        _ = try? accept(push, for: registration, PayloadDigest(push.payload.span.bytes))
    }
}

func row(_ name: String, _ value: Double, _ unit: String) {
    print(#"{"row":"\#(name)","value":\#((value * 10).rounded() / 10),"unit":"\#(unit)"}"#)
}

// As the program does.
FreedMemory.mergeAtOnce()

func lockRows(_ measure: LockMeasure, _ name: String) throws {
    row(
        "\(name) a reservation of a person with 100,000 devices",
        try longestByReservation(measure, devices: 100_000), "ms")
    row("\(name) 20 repeating timers over 180 days", try longestByTimers(measure, days: 180), "ms")
    row("\(name) a device with 1,000 donations", try longestByDonations(measure), "ms")
    row("\(name) summaries of 1,000 devices", try longestBySummaries(measure, devices: 1000), "ms")
}

// On any core, beside anything else.
if CommandLine.arguments.contains("holds") {
    try lockRows(.hold, "longest hold, in CPU, by")
    exit(0)
}

// Without a bar.
if CommandLine.arguments.contains("reset") {
    row("longest hold, in CPU, by a reset that keeps 100,000 devices", try holdByReset(devices: 100_000), "ms")
    exit(0)
}

// Two threads run concurrently, so `make bench` runs this row on all cores and the others on one.
if CommandLine.arguments.contains("checkpoint") {
    row("longest push beside a checkpoint of 100,000 devices", try longestWaitBesideCheckpoint(devices: 100_000), "ms")
    row("longest push beside a broadcast to 100,000 devices", try longestWaitBesideBroadcast(devices: 100_000), "ms")
    try lockRows(.push, "longest push beside")
    row("longest push beside the loading of 100,000 devices", try longestWaitBesideLoading(devices: 100_000), "ms")
    row(
        "longest push beside the reading of 200,000 notifications", try longestWaitBesideState(notifications: 200_000),
        "ms")
    exit(0)
}

func broadcastRows() throws {
    row("broadcast to 100,000 subscribed devices, for each", try broadcastCost(devices: 100_000), "ns of CPU")
    let audience = try Audience(devices: 100_000)
    let updates = try (0..<5).map { _ in try longestBatch(of: audience, "update") }
    row("longest batch of a broadcast to 100,000 devices", updates.min() ?? 0, "µs of CPU")
    row("longest batch of one that ends their activities", try longestBatch(of: audience, "end"), "µs of CPU")
}

if CommandLine.arguments.contains("broadcast") {
    try broadcastRows()
    exit(0)
}

try row("suggestions of a device, 100,000 donations on 1,000", suggestionCost(), "µs of CPU")
row("picture of a phone with ten cards", pictureCost(), "µs of CPU")
row("alert to a locked device", try delivery(count: 50_000) { _, _ in }, "ns")
row(
    "alert to a device in a Focus of its own",
    try delivery(count: 50_000) { simulator, registrations in
        for registration in registrations {
            var conditions = DeviceConditions()
            var focus = Focus()
            focus.id = "work"
            focus.apps.ids = ["com.example.other"]
            conditions.focus.modes = [focus]
            conditions.focus.active = "work"
            try simulator.perform(.conditions(conditions), on: registration.device, at: Instant(milliseconds: 0))
        }
    }, "ns")

try broadcastRows()

let before = residentByteCount()
let crowd = makeSimulator()
var conditions = DeviceConditions()
conditions.isLocked = false
conditions.isScreenOn = true
for number in 0..<100_000 {
    let registration = try crowd.register("phone-\(number)")
    conditions.locale = number % 2 == 0 ? "en_US" : "ja_JP"
    try crowd.perform(.conditions(conditions), on: registration.device, at: now)
    crowd.receive(push(UInt64(number), to: registration), for: registration)
}
row("100,000 devices with state and a notification each", Double(residentByteCount() - before) / 1_000_000, "MB")
withExtendedLifetime(crowd) {}

for (name, hasCheckpoint) in [("its inputs", false), ("a checkpoint", true)] {
    let small = try start(notifications: 12_800, hasCheckpoint: hasCheckpoint) { simulator, keeper in
        try fill(simulator, keeper, notifications: 12_800, devices: 1280)
    }
    row("start with 12,800 notifications from \(name)", small * 1000, "ms of CPU")
    let changed = try start(notifications: 0, hasCheckpoint: hasCheckpoint) { simulator, _ in
        try fillWithChanges(simulator, devices: 12_800)
    }
    row("start with 12,800 devices of their own conditions from \(name)", changed * 1000, "ms of CPU")
    let large = try start(notifications: 1_000_000, hasCheckpoint: hasCheckpoint) { simulator, keeper in
        try fill(simulator, keeper, notifications: 1_000_000, devices: 100_000)
    }
    row("start with 1,000,000 notifications from \(name)", large, "s of CPU")
}
