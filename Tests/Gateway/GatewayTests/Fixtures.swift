import APNs
import DeviceSimulator
import RequestWire
import Synchronization
import TLSEngine
import Time

@testable import Gateway

extension String {
    var bytes: [UInt8] { Array(utf8) }
}

extension Instant {
    static let start = Instant(seconds: 1_767_571_200)
}

/// A gateway on a clock of its own, with one team key and one device.
final class GatewayFixture {
    static let topic = "com.example.app"
    static let keyID = "KEY0000001"
    static let teamID = "TEAM000001"

    let gateway: Gateway
    let clock = TestClock()
    let privateKey = P256PrivateKey()
    let token: DeviceToken

    init(
        requestCapacity: Int = 100, tokenCapacity: Int = 10, devices: Int = 100,
        edit: (inout GatewaySettings) -> Void = { _ in }
    ) {
        var settings = GatewaySettings()
        edit(&settings)
        let clock = clock
        gateway = Gateway(
            settings: settings,
            simulator: DeviceSimulator(limits: InboxLimits(devices: devices), deriveToken: Gateway.deriveToken),
            seed: 7,
            requestCapacity: requestCapacity, tokenCapacity: tokenCapacity, now: { clock.now })
        gateway.keys.register(ProviderKey(keyID: Self.keyID, teamID: Self.teamID), publicKey: privateKey.publicKey)
        token = try! gateway.simulator.register(
            device: "phone", topic: Self.topic, environment: .sandbox, kind: .app, at: .start
        ).token
    }

    static func connected() -> (GatewayFixture, ProviderConnection) {
        let fixture = GatewayFixture()
        return (fixture, fixture.connect())
    }

    func connect(
        certificate: CertificateCredential? = nil, connectTarget: String? = nil, serverName: String? = nil,
        traffic: Traffic = .provider
    ) -> ProviderConnection {
        let tls = ConnectionFacts.TLSFacts(
            version: "TLSv1.3", cipher: "", offeredALPN: ["h2"], selectedALPN: "h2", serverName: serverName,
            isResumed: false,
            clientCertificate: nil)
        var facts = ConnectionFacts(openedAt: clock.now)
        (facts.traffic, facts.httpVersion, facts.tls, facts.connectTarget) = (traffic, .http2, tls, connectTarget)
        return gateway.connect(facts, certificate: certificate)
    }

    /// A provider token; its parts can be changed before or after signing.
    func jwt(
        key: P256PrivateKey? = nil, keyID: String = keyID, teamID: String = teamID, age: Int64 = 0, iat: String? = nil
    ) -> String {
        let issuedAt = iat ?? String(clock.now.milliseconds / 1000 - age)
        let header = base64(#"{"alg":"ES256","kid":"\#(keyID)"}"#.bytes)
        let signed = header + "." + base64(#"{"iss":"\#(teamID)","iat":\#(issuedAt)}"#.bytes)
        return signed + "." + base64((key ?? privateKey).signature(of: signed.bytes))
    }

    /// A valid push, to be edited.
    func push(token: DeviceToken? = nil, jwt: String? = nil, _ edit: (inout RequestFixture) -> Void = { _ in })
        -> RequestBlock
    {
        var fixture = RequestFixture(path: "/3/device/" + (token ?? self.token).hex, jwt: jwt ?? lastToken)
        edit(&fixture)
        return fixture.request
    }

    /// The provider token used by default; shared, because each signature produces a different token.
    private(set) lazy var lastToken = jwt()
}

/// A manual clock.
final class TestClock: Sendable {
    private let instant = Mutex(Instant.start)
    var now: Instant { instant.withLock { $0 } }
    func advance(_ duration: Duration) { instant.withLock { $0 = $0.advanced(by: duration) } }
}

struct RequestFixture {
    var fields: [(name: String, value: String)]
    var body = #"{"aps":{"alert":"Hello"}}"#.bytes

    init(path: String, jwt: String) {
        fields = [
            (":method", "POST"), (":scheme", "https"), (":path", path), (":authority", "localhost:2197"),
            ("authorization", "bearer " + jwt), ("apns-topic", GatewayFixture.topic), ("apns-push-type", "alert"),
        ]
    }

    subscript(_ name: String) -> String? {
        get { fields.first { $0.name == name }?.value }
        set {
            fields.removeAll { $0.name == name }
            if let newValue { fields.append((name, newValue)) }
        }
    }

    var request: RequestBlock { RequestBlock(fields: fields, body: body) }
}

extension ProviderConnection {
    /// Answers a request that arrives by itself.
    func answer(_ request: borrowing RequestBlock) -> Answer {
        beginTurn()
        return answer(to: request)
    }

    /// Answers, and returns reason and diagnosis as in the request log; "200" if the push was accepted.
    func verdict(on request: RequestBlock, in fixture: GatewayFixture) -> String {
        let answer = answer(request)
        let record = fixture.gateway.lastRequest
        switch record?.outcome {
        case .accepted, .served: return "\(answer.status)"
        case .refused(_, let rejection):
            let hasBody = answer.body == rejection.body(.observed)
            return hasBody && answer.status == rejection.reason.status
                ? "\(rejection.reason.rawValue) \(rejection.diagnosis.code)"
                : "answer and record differ"
        case .handledByFault: return "taken by \(record?.fault?.rule ?? "nobody")"
        case .oversized: return "too large"
        case nil: return "not recorded"
        }
    }
}

extension Gateway {
    var lastRequest: RequestRecord? { requestLog.page(since: 0, limit: .max).items.last }

    var lastDiagnosis: String {
        guard case .refused(_, let rejection) = lastRequest?.outcome else { return "" }
        return rejection.diagnosis.message
    }
}

func base64(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let group = bytes[start..<min(start + 3, bytes.count)]
        let word = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
        text += String((0...group.count).map { alphabet[word >> (18 - 6 * $0) & 63] })
    }
    return text
}
