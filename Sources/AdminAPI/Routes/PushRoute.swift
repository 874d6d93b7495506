internal import APNs
internal import Fields
internal import Gateway
internal import Hummingbird
internal import JSON

/// Pushes without a provider, as `xcrun simctl push` sends them.
struct PushRoute: Sendable {
    let gateway: Gateway

    var endpoint: Endpoint {
        Endpoint(
            .post, "/devices/{name}/push", query: ["topic", "environment", "pushType", "priority", "collapseId"], push)
    }

    private func push(_ request: AdminRequest) async throws -> Response {
        let query = request.query
        let name = try request.deviceName()
        let environment = try query.value("environment", .word(APNsEnvironment.self))
        let file = try SimulatorPayload(try await request.body())
        guard let topic = query["topic"] ?? file.bundleID else {
            throw AdminError.badRequest(
                "The app is missing: add '?topic=…', or the member \"Simulator Target Bundle\" at the top of the "
                    + "payload.")
        }
        let push = LocalPush(
            file.payload, to: name, topic: topic, environment: environment ?? gateway.settings.defaultEnvironment,
            pushType: query["pushType"], priority: query["priority"], collapseID: query["collapseId"])
        let receipt = try await deliver(push)
        return Response(
            json: ["id": .integer(receipt.notification), "apnsId": .string(receipt.apnsID.text(.upper))],
            status: .created)
    }

    private func deliver(_ push: LocalPush) async throws(AdminError) -> LocalPushReceipt {
        do throws(APNsRejection) {
            let receipt = try gateway.push(push)
            if let pending = receipt.pending { try await gateway.settle(pending) }
            return receipt
        } catch {
            let message = "\(error.reason.rawValue): \(error.diagnosis.message)"
            switch error.reason {
            case .serviceUnavailable where error.diagnosis.code == "journal.unwritable": throw .notKept(message)
            case .payloadTooLarge: throw .refusedPayload(message)
            case .serviceUnavailable: throw .conflict(message)
            default: throw .badRequest(message)
            }
        }
    }
}
