package import APNs
package import JSON

/// The effects of a change outside the state, in order.
package struct DeviceEffects {
    package var events: [DeviceEffect] = []
    /// Performed after the events are logged.
    package var requests: [DeviceRequest] = []

    package init() {}

    package mutating func emit(
        _ kind: DeviceEvent.Kind, _ notification: UInt64? = nil, app: String?, _ details: JSONObject = [:]
    ) {
        events.append(DeviceEffect(kind: kind, notification: notification, app: app, details: details))
    }

    /// Removes everything but keeps the storage for the next device.
    package mutating func removeAll() {
        events.removeAll(keepingCapacity: true)
        requests.removeAll(keepingCapacity: true)
    }
}

/// Requests that the state cannot carry out itself: the device presents and closes, the store does the rest.
package enum DeviceRequest: Hashable, Sendable {
    /// Issues a token and reports it with `tokenIssued`; an active token for the same use is retired as unregistered.
    case issue(TokenUse)
    /// The same unless an active token has this use, in either environment.
    case ensure(TokenUse)
    /// Of both environments.
    case retire(TokenUse, RegistrationStatus)
    case subscribe(ChannelKey)
    case unsubscribe(ChannelKey)
    /// Removes expired tokens.
    case forgetTokens
    /// Presents a local notification that has fired.
    case present(LocalNotification)
    /// The system killed the app.
    case close(app: String)
    /// Tells readers that a notification's decision changed.
    case decided(notification: UInt64)
    /// Copies the reservations to the person's other devices; some changed, by number.
    case shareReservations(changed: [UInt64])
    /// Copies the reservations of the person's other devices to this one.
    case takeReservations
}

/// What a token on a device is for.
package struct TokenUse: Hashable, Codable, Sendable {
    package var kind: TokenKind
    package var bundleID: String
    package var environment: APNsEnvironment
    /// The activity or control that the token belongs to; nil for one that belongs to the app.
    package var subject: String?

    package init(_ kind: TokenKind, bundleID: String, environment: APNsEnvironment, subject: String? = nil) {
        self.kind = kind
        self.bundleID = bundleID
        self.environment = environment
        self.subject = subject
    }

    package var topic: String { bundleID + kind.pushType.topicSuffix }
}

/// Why an input is not possible.
package struct DeviceError: Error, Hashable, Sendable {
    package enum Kind: String, Sendable { case missing, conflict, invalid }

    /// Answered with 404, 409 or 400.
    package var kind: Kind
    /// Starts in lower case and has no full stop.
    package var message: String

    package init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}
