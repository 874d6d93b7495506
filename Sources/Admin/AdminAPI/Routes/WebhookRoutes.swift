internal import Clients
package import DeviceModel
internal import Fields
internal import Gateway
internal import HTTPTypes
internal import HummingbirdCore
package import JSON
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
            ) { _ in WebhooksAnswer(webhooks: gateway.webhooks.statuses.map { WebhookAnswer($0) }) },
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
        return WebhookAnswer(status, hasDeliveries: true)
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
        return Response(WebhookAnswer(status), status: isNew ? .created : .ok)
    }
}

package struct WebhooksAnswer: APIShape {
    package var webhooks: [WebhookAnswer]
}

/// Without the secret and the headers' values.
package struct WebhookAnswer: APIShape {
    package var name: String
    package var events: [String]
    package var app: String?
    package var device: String?
    package var `where`: JSONValue?
    package var url: String
    package var method: Webhook.Method
    package var headers: [String]
    package var body: String?
    package var isSigned: Bool
    package var ca: String?
    package var timeout: String
    package var pending: Int
    package var delivered: Int
    package var failed: Int
    package var dropped: Int
    package var lastError: String?
    package var deliveries: [WebhookRecord]?

    package static let shape = Shape([
        "name": .filled(),
        "events": "Kinds of events, or words for what a person does; empty for all.",
        "app": "Only this app's events.",
        "device": "Only this device's events.",
        "where": "The conditions that its events meet, as they were set.",
        "url": .filled(),
        "headers": "The names of its headers.",
        "body": "The template of the body; absent for the event as it is.",
        "isSigned": "Whether it has a secret.",
        "ca": "The file of the authorities to trust; the system's when absent.",
        "timeout": .ref("Duration"),
        "pending": "Deliveries to send.",
        "delivered": "Deliveries answered with 2xx.",
        "failed": "Deliveries given up.",
        "dropped": "Events not queued because the queue was full.",
        "lastError": "Why the latest attempt that failed did so.",
        "deliveries": .with("maxItems: 20", "The latest finished ones, newest last; only of a single webhook."),
    ])

    init(_ status: WebhookTable.Status, hasDeliveries: Bool = false) {
        let webhook = status.webhook
        (name, events) = (webhook.name, webhook.events.map(\.text))
        (app, device) = (webhook.app, webhook.device)
        `where` = webhook.condition?.json
        (url, method) = (webhook.url, webhook.method)
        headers = webhook.headers.keys.sorted()
        body = webhook.body
        isSigned = webhook.secret != nil
        ca = webhook.authorities
        timeout = DurationText.text(webhook.timeout)
        (pending, delivered) = (status.counts.pending, status.counts.delivered)
        (failed, dropped) = (status.counts.failed, status.counts.dropped)
        lastError = status.lastError
        deliveries = hasDeliveries ? status.recent : nil
    }
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
