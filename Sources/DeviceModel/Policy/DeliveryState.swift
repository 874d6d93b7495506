/// Why a device, or APNs on its behalf, drops a push that was accepted.
package enum DiscardReason: UInt8, CaseIterable, Sendable {
    case invalidJSON = 1
    case payloadNotAnObject
    case apsNotAnObject
    /// The person does not allow the app's notifications.
    case disabled
    /// It waited longer than `apns-expiration` or the 30 days allow.
    case expired
    /// The device could not be reached, and `apns-expiration: 0` forbids waiting.
    case notStored
    /// A newer push took the one place where it waited.
    case superseded
    /// The person ended the app, so nothing wakes it.
    case appTerminated
    /// The day's budget for such pushes is used up.
    case budgetExceeded
    /// The service extension asked for that, and may (`com.apple.developer.usernotifications.filtering`).
    case suppressed
    /// The service extension died, and an app that may filter then shows nothing.
    case extensionDied
    /// Its app was removed from the device before it could be delivered.
    case uninstalled

    /// The reason in API, command line and page.
    package var name: String {
        switch self {
        case .invalidJSON: "invalid-json"
        case .payloadNotAnObject: "payload-not-an-object"
        case .apsNotAnObject: "aps-not-an-object"
        case .disabled: "disabled"
        case .expired: "expired"
        case .notStored: "not-stored"
        case .superseded: "superseded"
        case .appTerminated: "app-terminated"
        case .budgetExceeded: "budget-exceeded"
        case .suppressed: "suppressed"
        case .extensionDied: "extension-died"
        case .uninstalled: "uninstalled"
        }
    }
}

/// Why a push waits instead of being delivered.
package enum HoldReason: UInt8, CaseIterable, Sendable {
    /// The device is off or does not reach APNs.
    case offline = 1
    /// The device saves power, and the push may wait.
    case power
    /// A push of priority 1 does not wake a sleeping device.
    case asleep
    /// The app was woken as often as an hour allows.
    case backgroundBudget

    /// The reason in API, command line and page.
    package var name: String {
        switch self {
        case .offline: "offline"
        case .power: "power"
        case .asleep: "asleep"
        case .backgroundBudget: "background-budget"
        }
    }
}

/// How far a push has come on its way to the person.
package enum DeliveryState: Sendable, Hashable {
    /// The gateway answered 200; the device has not decided yet.
    case accepted
    /// It waits until the device can take it.
    case stored(HoldReason)
    case delivered
    /// It was dropped; the provider never hears of that.
    case discarded(DiscardReason)

    /// The state in API, command line and page; a reason stands beside it.
    package var name: String { kind.rawValue }

    /// The state without its reason.
    package var kind: Kind {
        switch self {
        case .accepted: .accepted
        case .stored: .stored
        case .delivered: .delivered
        case .discarded: .discarded
        }
    }

    /// The states without their reasons, to select by.
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

    /// Why the push was dropped.
    package var discardReason: DiscardReason? {
        if case .discarded(let reason) = self { reason } else { nil }
    }

    /// Why the push waits.
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
        // What the device makes of it, APNs does not see.
        case .discarded(.suppressed), .discarded(.extensionDied): "Delivered"
        case .discarded(let reason): "Discarded – \(reason.name)"
        }
    }
}

extension DeliveryState: Codable {
    private enum CodingKeys: CodingKey { case state, reason }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func reason<Reason>(_ reasons: [Reason], _ name: (Reason) -> String) throws -> Reason {
            let word = try container.decode(String.self, forKey: .reason)
            if let reason = reasons.first(where: { name($0) == word }) { return reason }
            throw DecodingError.dataCorruptedError(
                forKey: .reason, in: container, debugDescription: "unknown reason \"\(word)\"")
        }
        self =
            switch try container.decode(Kind.self, forKey: .state) {
            case .accepted: .accepted
            case .stored: .stored(try reason(HoldReason.allCases, \.name))
            case .delivered: .delivered
            case .discarded: .discarded(try reason(DiscardReason.allCases, \.name))
            }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .state)
        try container.encodeIfPresent(discardReason?.name ?? holdReason?.name, forKey: .reason)
    }
}
