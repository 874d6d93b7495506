internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import JSON

extension JSONValue {
    init(_ device: DeviceSummary) {
        self = [
            "name": .string(device.name),
            "createdAt": .time(device.createdAt),
            "registrations": .array(device.registrations.map { JSONValue($0) }),
            "notificationCount": .integer(device.inboxCount),
            "storedCount": .integer(device.storedCount),
            "droppedCount": .integer(device.counts.dropped),
            "eventCount": .integer(device.eventCount),
            "counts": JSONValue(device.counts),
        ]
    }

    /// An app as a device knows it: the settings, and what happened to it there.
    init(_ app: AppOnDevice) {
        self = app.settings.json.adding([
            "badgeCount": .integer(app.badge),
            "prompt": app.prompt.map { .string($0.rawValue) },
            "isTerminated": .bool(app.isTerminated),
            "categories": app.hasOwnCategories ? .array(app.app.categories.map { $0.json }) : nil,
        ])
    }

    init(_ registration: Registration) {
        let since: Instant? =
            switch registration.status {
            case .active: nil
            case .unregistered(let since), .expired(let since): since
            }
        self = [
            "token": .string(registration.token.hex),
            "device": .string(registration.device),
            "topic": .string(registration.topic),
            "environment": .string(registration.environment.rawValue),
            "kind": .string(registration.kind.rawValue),
            "status": .string(RegistrationWord(registration.status).rawValue),
            "since": since.map { .time($0) },
            "registeredAt": .time(registration.registeredAt),
        ]
    }

    init(_ counts: DeliveryCounts) {
        self = [
            "received": .integer(counts.received), "delivered": .integer(counts.delivered),
            "discarded": .integer(counts.discarded), "dropped": .integer(counts.dropped),
            "cleared": .integer(counts.cleared),
        ]
    }
}
