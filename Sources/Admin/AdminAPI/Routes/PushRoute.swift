internal import APNs
internal import DeviceModel
internal import Fields
internal import Gateway
internal import HTTPTypes
internal import JSON

/// Pushes without a provider, like `xcrun simctl push`.
extension AdminAPI {
    var pushEndpoint: Endpoint {
        Endpoint(
            .post, "/devices/{name}/push", .devices,
            "Push to a device without a provider, as `xcrun simctl push` does", id: "push",
            about: """
                The body is a payload, or an `.apns` file whose `Simulator Target Bundle` names the app; that member is
                removed from the payload. A missing device or registration is created.
                """,
            body: .required("SimulatorPayload"),
            answer: "The notification's number and its `apns-id`.", status: .created, errors: [409],
            query: ["topic", "environment", "pushType", "priority", "collapseId"], push)
    }

    private func push(_ request: AdminRequest) async throws -> PushAnswer {
        let query = request.query
        let name = try request.deviceName()
        let environment = try query.value("environment", .word(APNsEnvironment.self))
        let push = try directPush(
            try await request.body(), to: name, topic: query["topic"], environment: environment,
            headers: [
                ("apns-push-type", query["pushType"]), ("apns-priority", query["priority"]),
                ("apns-collapse-id", query["collapseId"]),
            ])
        let receipt = try gateway.push(push)
        if let pending = receipt.pending { try await gateway.finish(pending) }
        return PushAnswer(id: receipt.notification, apnsId: receipt.apnsID.text(.upper))
    }

    /// - Parameter body: A payload, or an `.apns` file, which may name the app.
    func directPush(
        _ body: [UInt8], to device: String, topic: String?, environment: APNsEnvironment?,
        headers: [(name: String, value: String?)]
    ) throws(AdminError) -> DirectPush {
        let file = try SimulatorPayload(body)
        guard let topic = topic ?? file.bundleID else {
            throw .badRequest(
                "The app is missing: add 'topic', or the member \"Simulator Target Bundle\" at the top of the payload.")
        }
        return DirectPush(
            file.payload, to: device, topic: topic, environment: environment ?? gateway.settings.defaultEnvironment,
            headers: headers)
    }
}

struct PushAnswer: APIShape {
    var id: UInt64
    var apnsId: String

    static let shape = Shape(
        name: "Pushed",
        [
            "id": .positive(),
            "apnsId": .with("format: uuid"),
        ])
}

/// A payload for `xcrun simctl push`: drops the member that names the app and preserves every other byte.
struct SimulatorPayload: Sendable {
    private(set) var payload: [UInt8]
    private(set) var bundleID: String?

    private static let member = "Simulator Target Bundle"

    init(_ body: [UInt8]) throws(AdminError) {
        switch PayloadScan(body.span.bytes) {
        case .valid, .apsMissing, .apsNotAnObject: break
        case .notAnObject: throw .badRequest("The payload must be a JSON object.")
        case .invalid(let problem): throw .badRequest("The payload is \(problem.message).")
        }
        payload = body
        var members: [Range<Int>] = []
        var targets: [(index: Int, bundleID: String?)] = []
        body.withUnsafeBytes { bytes in
            var reader = JSONReader(bytes)
            reader.enter()
            while reader.nextElement() {
                let start = reader.position
                let isTarget = reader.key { $0.elementsEqual(Self.member.utf8) }
                if isTarget, reader.kind() == .string {
                    targets.append((members.count, reader.string()))
                } else {
                    if isTarget { targets.append((members.count, nil)) }
                    reader.skip()
                }
                members.append(start..<reader.position)
            }
        }
        // In reverse, so that removing one does not shift the others.
        for (index, name) in targets.reversed() {
            guard let name else { throw .badRequest("'\(Self.member)' must be a string.") }
            bundleID = bundleID ?? name
            payload.removeSubrange(Self.extent(of: index, in: members))
            members.remove(at: index)
        }
    }

    /// Includes the member's comma.
    private static func extent(of index: Int, in members: [Range<Int>]) -> Range<Int> {
        if index + 1 < members.count { return members[index].lowerBound..<members[index + 1].lowerBound }
        let start = index > 0 ? members[index - 1].upperBound : members[index].lowerBound
        return start..<members[index].upperBound
    }
}
