internal import Clients
package import DeviceModel
internal import Fields
internal import Gateway
internal import HTTPTypes
internal import HummingbirdCore
internal import JSON
internal import Queries
package import Webhooks

extension AdminAPI {
    /// The body of a webhook without a template: an event with its device.
    package static func message(_ event: DeviceEvent, on device: String) -> [UInt8] {
        JSONValue.object(["device": .string(device)]).adding(JSONValue(EventAnswer(event))).bytes
    }

    var webhookEndpoints: [Endpoint] {
        let forward = "/apps/{bundleId}/token-webhook"
        return [
            Endpoint(
                .get, "/webhooks", .webhooks, "All webhooks", id: "webhooks",
                answer: "The webhooks in the order of their names."
            ) { _ in WebhooksAnswer(webhooks: gateway.webhooks.statuses.map { WebhookAnswer(($0, false)) }) },
            Endpoint(
                .post, "/webhooks", .webhooks, "Add a webhook, or replace the one of its name", id: "addWebhook",
                body: .required("NewWebhook"),
                answers: [
                    .ok("The webhook.", .of(WebhookAnswer.self)), .created("The webhook.", .of(WebhookAnswer.self)),
                ], errors: [409]
            ) { request in try await set(try Webhook(json: try await request.description(isNeeded: true))) },
            Endpoint(
                .delete, "/webhooks", .webhooks, "Remove all webhooks", id: "deleteWebhooks", answers: [.removed]
            ) { _ in Response(removed: gateway.forgetWebhooks { _ in true }) },
            Endpoint(
                .get, "/webhooks/{name}", .webhooks, "A webhook and its latest deliveries", id: "webhook",
                answer: "The webhook.", errors: [404]
            ) { request in try answer(try request.parameter("name")) },
            Endpoint(
                .delete, "/webhooks/{name}", .webhooks, "Remove a webhook with its pending deliveries",
                id: "deleteWebhook", answers: [.removed]
            ) { request in
                let name = try request.parameter("name")
                return Response(removed: gateway.forgetWebhooks { $0 == name })
            },
            Endpoint(
                .get, forward, .webhooks, "The webhook that forwards the app's tokens", id: "tokenWebhook",
                answer: "The webhook.", errors: [404]
            ) { request in try answer(Webhook(tokensOf: try request.parameter("bundleId", .topic)).name) },
            Endpoint(
                .put, forward, .webhooks, "Forward every token of the app to its back end", id: "setTokenWebhook",
                body: .required("NewTokenWebhook"),
                answers: [
                    .ok("The webhook.", .of(WebhookAnswer.self)), .created("The webhook.", .of(WebhookAnswer.self)),
                ], errors: [409]
            ) { request in
                var webhook = Webhook(tokensOf: try request.parameter("bundleId", .topic))
                let body = try await request.description(isNeeded: true)
                try MemberReader(body, accepting: Webhook.deliveryFields.map(\.name)).finish()
                try webhook.apply(body)
                return try await set(webhook)
            },
            Endpoint(
                .delete, forward, .webhooks, "Stop forwarding the app's tokens", id: "deleteTokenWebhook",
                answers: [.removed]
            ) { request in
                let name = Webhook(tokensOf: try request.parameter("bundleId", .topic)).name
                return Response(removed: gateway.forgetWebhooks { $0 == name })
            },
        ]
    }

    private func answer(_ name: String) throws -> WebhookAnswer {
        let status = try gateway.webhooks.status(name).found(or: "There is no webhook '\(name.prefix(200))'.")
        return WebhookAnswer((status, true))
    }

    private func set(_ webhook: Webhook) async throws -> Response {
        if let problem = await webhook.authoritiesProblem() { throw FieldError(problems: [problem]) }
        if let target = webhook.target, await target.leadsToOne(of: information().addresses.all) {
            throw AdminError.badRequest(
                "'url' leads to this gateway itself: each delivery would cause the next. Set it to another program.")
        }
        guard let isNew = try? gateway.store(webhook), let status = gateway.webhooks.status(webhook.name) else {
            throw AdminError.conflict(
                "The limit is \(WebhookTable.maximumCount) webhooks; remove some with DELETE /api/v1/webhooks/{name}.")
        }
        return Response(WebhookAnswer((status, false)), status: isNew ? .created : .ok)
    }
}

struct WebhooksAnswer: APIShape {
    var webhooks: [WebhookAnswer]
}

/// Without the secret and the headers' values.
struct WebhookAnswer: AnswerTable {
    typealias Parts = (status: WebhookTable.Status, hasDeliveries: Bool)
    let source: Parts

    static let rows: [Row<Parts>] = [
        Row("name", \.status.webhook.name, .filled()),
        Row(
            "events", { $0.status.webhook.events.map(\.text) },
            "Kinds of events, or words for what a person does; empty for all."),
        Row("app", \.status.webhook.app, "Only this app's events."),
        Row("device", \.status.webhook.device, "Only this device's events."),
        Row("where", \.status.webhook.condition?.json, "The conditions that its events meet, as they were set."),
        Row("url", \.status.webhook.url, .filled()),
        Row("method", \.status.webhook.method),
        Row("headers", { $0.status.webhook.headers.keys.sorted() }, "The names of its headers."),
        Row("body", \.status.webhook.body, "The template of the body; absent for the event as it is."),
        Row("isSigned", { $0.status.webhook.secret != nil }, "Whether it has a secret."),
        Row("ca", \.status.webhook.authorities, "The file of the authorities to trust; the system's when absent."),
        Row("timeout", { DurationText.text($0.status.webhook.timeout) }, .ref("Duration")),
        Row("pending", \.status.counts.pending, "Deliveries to send."),
        Row("delivered", \.status.counts.delivered, "Deliveries answered with 2xx."),
        Row("failed", \.status.counts.failed, "Deliveries given up."),
        Row("dropped", \.status.counts.dropped, "Events not queued because the queue was full."),
        Row("lastError", \.status.lastError, "Why the latest attempt that failed did so."),
        Row(
            "deliveries", { $0.hasDeliveries ? $0.status.recent : nil },
            .with("maxItems: 20", "The latest finished ones, newest last; only of a single webhook.")),
    ]
}

extension WebhookRecord: APIShape {
    package static let shape = Shape(
        name: "WebhookDelivery",
        [
            "id": .with(#"pattern: "^[0-9a-f]{32}$""#, "The header `pushcote-delivery`."),
            "device": .filled(),
            "number": .positive("The event's number on its device."),
            "attempts": .positive(),
            "error": "Why it was given up; absent if it was delivered.",
        ])
}
