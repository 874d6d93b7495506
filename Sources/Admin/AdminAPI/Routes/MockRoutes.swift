internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import HTTPTypes
internal import HummingbirdCore
internal import JSON
internal import Queries

/// The control paths of apns-mock-server and fcm-mock-server, for tests written against those.
extension AdminAPI {
    /// At the root, with snake case, as there.
    var mockEndpoints: [Endpoint] {
        let methods: [HTTPRequest.Method] = [.post, .put]
        return [
            Endpoint(
                .get, "/mock/error-tokens", .faults, "The tokens of POST /mock/error-tokens with their answers",
                answers: [.ok("Status and reason by device token.", "ErrorTokens")]
            ) { _ in Response(json: errorTokens) },
            Endpoint(
                .get, "/mock/activity", .requests,
                "The newest 1,000 requests, newest first, in the form of apns-mock-server",
                answers: [.ok("The requests; GET /api/v1/requests has more about them.", "MockActivity")]
            ) { _ in
                let records = gateway.requestLog.page(before: .max, limit: AdminRequest.listCounts.upperBound).items
                return Response(json: .array(records.map(activity)))
            },
        ]
            + methods.flatMap { method in
                [
                    Endpoint(
                        method, "/mock/error-tokens", .faults,
                        "Fault rules that answer for device tokens, in the form of apns-mock-server",
                        body: .required("MockErrorTokens"), answers: [.mockDone], errors: [409], setErrorTokens),
                    Endpoint(
                        method, "/mock/reset", .state, "Remove these fault rules, and the logged requests",
                        answers: [.mockDone]
                    ) { _ in
                        gateway.forgetFaults { $0.isErrorToken }
                        gateway.requestLog.removeAll()
                        return .done
                    },
                ]
            }
    }

    private var errorTokens: JSONValue {
        let rules = gateway.faults.statuses.map(\.rule).filter(\.isErrorToken)
        return .object(
            JSONObject(
                rules.map { rule in
                    (
                        rule.match.token ?? "",
                        [
                            "status": .integer(rule.effect.answer?.code ?? 0),
                            "reason": rule.effect.answer?.reason.map { .string($0) },
                        ]
                    )
                }))
    }

    private func setErrorTokens(_ request: AdminRequest) async throws -> Response {
        let body = try await request.body()
        // A list, as that project's tests have it, or one object, as in its README.
        let elements: [JSONValue]
        if case .array(let list) = JSONValue(body.span.bytes) {
            elements = list
        } else {
            elements = [.object(try AdminRequest.members(of: body, isNeeded: true))]
        }
        let reader = MemberReader(["tokens": .array(elements)], refusesNull: true)
        let rules = reader.objects("tokens").compactMap { FaultRule(errorToken: $0) }
        try reader.finish()
        // The last entry of a token applies.
        let byName = Dictionary(rules.map { ($0.name, $0) }) { $1 }
        let sorted = byName.values.sorted { $0.name < $1.name }
        try gateway.store(sorted.map { FaultElement($0) }, replacing: { byName[$0.name] != nil })
        return .done
    }

    private func activity(_ record: RequestRecord) -> JSONValue {
        let reason = record.reason(gateway.settings.spelling)
        return [
            "device_token": record.tokenText.map { .string($0) },
            "request_headers": .headersByName(record.request.fields(token: record.token)),
            "request_data": JSONValue(record.request.payload.span.bytes),
            "response_data": .object(reason.map { ["reason": .string($0)] } ?? [:]),
            "status": record.status.map { .integer($0) },
        ]
    }
}

extension FaultRule {
    private static let namePrefix = "mock/error-tokens/"

    fileprivate var isErrorToken: Bool { name.hasPrefix(Self.namePrefix) }

    fileprivate init?(errorToken reader: MemberReader) {
        let token = reader.required("device_token", .deviceToken)
        let status = reader.required("status", .integer(in: 200...599))
        let reason = reader.required("reason", .text)
        guard let token, let status, let reason else { return nil }
        self.init()
        name = Self.namePrefix + token.hex
        match.token = token.hex
        var answer = FaultAnswer()
        (answer.status, answer.reason) = (status, reason)
        effect.answer = answer
    }
}

extension Response {
    /// 200 without a body.
    fileprivate static var done: Response { Response(bytes: [], type: "text/plain") }
}
