import APNs
import DeviceModel
import RequestWire
import Synchronization
import TestSupport
import Time

@testable import DeviceSimulator

extension Instant {
    static func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: 1_767_571_200_000 + milliseconds) }
}

extension TokenRequest {
    /// All members, separated by NUL.
    var seed: [UInt8] {
        Array([device, topic, environment.rawValue, kind.rawValue, String(generation)].joined(separator: "\0").utf8)
    }
}

extension DeviceToken {
    static func numbered(_ number: Int, byteCount: Int = 32) -> DeviceToken {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        for index in 0..<min(8, byteCount) { bytes[index] = UInt8(truncatingIfNeeded: number >> (56 - 8 * index)) }
        return DeviceToken(bytes: bytes)!
    }
}

extension DeviceSimulator {
    var lastSequence: UInt64 { store.withLock { $0.lastSequence } }

    /// Places in the order of all notifications, gaps included.
    var placeCount: Int { store.withLock { $0.log.chunks.reduce(0) { $0 + $1.entries.count } } }

    /// A simulator whose tokens are their request's seed, folded to their length.
    static func make(limits: InboxLimits = InboxLimits()) -> DeviceSimulator {
        DeviceSimulator(limits: limits) { request in
            var bytes = [UInt8](repeating: 0, count: request.byteCount)
            for (index, byte) in request.seed.enumerated() {
                bytes[index % bytes.count] = bytes[index % bytes.count] &* 31 &+ byte
            }
            return DeviceToken(bytes: bytes)!
        }
    }

    /// A registration of the app `com.example.chat`.
    func registered(_ device: String, topic: String = "com.example.chat") -> Registration {
        try! register(device: device, topic: topic, environment: .sandbox, kind: .app, at: .at(0))
    }

    /// Delivers an alert and returns its number.
    @discardableResult
    func push(_ text: String, to registration: Registration, type: PushType = .alert, id: UInt64 = 1) -> UInt64 {
        receive(.make(#"{"aps":{"alert":"\#(text)"}}"#, to: registration, type: type, id: id), for: registration)
    }

    /// The bodies of matching notifications.
    func bodies(_ query: NotificationQuery = NotificationQuery()) -> [String] {
        notifications(query).items.map(\.decoded.content.body)
    }
}

extension Push {
    static func make(
        _ payload: String, to registration: Registration, type: PushType = .alert, id: UInt64 = 1, at: Instant = .at(0)
    ) -> Push { make(Array(payload.utf8), to: registration, type: type, id: id, at: at) }

    static func make(
        _ payload: [UInt8], to registration: Registration, type: PushType = .alert, id: UInt64 = 1, at: Instant = .at(0)
    ) -> Push {
        let fields = [
            (":method", "POST"), (":scheme", "https"), (":path", "/3/device/\(registration.token.hex)"),
            ("apns-topic", registration.topic), ("apns-push-type", type.name), ("x-test", "yes"),
        ]
        let request = RequestBlock(fields: fields.map { ($0, $1) }, body: payload)
        return Push.make(
            request, token: registration.token,
            PushFacts(
                apnsID: APNsID(high: 0, low: id), uniqueID: APNsID(high: 1, low: id),
                environment: registration.environment, pushType: type, priority: .powerConserving,
                expiration: .at(Instant(seconds: 1_800_000_000)), receivedAt: at, connection: 3))
    }
}
