internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Gateway
internal import JSON
internal import RequestWire
internal import TLSEngine
import Time

/// A gateway with one device and one key, on a stopped clock.
struct FuzzGateway {
    let gateway: Gateway
    private static let topic = "com.example.app"
    private static let start = Instant(seconds: 1_767_571_200)
    private static let keyID = "KEY0000001"
    private static let key = P256PrivateKey()
    private static let providerToken = {
        let header = base64(Array(#"{"alg":"ES256","kid":"\#(keyID)"}"#.utf8))
        let claims = base64(Array(#"{"iss":"TEAM000001","iat":1767571200}"#.utf8))
        let signed = header + "." + claims
        return signed + "." + base64(key.signature(of: Array(signed.utf8)))
    }()

    init(isOpen: Bool, isStrict: Bool, hasFaults: Bool) {
        var settings = GatewaySettings()
        settings.authenticationMode = isOpen ? .off : isStrict ? .strict : .verify
        settings.refusesMalformedPayload = isStrict
        settings.refusesBackgroundPriority10 = isStrict
        if isStrict {
            settings.unknownTokens = .reject
            settings.leniency = .strict
        }
        gateway = Gateway(
            settings: settings,
            simulator: DeviceSimulator(
                limits: InboxLimits(perDevice: 10, total: 10, devices: 4), deriveToken: Gateway.deriveToken),
            seed: 7, requestCapacity: 10, tokenCapacity: 4, now: { Self.start })
        gateway.keys.register(ProviderKey(keyID: Self.keyID, teamID: "TEAM000001"), publicKey: Self.key.publicKey)
        guard hasFaults else { return }
        do { try gateway.faults.add(Self.faults, at: Self.start) } catch { preconditionFailure("\(error)") }
    }

    private static let faults: [FaultRule] = {
        let text =
            #"{"name": "odd", "match": {"pushType": "alert"}, "effect": {"answer": {"reason": "InternalServerError"}}}"#
        guard let json = JSONValue(Array(text.utf8).span.bytes), let rules = try? FaultRule.rules(from: json) else {
            preconditionFailure("the rule is well-formed")
        }
        return rules
    }()

    func connect() -> ProviderConnection {
        var facts = ConnectionFacts(openedAt: Self.start)
        (facts.traffic, facts.httpVersion) = (.provider, .http2)
        return gateway.connect(facts, certificate: nil)
    }

    /// A request with these fields and the remaining bytes as its body.
    func request(from text: UnsafeRawBufferPointer) -> RequestBlock {
        var builder = RequestBlockBuilder()
        var rest = text[...]
        while let end = rest.firstIndex(of: 0x0a) {
            let line = rest[..<end]
            rest = rest[(end + 1)...]
            if line.isEmpty { break }
            // The colon of a pseudo field is part of its name.
            let colon = line.dropFirst().firstIndex(of: 0x3a) ?? line.endIndex
            let name = Array(line[..<colon].prefix(Int(UInt16.max)))
            let value = value(of: name, line[colon...].dropFirst().drop { $0 == 0x20 })
            name.withUnsafeBytes { name in value.withUnsafeBytes { builder.append(name: name, value: $0) } }
        }
        var block = builder.block(bodyCapacity: 0)
        _ = block.appendBody(UnsafeRawBufferPointer(rebasing: rest), limit: 8192)
        return block
    }

    private func value(of name: [UInt8], _ written: Slice<UnsafeRawBufferPointer>) -> [UInt8] {
        guard let at = written.firstIndex(of: 0x40) else { return Array(written.prefix(8192)) }
        let text: String
        switch String(decoding: name, as: UTF8.self) {
        case ":path": text = token
        case "authorization": text = Self.providerToken
        default: return Array(written.prefix(8192))
        }
        return Array(written[..<at].prefix(4096)) + Array(text.utf8) + Array(written[(at + 1)...].prefix(2048))
    }

    private var token: String {
        let registration = try? gateway.simulator.register(
            device: "phone", topic: Self.topic, environment: .sandbox, kind: .app, at: Self.start)
        return registration?.token.hex ?? ""
    }
}

extension ProviderConnection {
    /// Answers a request that arrives by itself.
    func answer(_ request: borrowing RequestBlock) -> Answer {
        beginTurn()
        return answer(to: request)
    }
}

/// base64url without padding (RFC 4648 §5).
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
