package import APNs
package import DeviceSimulator
internal import RequestWire
internal import Synchronization

/// A direct push through the admin API; its headers are checked like a provider's.
package struct DirectPush: Sendable {
    /// A device's name; an unknown device is created.
    package var device: String
    package var topic: String
    package var environment: APNsEnvironment
    package var payload: [UInt8]
    /// Besides `apns-topic`; one without a value is not sent.
    package var headers: [(name: String, value: String?)]

    package init(
        _ payload: [UInt8], to device: String, topic: String, environment: APNsEnvironment,
        headers: [(name: String, value: String?)] = []
    ) {
        self.payload = payload
        self.device = device
        self.topic = topic
        self.environment = environment
        self.headers = headers
    }

    /// - Parameter token: Hexadecimal; empty while it is unknown.
    func request(token: String) -> RequestBlock {
        let host = EnvironmentRules.appleHosts.first { $0.environment == environment }?.name
        let fields: [(name: String, value: String?)] = [
            (":method", "POST"), (":scheme", "https"), (":path", "/3/device/" + token), (":authority", host),
            ("apns-topic", topic),
        ]
        return RequestBlock(
            fields: (fields + headers).compactMap { field in field.value.map { (field.name, $0) } }, body: payload)
    }
}

package struct DirectPushReceipt: Sendable {
    /// The number in the device's inbox.
    package var notification: UInt64
    package var apnsID: APNsID
    package var token: DeviceToken
    /// Pass it to `Gateway.finish`; `nil` without a journal.
    package var pending: PendingPush?
}

extension Gateway {
    /// Checks a push as `push(_:)` does, for a preview; registers, delivers and records nothing.
    package func admit(_ push: DirectPush) throws(APNsRejection) -> (push: Push, use: TokenRequest) {
        try connectDirectly().admit(push)
    }

    /// Pushes to a device by name, without a token or credentials, as `xcrun simctl push` does.
    ///
    /// Registers the device for the topic if it has no active registration. Checks headers and payload like those of a
    /// provider, and logs the request, rejected or not, on connection 0.
    /// - Throws: The rejection; no registration is made then.
    package func push(_ push: DirectPush) throws(APNsRejection) -> DirectPushReceipt {
        let count = directPushCount.add(1, ordering: .relaxed).newValue
        let connection = connectDirectly()
        connection.identifiers = SplitMix64(seed: identifierSeed &- count)
        return try connection.push(push)
    }

    private func connectDirectly() -> ProviderConnection {
        let facts = ConnectionFacts(openedAt: now())
        return ProviderConnection(gateway: self, entry: ConnectionEntry(facts: facts), certificate: nil)
    }
}

extension ProviderConnection {
    /// Omits the checks that need a device token, which is not known yet.
    private static let orderWithoutToken = AdmissionCheck.order.filter { $0 != .deviceToken && $0 != .device }

    fileprivate func push(_ push: DirectPush) throws(APNsRejection) -> DirectPushReceipt {
        let draft = redacted(push.request(token: ""))
        var admission = Admission(now: gateway.now())
        do throws(APNsRejection) {
            admission.environment = environment(of: draft)
            try admit(draft, &admission, order: Self.orderWithoutToken)
            let registration = try register(push, admission)
            admission.registration = registration
            admission.token = registration.token
            let delivered = try deliver(redacted(push.request(token: registration.token.hex)), admission)
            return DirectPushReceipt(
                notification: delivered.notification, apnsID: delivered.push.apnsID, token: registration.token,
                pending: delivered.pending)
        } catch {
            refuse(draft, admission, error)
            throw error
        }
    }

    fileprivate func admit(_ push: DirectPush) throws(APNsRejection) -> (push: Push, use: TokenRequest) {
        let draft = redacted(push.request(token: ""))
        var admission = Admission(now: gateway.now())
        admission.environment = environment(of: draft)
        try admit(draft, &admission, order: Self.orderWithoutToken)
        return (makePush(draft, admission, for: nil), use(of: push, admission))
    }

    private func use(of push: DirectPush, _ admission: borrowing Admission) -> TokenRequest {
        TokenRequest(
            device: push.device, topic: admission.topic, environment: admission.environment,
            kind: admission.pushType?.tokenKind ?? TokenKind(topic: admission.topic))
    }

    private func register(
        _ push: DirectPush, _ admission: borrowing Admission
    ) throws(APNsRejection) -> Registration {
        let use = use(of: push, admission)
        do throws(SimulatorError) {
            return try gateway.simulator.register(
                device: use.device, topic: use.topic, environment: use.environment, kind: use.kind, at: admission.now)
        } catch {
            throw APNsRejection(unableToRegister: error)
        }
    }
}
