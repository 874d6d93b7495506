import APNs
import DeviceModel
import DeviceSimulator
import Gateway
import Testing

/// Direct pushes, as `xcrun simctl push` sends them.
@Suite struct DirectPushTests {
    static let payload = #"{"aps":{"alert":"By hand"}}"#.bytes

    private func refusal(_ push: DirectPush, in fixture: GatewayFixture) -> String {
        do throws(APNsRejection) {
            _ = try fixture.gateway.push(push)
            return "200"
        } catch {
            guard case .refused(_, let rejection) = fixture.gateway.lastRequest?.outcome, rejection == error else {
                return "answer and record differ"
            }
            return "\(error.reason.rawValue) \(error.diagnosis.code)"
        }
    }

    @Test func usesAnExistingRegistration() throws {
        let fixture = GatewayFixture()
        let receipt = try fixture.gateway.push(
            DirectPush(
                Self.payload, to: "phone", topic: GatewayFixture.topic, environment: .sandbox,
                headers: [
                    ("apns-push-type", "alert"), ("apns-priority", "5"), ("apns-expiration", "0"),
                    ("apns-collapse-id", "game"),
                ]))
        #expect(receipt.token == fixture.token)
        let notification = try #require(fixture.gateway.simulator.notification(receipt.notification))
        #expect(notification.device == "phone")
        #expect(notification.decoded.content.body == "By hand")
        #expect(notification.push.apnsID == receipt.apnsID)
        #expect(notification.push.priority == .powerConserving)
        #expect(notification.push.pushType == .alert)
        #expect(notification.push.expiration == .immediate)
        #expect(notification.push.collapseID == "game")
        #expect(notification.push.connection == 0)
    }

    @Test func isRecordedOnConnectionZeroWithoutCredentials() throws {
        let fixture = GatewayFixture { $0.authenticationMode = .strict }
        let receipt = try fixture.gateway.push(
            DirectPush(Self.payload, to: "phone", topic: GatewayFixture.topic, environment: .sandbox))
        let record = try #require(fixture.gateway.lastRequest)
        #expect(record.connection == 0)
        #expect(record.authentication == .admin)
        #expect(record.status == 200)
        #expect(fixture.gateway.connectionLog.snapshots.isEmpty)
        let fields = record.request.fields(token: receipt.token)
        #expect(fields.contains { $0 == (":path", "/3/device/" + receipt.token.hex) })
    }

    @Test(arguments: APNsEnvironment.allCases)
    func createsDeviceAndRegistration(_ environment: APNsEnvironment) throws {
        let fixture = GatewayFixture { $0.unknownTokens = .reject }
        let push = DirectPush(
            Self.payload, to: "tablet", topic: "com.example.app.voip", environment: environment,
            headers: [("apns-push-type", "voip")])
        let receipts = try (1...2).map { _ in try fixture.gateway.push(push) }
        let registration = try #require(fixture.gateway.simulator.device(named: "tablet")?.registrations.first)
        #expect(registration.environment == environment)
        #expect(registration.kind == .voip)
        #expect(receipts.map(\.token) == [registration.token, registration.token])
        #expect(receipts[0].apnsID != receipts[1].apnsID)
        #expect(receipts[0].notification < receipts[1].notification)
    }

    @Test func anAppThatWasRemovedRegistersAnew() throws {
        let fixture = GatewayFixture()
        fixture.gateway.simulator.setStatus(.unregistered, of: fixture.token, at: .start)
        let receipt = try fixture.gateway.push(
            DirectPush(Self.payload, to: "phone", topic: GatewayFixture.topic, environment: .sandbox))
        #expect(receipt.token != fixture.token)
    }

    static let faults: [(String, @Sendable (inout DirectPush) -> Void)] = [
        ("BadTopic apns-topic.form", { $0.topic = "" }),
        ("BadTopic apns-topic.form", { $0.topic = "com example" }),
        ("BadMessageId apns-id.form", { $0.headers = [("apns-id", "1")] }),
        ("BadExpirationDate apns-expiration.form", { $0.headers = [("apns-expiration", "-1")] }),
        ("BadPriority apns-priority.value", { $0.headers = [("apns-priority", "7")] }),
        ("InvalidPushType apns-push-type.unknown", { $0.headers = [("apns-push-type", "loud")] }),
        ("InvalidPushType apns-topic.missing-suffix", { $0.headers = [("apns-push-type", "voip")] }),
        (
            "BadCollapseId apns-collapse-id.length",
            { $0.headers = [("apns-collapse-id", String(repeating: "x", count: 65))] }
        ),
        ("PayloadEmpty payload.empty", { $0.payload = [] }),
        ("PayloadTooLarge payload.size", { $0.payload = [UInt8](repeating: 0x20, count: 4097) }),
        ("200", { $0.headers = [("apns-push-type", "mdm")] }),
        ("200", { $0.payload = [UInt8](repeating: 0x20, count: 4096) }),
    ]

    @Test(arguments: faults.indices) func isCheckedLikeAProvidersPush(_ index: Int) {
        let (verdict, edit) = Self.faults[index]
        let fixture = GatewayFixture()
        var push = DirectPush(Self.payload, to: "tablet", topic: "com.example.app", environment: .sandbox)
        edit(&push)
        #expect(refusal(push, in: fixture) == verdict)
        // A rejected push leaves no state.
        #expect((fixture.gateway.simulator.device(named: "tablet") == nil) == (verdict != "200"))
        #expect(fixture.gateway.lastRequest?.connection == 0)
    }

    @Test func createsNoMoreDevicesThanTheLimit() {
        let fixture = GatewayFixture(devices: 1)
        let push = DirectPush(Self.payload, to: "tablet", topic: "com.example.app", environment: .sandbox)
        #expect(refusal(push, in: fixture) == "ServiceUnavailable devices.full")
    }

    @Test func itsOwnIdentifierIsUsed() throws {
        let fixture = GatewayFixture()
        let receipt = try fixture.gateway.push(
            DirectPush(
                Self.payload, to: "phone", topic: GatewayFixture.topic, environment: .sandbox,
                headers: [("apns-id", "123e4567-e89b-12d3-a456-42661417400f")]))
        #expect(receipt.apnsID.text(.lower) == "123e4567-e89b-12d3-a456-42661417400f")
    }
}
