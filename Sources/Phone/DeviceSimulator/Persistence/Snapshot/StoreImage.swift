internal import APNs
internal import DeviceModel
internal import Synchronization
internal import Time

/// A store at one moment.
///
/// Taking it blocks pushes, so its cost does not depend on the number of devices: each device saves its state before
/// its next change, and `collect(_:)` gathers the saved states in batches. A device saves itself for one image at a
/// time, so the next image waits until this one is collected (`DeviceSimulator.takeImage(_:)`).
///
/// - Note: `@unchecked Sendable`: only `collect(_:)` reads mutable members of objects shared with the store, and it
///   takes the lock.
final class StoreImage: @unchecked Sendable {
    let header: CheckpointHeader
    private let deviceTable: DeviceTable
    private let log: NotificationLog
    private let plainConditions: Shared<DeviceConditions>
    private let collected = Mutex<CollectedDevices?>(nil)

    /// nil while another image is not collected.
    init?(_ store: inout SimulatorState) {
        guard store.openImage == nil else { return nil }
        store.checkpoints.begin()
        let state = SimulatorSnapshot(
            apps: store.catalog.apps.values.sorted { $0.bundleID < $1.bundleID }, lastSequence: store.lastSequence,
            counts: store.counts, lastDropped: store.lastDropped, formerPushes: store.formerPushes,
            channels: store.channels.image, shares: store.shares.isEmpty ? nil : store.shares)
        header = CheckpointHeader(
            state: state, limits: store.limits, assumptions: store.catalog.assumptions, metadata: store.metadata,
            generation: store.generation)
        deviceTable = store.devices
        log = store.log
        plainConditions = store.catalog.plainConditions
        store.openImage = self
    }

    /// A batch blocks pushes for some tens of microseconds.
    static let batchCount = 64

    /// The devices as of this image.
    ///
    /// - Parameter store: the store, or the one that replaced it.
    @discardableResult
    func collect(_ store: borrowing Mutex<SimulatorState>) -> CollectedDevices {
        collected.withLock { collected in
            if let collected { return collected }
            let devices = Array(deviceTable.values)
            var images: [DeviceImage] = []
            images.reserveCapacity(devices.count)
            for start in stride(from: 0, to: devices.count, by: Self.batchCount) {
                let batch = devices[start..<min(start + Self.batchCount, devices.count)]
                images += store.withLock { _ in batch.map { $0.takeImage() } }
            }
            store.withLock { if $0.openImage === self { $0.openImage = nil } }
            let all = CollectedDevices(images)
            collected = all
            return all
        }
    }

    func snapshot(of device: DeviceImage) -> SimulatorSnapshot.DeviceSnapshot { .init(device, plain: plainConditions) }

    /// Visits the notifications after a sequence number, oldest first, until the body returns false.
    func forEachNotification(
        of devices: CollectedDevices, after sequence: UInt64, _ body: (NotificationImage) throws -> Bool
    ) rethrows {
        try log.forEach(after: sequence) { entry in
            guard let push = entry.push, let registration = entry.registration,
                let image = devices[registration.device], let place = image.state.inbox.index(of: entry.sequence)
            else { return true }
            return try body(
                NotificationImage(
                    item: image.state.inbox[place], push: push, registration: registration,
                    extended: image.state.extended[entry.sequence]))
        }
    }

    func forEachPiece(_ devices: CollectedDevices, _ body: (SnapshotPiece) -> Void) {
        for device in devices.images { body(.device(snapshot(of: device))) }
        var contexts = PolicyContextIndex()
        forEachNotification(of: devices, after: 0) { notification in
            body(.notification(.init(notification) { contexts.place(of: $0) { body(.context($0)) } }))
            return true
        }
    }

    func parts(_ store: borrowing Mutex<SimulatorState>) -> [[UInt8]] {
        var writer = CheckpointWriter(header)
        forEachPiece(collect(store)) { writer.add($0) }
        writer.finish()
        return writer.parts
    }
}

struct CollectedDevices: Sendable {
    let images: [DeviceImage]
    private let places: [ObjectIdentifier: Int]

    init(_ images: [DeviceImage]) {
        self.images = images
        places = Dictionary(uniqueKeysWithValues: images.indices.map { (ObjectIdentifier(images[$0].device), $0) })
    }

    subscript(device: Device) -> DeviceImage? { places[ObjectIdentifier(device)].map { images[$0] } }
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

/// A notification at one moment.
struct NotificationImage {
    let item: InboxEntry
    let push: Push
    let registration: RegistrationEntry
    let extended: ExtendedPush?
}

/// Numbers distinct policy contexts in the order of their first use.
struct PolicyContextIndex {
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
    func snapshot<Result: Sendable>(_ body: (inout SimulatorState) -> Result) -> (
        state: SimulatorSnapshot, result: Result
    ) {
        let (image, result) = takeImage(body)
        return (SimulatorSnapshot(image, image.collect(store)), result)
    }

    /// Collects another image first if one is open.
    /// - Parameter body: Called under the lock, at the moment of the image.
    func takeImage<Result: Sendable>(_ body: (inout SimulatorState) -> Result) -> (image: StoreImage, result: Result) {
        while true {
            let (image, result) = store.withLock { store in
                guard let image = StoreImage(&store) else { return (store.openImage, nil as Result?) }
                return (image, body(&store))
            }
            if let image, let result { return (image, result) }
            image?.collect(store)
        }
    }
}

extension SimulatorSnapshot {
    fileprivate init(_ image: StoreImage, _ collected: CollectedDevices) {
        self = image.header.state
        image.forEachPiece(collected) { piece in
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
            nextFocusChange: state.focus.nextChange == .never ? nil : state.focus.nextChange,
            nextSummaryAt: state.summary.dueAt, details: DeviceDetails(state).map { Shared($0) })
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
    /// - Parameter place: Numbers a policy context.
    init(_ image: NotificationImage, place: (PolicyContext) -> Int) {
        let (item, push, registration) = (image.item, image.push, image.registration)
        let token = push.isLocal ? nil : registration.token
        self.init(
            sequence: item.sequence, token: token, device: push.isLocal ? registration.device.name : nil,
            push: .push(push, token), state: item.state,
            settledAt: item.settledAt(push), receivedEvent: item.receivedEvent, deliveryEvent: item.deliveryEvent,
            timing: item.timing, level: item.level, presentation: item.presentation, places: item.places,
            category: item.category?.identifier, circumstances: place(item.context),
            extensionCircumstances: image.extended.map { place($0.context) }, extension: image.extended?.record)
    }
}

extension Instant {
    /// 9999-12-31T23:59:59.999Z, the last instant whose text has a four-digit year.
    fileprivate static var latestWritten: Instant { Instant(milliseconds: 253_402_300_799_999) }
}
