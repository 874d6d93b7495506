internal import APNs
internal import Gateway
internal import Hummingbird
internal import TLSEngine

/// Provider keys: registered, or minted here.
struct KeyRoutes: Sendable {
    let gateway: Gateway

    /// The team of keys that name none.
    static let defaultTeam = "PUSHCOTEAM"

    private static let fields = [
        "keyId", "teamId", "publicKey", "privateKey", "environments", "topics", "relatedKeyId",
    ]

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/keys") { _ in
                Response(json: ["keys": .array(gateway.keys.keys.map { JSONTree($0) })])
            },
            Endpoint(.post, "/keys", add),
            Endpoint(.get, "/keys/{keyId}") { request in
                let keyID = try keyID(request)
                guard let key = gateway.keys.key(keyID) else {
                    throw AdminError.notFound("There is no key '\(keyID)'.")
                }
                return Response(json: JSONTree(key))
            },
            Endpoint(.delete, "/keys/{keyId}") { request in
                let isRemoved = gateway.forgetKey(try keyID(request))
                return Response(json: ["removed": .integer(isRemoved ? 1 : 0)])
            },
        ]
    }

    /// Registers a key, or puts it in the place of the one with its id; mints one when no PEM is given.
    private func add(_ request: AdminRequest) async throws -> Response {
        let object = try await request.object(accepting: Self.fields)
        let (publicKey, minted) = try publicKey(object)
        let environments = try object.choices("environments", APNsEnvironment.self) ?? APNsEnvironment.allCases
        guard !environments.isEmpty else {
            throw AdminError.badRequest(
                "'environments' is empty; omit it for both, or name sandbox or production.")
        }
        let key = ProviderKey(
            keyID: try identifier("keyId", in: object) ?? Self.newKeyID(),
            teamID: try identifier("teamId", in: object) ?? Self.defaultTeam, environments: Set(environments),
            scope: try scope(object), relatedKeyID: try identifier("relatedKeyId", in: object))
        let isKnown = gateway.keys.key(key.keyID) != nil
        gateway.keep(key, publicKey: publicKey)
        let answer = JSONTree(key).adding(["privateKey": minted.map { .string($0.pem) }])
        return Response(json: answer, status: isKnown ? .ok : .created)
    }

    private func publicKey(
        _ object: RequestObject
    ) throws(AdminError) -> (key: P256PublicKey, minted: P256PrivateKey?) {
        guard !object.has("publicKey") || !object.has("privateKey") else {
            throw .badRequest("'publicKey' and 'privateKey' are both given; use one.")
        }
        let field = object.has("publicKey") ? "publicKey" : "privateKey"
        guard let pem = try object.string(field) else {
            let key = P256PrivateKey()
            return (key.publicKey, key)
        }
        do throws(KeyError) {
            return (try P256PublicKey(pem: pem), nil)
        } catch {
            throw .badRequest("'\(field)' is not a key: \(error.description).")
        }
    }

    private func scope(_ object: RequestObject) throws(AdminError) -> ProviderKey.Scope {
        guard let topics = try object.strings("topics") else { return .team }
        for topic in topics { _ = try checkedTopic(topic, field: "topics") }
        return .topics(Set(topics))
    }

    private func identifier(_ name: String, in object: RequestObject) throws(AdminError) -> String? {
        guard let text = try object.string(name) else { return nil }
        return try Self.checked(text, field: name)
    }

    /// The key that the path names.
    private func keyID(_ request: AdminRequest) throws(AdminError) -> String {
        try Self.checked(try request.parameter("keyId"), field: "keyId")
    }

    private static func checked(_ text: String, field: String) throws(AdminError) -> String {
        guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy({ isAllowed($0) }) else {
            throw .badRequest(
                "'\(field)' is '\(text.prefix(70))'; it must be letters and digits, ten as with Apple's, 64 at most.")
        }
        return text
    }

    /// Letters, digits, and what made-up identifiers have beside them.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || [UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ".")].contains(byte)
    }

    private static func newKeyID() -> String {
        let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
        return String(SecureRandom.bytes(10).map { letters[Int($0) % letters.count] })
    }
}
