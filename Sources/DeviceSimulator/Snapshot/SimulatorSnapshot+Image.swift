internal import APNs
internal import DeviceModel

/// A snapshot is what a journal's checkpoint holds, as a document that people can read.
extension SimulatorSnapshot {
    init(_ image: StoreImage, _ deviceImages: [DeviceImage]) {
        apps = image.header.apps
        counts = image.header.counts
        lastSequence = image.header.lastSequence
        lastDropped = image.header.lastDropped
        devices = deviceImages.map { DeviceSnapshot($0, plain: image.plainConditions) }.sorted { $0.name < $1.name }
        let states = Dictionary(uniqueKeysWithValues: deviceImages.map { (ObjectIdentifier($0.device), $0.state) })
        var circumstances = PolicyContextList()
        image.log.forEach(after: 0) { entry in
            guard let push = entry.push, let registration = entry.registration,
                let state = states[ObjectIdentifier(registration.device)],
                let place = state.inbox.index(of: entry.sequence)
            else { return true }
            notifications.append(
                NotificationSnapshot(
                    state.inbox[place], push, registration.token, state.extended[entry.sequence], &circumstances))
            return true
        }
        self.circumstances = circumstances.texts
    }
}

/// What surrounded pushes, as it is written down.
struct PolicyContextText: Codable, Hashable {
    var device: DeviceConditions
    var app: App
    var settings: NotificationSettings
    var assumptions: Assumptions

    init(_ circumstances: PolicyContext) {
        device = circumstances.device
        app = circumstances.app
        settings = circumstances.settings
        assumptions = circumstances.assumptions
    }

    var circumstances: PolicyContext {
        PolicyContext(device: device, app: app, settings: settings, assumptions: assumptions)
    }
}

/// Circumstances in the order in which notifications name them. Equal ones stand there once, so that the document does not
/// depend on which notifications share an object.
private struct PolicyContextList {
    private(set) var texts: [PolicyContextText] = []
    private var places: [PolicyContextText: Int] = [:]
    /// Most notifications share objects, which need not be compared.
    private var known: [ObjectIdentifier: Int] = [:]

    /// Where circumstances stand.
    mutating func place(of circumstances: PolicyContext) -> Int {
        if let place = known[ObjectIdentifier(circumstances)] { return place }
        let text = PolicyContextText(circumstances)
        let place = places[text] ?? texts.count
        if place == texts.count { texts.append(text) }
        places[text] = place
        known[ObjectIdentifier(circumstances)] = place
        return place
    }
}

extension SimulatorSnapshot.DeviceSnapshot {
    fileprivate init(_ image: DeviceImage, plain: Shared<DeviceConditions>) {
        let state = image.state
        // Its notifications name the circumstances.
        var details = state.details { _ in 0 }
        name = image.device.name
        createdAt = image.device.createdAt
        registrations = image.registrations.map { SimulatorSnapshot.RegistrationSnapshot($0.entry, $0.status) }
        counts = state.counts
        lastDropped = state.lastDropped
        conditions = state.conditions === plain ? nil : state.conditions.value
        apps = details.apps.isEmpty ? nil : details.apps
        eventCount = state.lastEvent
        lastEventAt = state.lastEventAt == Instant(milliseconds: .min) ? nil : state.lastEventAt
        lastLostEvent = state.lastLostDelivery
        nextDue = state.nextDue > .latestWritten ? nil : state.nextDue
        nextFocusChange = state.nextFocusChange == .never ? nil : state.nextFocusChange
        nextSummaryAt = state.nextSummaryAt
        details.apps = []
        details.extended = []
        details.collapsed.sort { ($0.app, $0.identifier) < ($1.app, $1.identifier) }
        self.details = details.isEmpty ? nil : details
    }
}

extension SimulatorSnapshot.RegistrationSnapshot {
    fileprivate init(_ entry: RegistrationEntry, _ status: RegistrationStatus) {
        self.init(
            token: entry.token, topic: entry.topic, environment: entry.environment, kind: entry.kind,
            generation: Int(entry.generation), registeredAt: entry.registeredAt, status: status)
    }
}

extension SimulatorSnapshot.NotificationSnapshot {
    fileprivate init(
        _ item: InboxEntry, _ push: Push, _ token: DeviceToken, _ extended: ExtendedPush?,
        _ circumstances: inout PolicyContextList
    ) {
        sequence = item.sequence
        self.token = token
        self.push = PushSnapshot(push, token: token)
        state = item.state
        settledAt = item.settledAt(push)
        receivedEvent = item.receivedEvent
        deliveryEvent = item.deliveryEvent == 0 ? nil : item.deliveryEvent
        decision = item.timing.map { timing in
            SimulatorSnapshot.DecisionSnapshot(
                timing: timing.name, level: item.level, presentation: item.presentation.rawValue,
                places: item.places.rawValue)
        }
        places = decision == nil && !item.places.isEmpty ? item.places.rawValue : nil
        category = item.category?.identifier
        self.circumstances = circumstances.place(of: item.circumstances)
        extensionCircumstances = extended.map { circumstances.place(of: $0.circumstances) }
        self.extension = extended?.record?.value
    }
}

extension Instant {
    /// 9999-12-31T23:59:59.999Z, the last instant whose text has a year of four digits.
    fileprivate static var latestWritten: Instant { Instant(milliseconds: 253_402_300_799_999) }
}
