internal import APNs
internal import DeviceModel
internal import Synchronization
internal import Time

/// A store at one moment.
///
/// Taking it blocks pushes, so its cost does not depend on the number of devices: each device saves its state before
/// its next change, and `deviceImages(_:)` collects the saved states in batches.
///
/// - Note: `@unchecked Sendable`: only `deviceImages(_:)` reads mutable members of objects shared with the store, and
///   it takes the lock.
struct StoreImage: @unchecked Sendable {
    let header: CheckpointHeader
    private let devices: DeviceTable
    private let log: NotificationLog
    private let plainConditions: Shared<DeviceConditions>

    /// Begins a checkpoint.
    init(_ store: Store) {
        store.catalog.beginCheckpoint()
        self.init(beside: store)
    }

    /// Leaves a checkpoint in progress alone; do not call `deviceImages(_:)` on this image.
    fileprivate init(beside store: Store) {
        let state = SimulatorSnapshot(
            apps: store.catalog.apps.values.sorted { $0.bundleID < $1.bundleID }, lastSequence: store.lastSequence,
            counts: store.counts, lastDropped: store.lastDropped, channels: store.catalog.channels.image,
            shares: store.shares.isEmpty ? nil : store.shares)
        header = CheckpointHeader(
            state: state, limits: store.limits, assumptions: store.catalog.assumptions, metadata: store.metadata)
        devices = store.devices
        log = store.log
        plainConditions = store.catalog.plainConditions
    }

    /// A batch blocks pushes for some tens of microseconds.
    private static let batchCount = 64

    /// The devices as of this image. Call it exactly once, before the next image is taken.
    ///
    /// - Parameter store: the store, or the one that replaced it.
    func deviceImages(_ store: borrowing Mutex<Store>) -> [DeviceImage] {
        let devices = Array(devices.values)
        var images: [DeviceImage] = []
        images.reserveCapacity(devices.count)
        for start in stride(from: 0, to: devices.count, by: Self.batchCount) {
            let batch = devices[start..<min(start + Self.batchCount, devices.count)]
            images += store.withLock { _ in batch.map { $0.takeImage() } }
        }
        return images
    }

    /// - Parameter devices: the result of `deviceImages(_:)`.
    func forEachPiece(_ devices: [DeviceImage], _ body: (SnapshotPiece) -> Void) {
        for device in devices { body(.device(.init(device, plain: plainConditions))) }
        let images = Dictionary(uniqueKeysWithValues: devices.map { (ObjectIdentifier($0.device), $0) })
        var contexts = PolicyContextIndex()
        log.forEach(after: 0) { entry in
            guard let push = entry.push, let registration = entry.registration,
                let image = images[ObjectIdentifier(registration.device)],
                let place = image.state.inbox.index(of: entry.sequence)
            else { return true }
            let notification = SimulatorSnapshot.NotificationSnapshot(
                image.state.inbox[place], push, registration, image.state.extended[entry.sequence]
            ) { context in
                contexts.place(of: context) { body(.context($0)) }
            }
            body(.notification(notification))
            return true
        }
    }

    func parts(_ devices: [DeviceImage]) -> [[UInt8]] {
        var writer = CheckpointWriter(header)
        forEachPiece(devices) { writer.add($0) }
        writer.finish()
        return writer.parts
    }
}

/// A device at one moment.
/// `@unchecked Sendable`: only immutable members of `device` are read; everything else is a copy.
final class DeviceImage: @unchecked Sendable {
    let device: Device
    let registrations: [(entry: RegistrationEntry, status: RegistrationStatus, issuedEvent: UInt64)]
    let state: DeviceState

    init(_ device: Device) {
        self.device = device
        registrations = device.registrations.map { ($0, $0.status, $0.issuedEvent) }
        state = device.state
    }
}

/// Numbers distinct policy contexts in the order of their first use.
private struct PolicyContextIndex {
    private var places: [PolicyInputs: Int] = [:]
    /// Most notifications share context objects; this avoids comparing their values.
    private var known: [ObjectIdentifier: Int] = [:]

    mutating func place(of context: PolicyContext, add: (PolicyInputs) -> Void) -> Int {
        if let place = known[ObjectIdentifier(context)] { return place }
        let text = PolicyInputs(context)
        let next = places.count
        let place = places[text] ?? next
        if place == next {
            places[text] = place
            add(text)
        }
        known[ObjectIdentifier(context)] = place
        return place
    }
}

extension DeviceSimulator {
    package func snapshot() -> SimulatorSnapshot { snapshot { _ in }.state }

    /// - Parameter body: Called under the lock, at the moment of the snapshot.
    func snapshot<Result: Sendable>(_ body: (inout Store) -> Result) -> (state: SimulatorSnapshot, result: Result) {
        // Copying under the lock is cheap: states are shared until they change. A checkpoint in progress continues.
        let (image, devices, result) = store.withLock { store in
            let images = (StoreImage(beside: store), store.devices.values.map { DeviceImage($0) })
            return (images.0, images.1, body(&store))
        }
        return (SimulatorSnapshot(image, devices), result)
    }
}

extension SimulatorSnapshot {
    fileprivate init(_ image: StoreImage, _ deviceImages: [DeviceImage]) {
        self = image.header.state
        image.forEachPiece(deviceImages) { piece in
            switch piece {
            case .device(let device): devices.append(device)
            case .context(let context): circumstances.append(context)
            case .notification(let notification): notifications.append(notification)
            }
        }
        devices.sort { $0.name < $1.name }
    }
}

extension SimulatorSnapshot.DeviceSnapshot {
    fileprivate init(_ image: DeviceImage, plain: Shared<DeviceConditions>) {
        let state = image.state
        self.init(
            name: image.device.name, createdAt: image.device.createdAt,
            registrations: image.registrations.map { .init($0.entry, $0.status, $0.issuedEvent) }, counts: state.counts,
            lastDropped: state.lastDropped, conditions: state.conditions === plain ? nil : state.conditions,
            apps: state.apps.isEmpty ? nil : state.apps, eventCount: state.lastEvent,
            lastEventAt: state.lastEventAt == Instant(milliseconds: .min) ? nil : state.lastEventAt,
            lastLostEvent: state.lastLostDelivery, nextDue: state.nextDue > .latestWritten ? nil : state.nextDue,
            nextFocusChange: state.nextFocusChange == .never ? nil : state.nextFocusChange,
            nextSummaryAt: state.nextSummaryAt, details: DeviceDetails(state))
    }
}

extension SimulatorSnapshot.RegistrationSnapshot {
    fileprivate init(_ entry: RegistrationEntry, _ status: RegistrationStatus, _ issuedEvent: UInt64) {
        self.init(
            token: entry.token, topic: entry.topic, environment: entry.environment, kind: entry.kind,
            generation: Int(entry.generation), registeredAt: entry.registeredAt, status: status,
            subject: entry.subject, issuedEvent: issuedEvent == 0 ? nil : issuedEvent)
    }
}

extension SimulatorSnapshot.NotificationSnapshot {
    fileprivate init(
        _ item: InboxEntry, _ push: Push, _ registration: RegistrationEntry, _ extended: ExtendedPush?,
        place: (PolicyContext) -> Int
    ) {
        let token = push.isLocal ? nil : registration.token
        self.init(
            sequence: item.sequence, token: token, device: push.isLocal ? registration.device.name : nil,
            push: .push(push, token), state: item.state,
            settledAt: item.settledAt(push), receivedEvent: item.receivedEvent, deliveryEvent: item.deliveryEvent,
            timing: item.timing, level: item.level, presentation: item.presentation, places: item.places,
            category: item.category?.identifier, circumstances: place(item.context),
            extensionCircumstances: extended.map { place($0.context) }, extension: extended?.record?.value)
    }
}

extension Instant {
    /// 9999-12-31T23:59:59.999Z, the last instant whose text has a four-digit year.
    fileprivate static var latestWritten: Instant { Instant(milliseconds: 253_402_300_799_999) }
}
