internal import APNs
internal import LiveModel
internal import SiriModel
internal import Time

package enum SnapshotError: Error, Sendable, Hashable {
    /// A unique name or token occurs twice.
    case duplicate(String)
    /// A number, which the text names, is negative or could overflow.
    case badNumber(String)
    /// A notification lacks its token or policy context, is out of order, or has a damaged request.
    case badNotification(sequence: UInt64)
    /// A push pending for the device or a service extension is not a notification of the snapshot.
    case badDevice(String)

    package var message: String {
        switch self {
        case .duplicate(let name): "duplicate \"\(name)\""
        case .badNumber(let name): "\(name) is not a number from 0 to \(SimulatorSnapshot.largestNumber)"
        case .badNotification(let sequence):
            "notification \(sequence) has no registration, is out of order, or its request is damaged"
        case .badDevice(let name):
            "a push that waits for \"\(name)\" is not among the notifications, or lacks its extensionCircumstances"
        }
    }
}

extension SimulatorSnapshot {
    /// The largest integer that every JSON reader reads exactly (RFC 8259 §6).
    fileprivate static let largestNumber = 1 << 53

    /// Rejects numbers that could overflow when the simulator adds to them.
    func checkNumbers() throws(SnapshotError) {
        try counts.check(of: "the state")
        try Self.check(lastSequence, "lastSequence")
        try Self.check(formerPushes?.last ?? 0, "formerPushes")
        for share in shares ?? [] {
            try Self.check(share.at.milliseconds, "the time of shared reservations")
            for item in share.items { try Self.check(item.version, "version of a shared reservation") }
        }
        for notification in notifications {
            try Self.check(notification.sequence, "a notification's sequence")
            try Self.check(notification.receivedEvent, "receivedEvent of notification \(notification.sequence)")
            try Self.check(notification.deliveryEvent, "deliveryEvent of notification \(notification.sequence)")
        }
        try checkChannels()
        for device in devices {
            try device.counts.check(of: device.name)
            try Self.check(device.eventCount, "eventCount of \(device.name)")
            try Self.check(device.lastLostEvent, "lastLostEvent of \(device.name)")
            for registration in device.registrations {
                try Self.check(registration.issuedEvent ?? 0, "issuedEvent of a token of \(device.name)")
                try Self.check(registration.generation, "generation of a token of \(device.name)")
            }
            try device.details?.value.checkNumbers(of: device.name)
            for app in device.apps ?? [] {
                try Self.check(app.complicationCount ?? 0, "complicationCount of \(app.bundleID) on \(device.name)")
            }
        }
    }

    private func checkChannels() throws(SnapshotError) {
        guard let channels else { return }
        try Self.check(channels.lastBroadcast, "lastBroadcast")
        for pending in channels.pending { try Self.check(pending.message.number, "a broadcast's number") }
        for channel in channels.channels + channels.deleted {
            try Self.check(channel.published, "published of \(channel.key.id)")
            try Self.check(channel.delivered, "delivered of \(channel.key.id)")
            try Self.check(channel.subscriptions, "subscriptions of \(channel.key.id)")
        }
    }

    fileprivate static func check(_ number: some BinaryInteger, _ name: String) throws(SnapshotError) {
        guard 0...largestNumber ~= Int(clamping: number) else { throw .badNumber(name) }
    }
}

extension DeviceDetails {
    fileprivate func checkNumbers(of name: String) throws(SnapshotError) {
        for event in events {
            try SimulatorSnapshot.check(event.number, "an event of \(name)")
            try SimulatorSnapshot.check(event.milliseconds, "the time of an event of \(name)")
        }
        for push in shownLater ?? [] { try SimulatorSnapshot.check(push.at, "shownLater of a push of \(name)") }
        for push in extending { try SimulatorSnapshot.check(push.since, "since of a push of \(name)") }
        for (word, number) in (live?.sums ?? []) + (siri?.sums ?? []) {
            try SimulatorSnapshot.check(number, "\(word) of \(name)")
        }
        // It may be later than `largestNumber`.
        for push in held { try SimulatorSnapshot.check(min(push.expiresAt, 0), "expiresAt of a push of \(name)") }
    }
}

extension DeliveryCounts {
    fileprivate func check(of name: String) throws(SnapshotError) {
        for (count, word) in [
            (received, "received"), (delivered, "delivered"), (discarded, "discarded"), (dropped, "dropped"),
            (cleared, "cleared"),
        ] { try SimulatorSnapshot.check(count, "counts.\(word) of \(name)") }
    }
}
