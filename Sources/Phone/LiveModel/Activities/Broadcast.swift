package import APNs
package import DeviceModel
package import Time

/// A broadcast as APNs accepted it, one object shared by all devices. Devices read it as a `BroadcastMessage`.
package final class Broadcast: Sendable {
    /// Consecutive from 1 over all channels; 0 before APNs has accepted it.
    package let number: UInt64
    package let channel: ChannelKey
    package let uniqueID: APNsID
    package let payload: [UInt8]
    package let priority: Priority
    package let expiration: Expiration
    package let receivedAt: Instant

    package init(
        _ payload: [UInt8], on channel: ChannelKey, uniqueID: APNsID, priority: Priority, expiration: Expiration,
        receivedAt: Instant, number: UInt64 = 0
    ) {
        self.number = number
        self.channel = channel
        self.uniqueID = uniqueID
        self.payload = payload
        self.priority = priority
        self.expiration = expiration
        self.receivedAt = receivedAt
    }

    /// - Parameter channel: a key equal to the current one. Keys that share their strings compare faster.
    package func numbered(_ number: UInt64, on channel: ChannelKey) -> Broadcast {
        Broadcast(
            payload, on: channel, uniqueID: uniqueID, priority: priority, expiration: expiration,
            receivedAt: receivedAt, number: number)
    }

    /// The date in the header stays, and the time counted from the arrival goes on.
    package func setBack(_ clock: ClockReturn) -> Broadcast {
        let moved = clock.movedOrigin(receivedAt)
        // Devices go on sharing one object.
        guard moved != receivedAt else { return self }
        return Broadcast(
            payload, on: channel, uniqueID: uniqueID, priority: priority, expiration: expiration, receivedAt: moved,
            number: number)
    }

    /// How long APNs stores it for an offline device (B7); nil if it does not store it.
    package var storedUntil: Instant? {
        let limit = receivedAt.advanced(by: ChannelRules.storageTime)
        switch expiration {
        case .immediate: return nil
        case .unspecified: return limit
        case .at(let instant): return instant > receivedAt ? min(instant, limit) : nil
        }
    }
}

extension Broadcast: Equatable {
    package static func == (left: Broadcast, right: Broadcast) -> Bool {
        left.number == right.number && left.channel == right.channel && left.payload == right.payload
    }
}

extension Broadcast: Codable {
    private enum CodingKeys: String, CodingKey {
        case number, channel, uniqueID = "uniqueId", text, bytes, priority, expiration, receivedAt
    }

    /// The payload is encoded as text if it is UTF-8, otherwise as bytes.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(number, forKey: .number)
        try container.encode(channel, forKey: .channel)
        try container.encode(uniqueID.text(.lower), forKey: .uniqueID)
        if let text = String(validating: payload, as: UTF8.self) {
            try container.encode(text, forKey: .text)
        } else {
            try container.encode(payload, forKey: .bytes)
        }
        try container.encode(priority, forKey: .priority)
        try container.encodeIfPresent(expiration.seconds, forKey: .expiration)
        try container.encode(receivedAt.milliseconds, forKey: .receivedAt)
    }

    package convenience init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let id = try container.decode(String.self, forKey: .uniqueID)
        guard let uniqueID = APNsID(Array(id.utf8).span.bytes) else {
            throw DecodingError.dataCorruptedError(
                forKey: .uniqueID, in: container, debugDescription: "The identifier is not a UUID.")
        }
        let text = try container.decodeIfPresent(String.self, forKey: .text)
        self.init(
            try text.map { Array($0.utf8) } ?? container.decode([UInt8].self, forKey: .bytes),
            on: try container.decode(ChannelKey.self, forKey: .channel), uniqueID: uniqueID,
            priority: try container.decode(Priority.self, forKey: .priority),
            expiration: Expiration(seconds: try container.decodeIfPresent(Int64.self, forKey: .expiration)),
            receivedAt: Instant(milliseconds: try container.decode(Int64.self, forKey: .receivedAt)),
            number: try container.decode(UInt64.self, forKey: .number))
    }
}
