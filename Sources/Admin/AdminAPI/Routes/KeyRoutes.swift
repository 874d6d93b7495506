internal import APNs
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import HTTPTypes
internal import HummingbirdCore
internal import TLSEngine
internal import Time

extension AdminAPI {
    var keyEndpoints: [Endpoint] {
        [
            Endpoint(
                .get, "/keys", .keys, "Provider keys, ordered by key id", id: "keys",
                answer: "The keys, without key material."
            ) { _ in KeysAnswer(keys: gateway.keys.keys.map { KeyAnswer($0) }) },
            Endpoint(
                .post, "/keys", .keys, "Register a key, or generate one if the body has no PEM", id: "addKey",
                about: "Replaces a key with the same id.", body: .optional("NewKey"),
                answers: [
                    .ok("The key replaced one with its id.", .of(MintedKeyAnswer.self)),
                    .created("The key is new.", .of(MintedKeyAnswer.self)),
                ], addKey),
            Endpoint(
                .get, "/keys/{keyId}", .keys, "One key", id: "key", answer: "The key.", errors: [404]
            ) { request in
                let keyID = try request.parameter("keyId", .keyIdentifier)
                return KeyAnswer(try gateway.keys.key(keyID).found(or: "There is no key '\(keyID)'."))
            },
            Endpoint(
                .delete, "/keys/{keyId}", .keys, "Remove a key", id: "removeKey", answers: [.removed]
            ) { request in Response(removed: gateway.forgetKey(try request.parameter("keyId", .keyIdentifier))) },
            Endpoint(
                .post, "/provider-tokens", .keys, "Sign a provider token with the demonstration key",
                id: "makeProviderToken",
                about: "For providers that have no copy of the key, such as the clients of a container.",
                body: .optional("NewProviderToken"), answer: "The token.", errors: [409], makeToken),
        ]
    }

    /// Registers a key or replaces the one with its ID; generates one if the body has no PEM.
    private func addKey(_ request: AdminRequest) async throws -> Response {
        let body = try await request.description()
        let draft = try ProviderKeyDraft(json: body, besides: ["publicKey", "privateKey"])
        let (publicKey, minted) = try publicKey(MemberReader(body))
        let key = draft.key(keyID: draft.keyID ?? Self.newKeyID(), teamID: draft.teamID ?? "PUSHCOTEAM")
        let isKnown = gateway.store(key, publicKey: publicKey)
        let answer = MintedKeyAnswer(KeyAnswer(key), PrivateKeyAnswer(privateKey: minted?.pem))
        return Response(answer, status: isKnown ? .ok : .created)
    }

    /// Signs a provider token with the demonstration key, on the gateway's clock.
    private func makeToken(_ request: AdminRequest) async throws -> ProviderTokenAnswer {
        let body = try await request.object(accepting: ["teamId", "age"])
        let teamID = body.value("teamId", .keyIdentifier)
        let age = body.value("age", .duration) ?? .zero
        try body.finish()
        let information = information()
        guard let key = information.demonstrationKey, let sign = information.signToken else {
            throw AdminError.conflict("This gateway has no demonstration key; register one with POST /api/v1/keys.")
        }
        let issuedAt = gateway.now().milliseconds / 1000 - age.components.seconds
        let iss = teamID ?? key.teamID
        return ProviderTokenAnswer(token: sign(iss, issuedAt), keyId: key.keyID, teamId: iss, issuedAt: issuedAt)
    }

    private func publicKey(_ body: MemberReader) throws -> (key: P256PublicKey, minted: P256PrivateKey?) {
        guard !body.has("publicKey") || !body.has("privateKey") else {
            throw AdminError.badRequest("'publicKey' and 'privateKey' are both given; use one.")
        }
        let field = body.has("publicKey") ? "publicKey" : "privateKey"
        let pem = body.value(field, .text)
        try body.finish()
        guard let pem else {
            let key = P256PrivateKey()
            return (key.publicKey, key)
        }
        do throws(KeyError) {
            let key = try field == "publicKey" ? P256PublicKey(pem: pem) : P256PrivateKey(pem: pem).publicKey
            return (key, nil)
        } catch {
            let remedy = error == .isPublic ? ", or send this as 'publicKey'" : ""
            throw AdminError.badRequest("'\(field)' cannot be used: \(error.description)\(remedy).")
        }
    }

    private static func newKeyID() -> String {
        let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
        return String(SecureRandom.bytes(10).map { letters[Int($0) % letters.count] })
    }
}

struct KeysAnswer: APIShape {
    var keys: [KeyAnswer]
}

typealias MintedKeyAnswer = Joined<KeyAnswer, PrivateKeyAnswer>

struct PrivateKeyAnswer: APIShape {
    var privateKey: String?

    static let shape = Shape(
        name: "MintedKey",
        [
            "privateKey": "PEM of a generated key; only in this answer."
        ])
}

struct ProviderTokenAnswer: APIShape {
    var token: String
    var keyId: String
    var teamId: String
    var issuedAt: Int64

    static let shape = Shape([
        "token": "For `authorization: bearer …`.",
        "issuedAt": .type("type: integer", "`iat`: seconds since 1970, on the gateway's clock."),
    ])
}

struct KeyAnswer: AnswerTable {
    let source: ProviderKey

    static let rows: [Row<ProviderKey>] = [
        Row("keyId", \.keyID),
        Row("teamId", \.teamID),
        Row("environments") { APNsEnvironment.allCases.filter($0.environments.contains) },
        Row(
            "topics", { if case .topics(let topics) = $0.scope { topics.sorted() } else { nil } },
            "Absent if the key may push to all topics of its team."),
        Row("relatedKeyId", \.relatedKeyID, "Another topic-specific key that may be used on the same connection."),
    ]
}
