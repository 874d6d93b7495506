package import APNs
internal import DeviceSimulator
internal import Synchronization
internal import Wire

/// What a push by hand asks for beside its payload; the header values are judged as a provider's are.
package struct LocalPush: Sendable {
    /// The device's name; a device is made when there is none of it.
    package var device: String
    /// `apns-topic`.
    package var topic: String
    /// The environment of the registration it goes to.
    package var environment: APNsEnvironment
    /// The body, JSON if it is to be shown.
    package var payload: [UInt8]
    /// `apns-push-type`.
    package var pushType: String?
    /// `apns-priority`.
    package var priority: String?
    /// `apns-expiration`.
    package var expiration: String?
    /// `apns-collapse-id`.
    package var collapseID: String?
    /// `apns-id`.
    package var messageID: String?

    /// A push with the headers that are given; the others are absent.
    package init(
        _ payload: [UInt8], to device: String, topic: String, environment: APNsEnvironment, pushType: String? = nil,
        priority: String? = nil, expiration: String? = nil, collapseID: String? = nil, messageID: String? = nil
    ) {
        self.payload = payload
        self.device = device
        self.topic = topic
        self.environment = environment
        self.pushType = pushType
        self.priority = priority
        self.expiration = expiration
        self.collapseID = collapseID
        self.messageID = messageID
    }

    /// The request a provider would send.
    /// - Parameter token: In hexadecimal; empty while it is not known.
    func request(token: String) -> RequestBlock {
        let host = EnvironmentRules.appleHosts.first { $0.environment == environment }?.name
        let fields: [(name: String, value: String?)] = [
            (":method", "POST"), (":scheme", "https"), (":path", "/3/device/" + token), (":authority", host),
            ("apns-id", messageID), ("apns-topic", topic), ("apns-push-type", pushType), ("apns-priority", priority),
            ("apns-expiration", expiration), ("apns-collapse-id", collapseID),
        ]
        return RequestBlock(
            fields: fields.compactMap { field in field.value.map { (field.name, $0) } }, body: payload)
    }
}

/// A push by hand that was delivered.
package struct LocalPushReceipt: Sendable {
    /// Its number in the device's inbox.
    package var notification: UInt64
    /// The `apns-id`: the one asked for, else one of the gateway's.
    package var apnsID: APNsID
    package var token: DeviceToken
    /// What is to be waited for with `Gateway.settle` before the push counts; `nil` when nothing is.
    package var pending: PendingPush?
}

extension Gateway {
    /// Pushes as `xcrun simctl push` does: to a device by its name, without a token and without credentials.
    ///
    /// The device gets a registration for the topic if it has none that is active. Headers and payload are judged by the
    /// rules for providers, and the request log shows the push, refused or not, on connection 0.
    ///
    /// - Throws: Why the push is refused; no registration has been made then.
    package func push(_ push: LocalPush) throws(APNsRejection) -> LocalPushReceipt {
        let count = localPushCount.add(1, ordering: .relaxed).newValue
        let facts = ConnectionFacts(
            remoteAddress: "", localAddress: "", traffic: nil, httpVersion: nil, tls: nil, connectTarget: nil,
            openedAt: now())
        let connection = ProviderConnection(gateway: self, entry: ConnectionEntry(facts: facts), certificate: nil)
        connection.identifiers = IdentifierSource(seed: seed &- count)
        return try connection.push(push)
    }
}

extension ProviderConnection {
    /// The checks of a push whose device token is still to be found.
    private static let localOrder = AdmissionCheck.order.filter { $0 != .deviceToken && $0 != .device }

    fileprivate func push(_ push: LocalPush) throws(APNsRejection) -> LocalPushReceipt {
        let draft = push.request(token: "")
        var admission = Admission(now: gateway.now())
        do throws(APNsRejection) {
            admission.environment = environment(of: draft)
            try admit(draft, &admission, order: Self.localOrder)
            let registration = try register(push, admission)
            admission.registration = registration
            admission.token = registration.token
            let delivered = try deliver(push.request(token: registration.token.hex), admission)
            return LocalPushReceipt(
                notification: delivered.notification, apnsID: delivered.push.apnsID, token: registration.token,
                pending: delivered.pending)
        } catch {
            refuse(draft, admission, error)
            throw error
        }
    }

    private func register(
        _ push: LocalPush, _ admission: borrowing Admission
    ) throws(APNsRejection) -> Registration {
        do throws(SimulatorError) {
            return try gateway.simulator.register(
                device: push.device, topic: admission.topic, environment: admission.environment,
                kind: admission.pushType?.tokenKind ?? TokenKind(topic: admission.topic), at: admission.now)
        } catch {
            throw APNsRejection(unableToRegister: error)
        }
    }
}
