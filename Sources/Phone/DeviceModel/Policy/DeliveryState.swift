/// Why a device, or APNs on its behalf, discards an accepted push.
package enum DiscardReason: String, CaseIterable, Codable, Sendable {
    case invalidJSON = "invalidJson"
    case payloadNotAnObject
    case apsNotAnObject
    /// The person does not allow the app's notifications.
    case disabled
    /// `apns-expiration` or the 30 days of storage passed.
    case expired
    /// The device was unreachable, and `apns-expiration: 0` forbids storage.
    case notStored
    case superseded
    /// The person terminated the app, so pushes do not wake it.
    case appTerminated
    /// The daily budget for this kind of push is used up.
    case budgetExceeded
    /// The service extension suppressed it (`com.apple.developer.usernotifications.filtering`).
    case suppressed
    /// The service extension of an app with the filtering entitlement died.
    case extensionDied
    case uninstalled
    /// The token is unregistered, and APNs does not know yet (`assumptions.unregisteredDelay`).
    case unregistered

    // Why a device drops a push for a Live Activity (live.md L1.2).
    case malformed, eventUnknown, eventNotForToken, p2sTokenStale, wrongActivityType, unsupported, denied
    case timestampMissing, timestampFuture, timestampOlder, timestampPast
    case startWithoutAlert, unknownAttributesType, attributesDecodeFailed, inputBoth, channelUnknown
    case limitApp, limitDevice, p2sBudget
    case activityEnded, tooLarge, throttled, contentDecodeFailed

    // What a push of another type needs; see `ServiceRules`.
    case backgroundModeMissing
    /// The `aps` of a background push is not `content-available: 1` alone.
    case notBackground
    /// The app does not register for this type with PushKit or Push to Talk.
    case notRegistered
    /// The system delivers no more VoIP pushes to an app that reports no calls.
    case voipWithheld
    case channelNotJoined
    case extensionMissing
    case entitlementMissing
    /// The app may not always use the location.
    case locationNotAuthorized
    case notEnrolled
    case wrongPushMagic
    case noWidget
    case noControl
    case noComplication

    /// Decided by the device about a delivered push for a Live Activity.
    package var isOfActivities: Bool {
        switch self {
        case .malformed, .eventUnknown, .eventNotForToken, .p2sTokenStale, .wrongActivityType, .unsupported, .denied,
            .timestampMissing, .timestampFuture, .timestampOlder, .timestampPast, .startWithoutAlert,
            .unknownAttributesType, .attributesDecodeFailed, .inputBoth, .channelUnknown, .limitApp, .limitDevice,
            .p2sBudget, .activityEnded, .tooLarge, .throttled, .contentDecodeFailed:
            true
        default: false
        }
    }

    /// For people, such as `background mode missing`.
    package var words: String {
        Self.exceptions[self] ?? rawValue.reduce(into: "") { $0 += $1.isUppercase ? " \($1.lowercased())" : String($1) }
    }

    private static let exceptions: [DiscardReason: String] = [
        .invalidJSON: "invalid JSON", .voipWithheld: "VoIP withheld", .p2sTokenStale: "push-to-start token stale",
        .p2sBudget: "push-to-start budget used up",
    ]
}

/// Why a push is stored instead of delivered.
package enum HoldReason: String, CaseIterable, Codable, Sendable {
    /// The device is off or cannot reach APNs.
    case offline
    /// The device saves power, and the push can wait.
    case power
    /// A push of priority 1 does not wake a sleeping device.
    case asleep
    /// The app has used up its wake-ups for the hour.
    case backgroundBudget

    /// What ends the wait.
    package var sentencePart: String {
        switch self {
        case .offline: "Waits until the device is online"
        case .power: "Waits while the device saves power"
        case .asleep: "Waits until the device's screen is on"
        case .backgroundBudget: "Waits because the app has used up its wake-ups for the hour"
        }
    }
}

/// How far a push's delivery has progressed.
package enum DeliveryState: Sendable, Hashable {
    /// The gateway answered 200; the device has not decided yet.
    case accepted
    case stored(HoldReason)
    case delivered
    /// Discarded after the 200; the provider never learns of it.
    case discarded(DiscardReason)

    package var kind: Kind {
        switch self {
        case .accepted: .accepted
        case .stored: .stored
        case .delivered: .delivered
        case .discarded: .discarded
        }
    }

    package enum Kind: String, CaseIterable, Codable, Sendable { case accepted, stored, delivered, discarded }

    package var isWaiting: Bool { kind == .accepted || kind == .stored }

    package var discardReason: DiscardReason? { if case .discarded(let reason) = self { reason } else { nil } }

    package var holdReason: HoldReason? { if case .stored(let reason) = self { reason } else { nil } }

    /// The wording of the delivery log in Apple's push console.
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
        case .discarded(.unregistered): "Discarded – Unregistered, not known to APNs yet"
        // APNs does not see what the device does with a delivered push.
        case .discarded(.suppressed), .discarded(.extensionDied): "Delivered"
        case .discarded(let reason): reason.isOfActivities ? "Delivered" : "Discarded – \(reason.words)"
        }
    }

    /// As `deliveryLogText`, and whether the device discarded what APNs delivered.
    package var summary: String {
        let isDelivered = deliveryLogText == DeliveryState.delivered.deliveryLogText
        return isDelivered && kind == .discarded ? "Delivered, and discarded by the device" : deliveryLogText
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
