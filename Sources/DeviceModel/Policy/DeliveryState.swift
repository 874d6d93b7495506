/// Why a device, or APNs on its behalf, drops a push that was accepted.
package enum DiscardReason: String, CaseIterable, Codable, Sendable {
    case invalidJSON = "invalid-json"
    case payloadNotAnObject = "payload-not-an-object"
    case apsNotAnObject = "aps-not-an-object"
    /// The person does not allow the app's notifications.
    case disabled
    /// `apns-expiration`, or the 30 days of storage, passed.
    case expired
    /// The device was unreachable, and `apns-expiration: 0` forbids storage.
    case notStored = "not-stored"
    /// A newer push took its place in storage.
    case superseded
    /// The person ended the app, so nothing wakes it.
    case appTerminated = "app-terminated"
    /// The day's budget for such pushes is used up.
    case budgetExceeded = "budget-exceeded"
    /// The service extension suppressed it (`com.apple.developer.usernotifications.filtering`).
    case suppressed
    /// The service extension of an app that may filter died.
    case extensionDied = "extension-died"
    /// Its app was removed from the device before delivery.
    case uninstalled
}

/// Why a push is stored instead of delivered.
package enum HoldReason: String, CaseIterable, Codable, Sendable {
    /// The device is off or does not reach APNs.
    case offline
    /// The device saves power, and the push may wait.
    case power
    /// A push of priority 1 does not wake a sleeping device.
    case asleep
    /// The app was woken as often as an hour allows.
    case backgroundBudget = "background-budget"
}

/// How far a push has come on its way to the person.
package enum DeliveryState: Sendable, Hashable {
    /// The gateway answered 200; the device has not decided yet.
    case accepted
    case stored(HoldReason)
    case delivered
    /// Dropped after the 200; the provider never learns of it.
    case discarded(DiscardReason)

    /// The state without its reason.
    package var kind: Kind {
        switch self {
        case .accepted: .accepted
        case .stored: .stored
        case .delivered: .delivered
        case .discarded: .discarded
        }
    }

    package enum Kind: String, CaseIterable, Codable, Sendable {
        case accepted, stored, delivered, discarded
    }

    /// Whether the push is still to be delivered, or discarded.
    package var isWaiting: Bool {
        switch self {
        case .accepted, .stored: true
        case .delivered, .discarded: false
        }
    }

    package var discardReason: DiscardReason? {
        if case .discarded(let reason) = self { reason } else { nil }
    }

    package var holdReason: HoldReason? {
        if case .stored(let reason) = self { reason } else { nil }
    }

    /// The state as the delivery log of Apple's push console words it.
    package var deliveryLogText: String {
        switch self {
        case .accepted: "Accepted"
        case .stored(.offline): "Stored – Device Offline"
        case .stored: "Stored for device power considerations"
        case .delivered: "Delivered"
        case .discarded(.disabled): "Discarded – Disabled"
        case .discarded(.expired): "Discarded – Expired"
        case .discarded(.notStored): "Discarded – Device Offline"
        case .discarded(.superseded): "Discarded – Superseded"
        // APNs does not see what the device does with it.
        case .discarded(.suppressed), .discarded(.extensionDied): "Delivered"
        case .discarded(let reason): "Discarded – \(reason.rawValue)"
        }
    }
}

extension DeliveryState: Codable {
    private enum CodingKeys: CodingKey { case state, reason }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self =
            switch try container.decode(Kind.self, forKey: .state) {
            case .accepted: .accepted
            case .stored: .stored(try container.decode(HoldReason.self, forKey: .reason))
            case .delivered: .delivered
            case .discarded: .discarded(try container.decode(DiscardReason.self, forKey: .reason))
            }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .state)
        try container.encodeIfPresent(discardReason?.rawValue ?? holdReason?.rawValue, forKey: .reason)
    }
}
