internal import APNs
internal import DeviceModel

extension StoreImage {
    /// What the parts of a checkpoint consist of.
    enum ItemCode: UInt8 {
        case header = 1, device, circumstances, notification, conditions, app, settings, assumptions
    }

    private static let partByteCount = 1 << 20

    /// The image as bytes, in parts of about a megabyte.
    ///
    /// - Parameter devices: what `deviceImages(_:)` fetched.
    func parts(_ devices: [DeviceImage]) -> [[UInt8]] {
        var parts: [[UInt8]] = []
        var record = RecordWriter()
        func item(_ code: ItemCode, _ write: (inout RecordWriter) -> Void) {
            record.put(code.rawValue)
            record.putPart(write)
            guard record.bytes.count >= Self.partByteCount else { return }
            parts.append(record.bytes)
            record.bytes = []
        }
        item(.header) { $0.put(bytes: RecordCoding.json(header)) }
        var places: [ObjectIdentifier: Int] = [:]
        var table = PolicyContextTable()
        for device in devices {
            for (entry, _) in device.registrations { places[ObjectIdentifier(entry)] = places.count }
            let own = device.state.conditions === plainConditions ? nil : device.state.conditions.value
            let conditions = own.map { table.number(of: $0, item) }
            let details = device.state.details { table.number(of: $0, item) }
            item(.device) { write(device, conditions, details, to: &$0) }
        }
        let states = Dictionary(uniqueKeysWithValues: devices.map { (ObjectIdentifier($0.device), $0.state) })
        log.forEach(after: 0) { entry in
            guard let push = entry.push, let registration = entry.registration,
                let place = places[ObjectIdentifier(registration)],
                let inbox = states[ObjectIdentifier(registration.device)]?.inbox,
                let index = inbox.index(of: entry.sequence)
            else { return true }
            let notification = inbox[index]
            let circumstances = table.number(of: notification.circumstances, item)
            item(.notification) { record in
                record.put(UInt32(place))
                record.put(circumstances)
                notification.write(to: &record)
                push.write(to: &record)
            }
            return true
        }
        if !record.bytes.isEmpty { parts.append(record.bytes) }
        return parts
    }

    private func write(
        _ image: DeviceImage, _ conditions: UInt32?, _ details: DeviceDetails, to record: inout RecordWriter
    ) {
        record.put(image.device.name)
        record.put(image.device.createdAt)
        record.put(UInt32(image.registrations.count))
        for (entry, status) in image.registrations {
            record.put(entry.token)
            record.put(entry.topic)
            record.put(entry.environment == .production)
            record.put(entry.kind.rawValue)
            record.put(entry.generation)
            record.put(entry.registeredAt)
            status.write(to: &record)
        }
        let state = image.state
        for count in [
            state.counts.received, state.counts.delivered, state.counts.discarded, state.counts.dropped,
            state.counts.cleared,
        ] { record.put(Int64(count)) }
        record.put(state.lastEvent)
        record.put(state.lastEventAt)
        record.put(state.lastDropped)
        record.put(state.lastLostDelivery)
        record.put(state.nextDue)
        record.put(state.nextFocusChange)
        record.put(state.nextSummaryAt) { $0.put($1) }
        record.put(conditions) { $0.put($1) }
        record.put(details.isEmpty ? nil : details) { $0.put(bytes: RecordCoding.json($1)) }
    }
}

extension DeviceState {
    /// What of the state is worth a text.
    ///
    /// - Parameter number: The number of circumstances in the checkpoint.
    func details(_ number: (PolicyContext) -> UInt32) -> DeviceDetails {
        var details = DeviceDetails()
        details.apps = apps.map(\.saved)
        details.held = held.map { .init(notification: $0.arrival.sequence, expiresAt: $0.expiresAt.milliseconds) }
        details.extending = extending.map {
            .init(notification: $0.arrival.sequence, since: $0.since.milliseconds)
        }
        details.extended = extended.map {
            .init(notification: $0.key, circumstances: number($0.value.circumstances), record: $0.value.record?.value)
        }
        details.nextSummary = nextSummary
        details.collapsed = collapsed.map {
            .init(app: $0.key.bundleID, identifier: $0.key.identifier, notification: $0.value)
        }
        details.diary = diary.entries.map { DiaryLine($0) }
        details.diaryDropped = diary.lastDropped
        return details
    }
}

extension InboxEntry {
    fileprivate func write(to record: inout RecordWriter) {
        record.put(sequence)
        record.put(receivedEvent)
        record.put(deliveryEvent)
        record.put(presentation.rawValue)
        record.put(settleDelay)
        record.put(state.name)
        record.put(state.discardReason?.name ?? state.holdReason?.name ?? "")
        record.put(kind.rawValue)
        record.put(timing?.rawValue ?? 0)
        record.put(level.rawValue)
        record.put(places.rawValue)
        record.put(categoryNumber)
    }
}

extension RegistrationStatus {
    fileprivate func write(to record: inout RecordWriter) {
        switch self {
        case .active: record.put(UInt8(0))
        case .unregistered(let since):
            record.put(UInt8(1))
            record.put(since)
        case .expired(let since):
            record.put(UInt8(2))
            record.put(since)
        }
    }
}
