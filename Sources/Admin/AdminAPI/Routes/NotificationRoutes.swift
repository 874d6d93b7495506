internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import HTTPTypes
internal import HummingbirdCore
internal import Media
internal import Queries

extension AdminAPI {
    var notificationEndpoints: [Endpoint] {
        let filters = [
            "device", "topic", "state", "outcome", "timing", "text", "pushType", "apnsId", "apnsUniqueId",
            RequestQuery.condition,
        ]
        return [
            Endpoint(
                .get, "/notifications", .notifications,
                "Notifications of devices, oldest or newest first; can wait for more", id: "notifications",
                about: """
                    With `order=newest`, `total` says how many notifications match. The page does not repeat or lose
                    any while others arrive; `since`, `cursor`, `wait` and `count` are rejected.

                    With `wait`, answers as soon as `count` notifications after `since` match, or when the time is
                    over; `outcome` says which. Existing notifications count, so none is missed between two requests.
                    With `state`, `outcome` or `timing`, an older notification counts as soon as it starts to match.
                    """,
                answers: [.ok("A page of notifications.", .of(NotificationsAnswer.self))],
                query: filters + ["order", "before", "since", "cursor", "limit", "wait", "count"]
            ) { request in
                let query = try query(request, before: try request.before())
                return try await request.list(
                    now: { gateway.simulator.notifications(query) },
                    wait: { await gateway.simulator.wait(query, count: $0, timeout: $1) },
                    answer: { page, outcome in
                        let total = query.before.map { _ in gateway.simulator.count(query) }
                        return NotificationsAnswer(
                            NotificationRows(
                                notifications: page.items.map { summary($0) }, next: String(page.next),
                                hasMore: page.hasMore, dropped: page.droppedCount, hasGap: page.hasGap),
                            PageEnd(page, outcome, total: total, isFiltered: !query.isUnfiltered))
                    })
            },
            Endpoint(
                .get, "/notifications/latest", .notifications, "Everything about the newest matching notification",
                id: "latestNotification", answers: [.ok("The notification.", "Notification")], errors: [404],
                query: filters
            ) { request in
                var query = try query(request, before: .max)
                query.limit = 1
                let latest = try gateway.simulator.notifications(query).items.first.found(
                    or: "No notification matches: none has arrived yet, or it was cleared or evicted from a full inbox."
                )
                return Response(json: detail(latest))
            },
            Endpoint(
                .delete, "/notifications", .notifications,
                "Clear matching notifications; all of them without a filter", id: "clearNotifications",
                answers: [.removed], query: filters
            ) { request in
                defer { gateway.cancelForgottenExtensions() }
                return Response(removed: gateway.simulator.clear(try query(request)))
            },
            Endpoint(
                .get, "/notifications/{id}", .notifications, "Everything about a notification", id: "notification",
                answers: [.ok("The notification.", "Notification")], errors: [404]
            ) { request in Response(json: detail(try notification(request))) },
            Endpoint(
                .get, "/notifications/{id}/explanation", .notifications,
                "A notification's outcome and its reasons, in sentences", id: "explanation",
                answers: [.ok("The outcome, the delivery log, every rule tried, and findings.", as: ["text/plain"])],
                errors: [404]
            ) { request in
                let text = gateway.explanation(
                    of: try notification(request), silencing: configuration.silencedFindings)
                return Response(bytes: Array(text.utf8), type: "text/plain; charset=utf-8")
            },
            Endpoint(
                .get, "/notifications/{id}/payload", .notifications, "The payload as received, byte for byte",
                id: "payload",
                answers: [.ok("The payload, which may not be JSON.", as: ["application/octet-stream"])],
                errors: [404]
            ) { request in
                let payload = Array(try notification(request).push.payload)
                return Response(bytes: payload, type: "application/octet-stream")
            },
        ]
    }

    func notification(_ request: AdminRequest) throws(AdminError) -> Notification {
        try notification(try request.number("id"))
    }

    func notification(_ id: UInt64) throws(AdminError) -> Notification {
        try gateway.simulator.notification(id).found(
            or: "There is no notification \(id); it may have been cleared, or evicted from a full inbox.")
    }

    private func query(_ request: AdminRequest, before: UInt64? = nil) throws -> NotificationQuery {
        let query = request.query
        let conditions = try query.query(roots(.notifications))
        var found = NotificationQuery(
            device: query["device"] ?? conditions.text(at: "device"),
            topic: query["topic"] ?? conditions.text(at: "topic"),
            state: try query.value("state", .word(DeliveryState.Kind.self)),
            timing: try query.choice("timing", of: Timing.allCases, by: \.rawValue),
            outcome: try query.choice("outcome", of: PushOutcome.allCases, by: \.rawValue),
            pushType: try query.pushType(), text: query["text"],
            apnsID: try Self.identifier("apnsId", in: query), uniqueID: try Self.identifier("apnsUniqueId", in: query),
            since: try request.since(), before: before, limit: try request.limit())
        found.condition = condition(conditions)
        return found
    }

    private static func identifier(_ name: String, in query: RequestQuery) throws(AdminError) -> APNsID? {
        guard let text = query[name] else { return nil }
        guard let id = APNsID(Array(text.utf8).span.bytes) else {
            throw .badRequest("'\(name)' is '\(text.prefix(60))'; it must be a UUID of 36 characters.")
        }
        return id
    }
}

typealias NotificationsAnswer = Joined<NotificationRows, PageEnd>

struct NotificationRows: APIShape {
    var notifications: [NotificationAnswer]
    var next: String
    var hasMore: Bool
    var dropped: Int
    var hasGap: Bool

    static let shape = Shape(
        name: "NotificationPage",
        [
            "next": .with(#"pattern: "^[0-9]+$""#, "Pass as `since`, or with `order=newest` as `before`."),
            "hasMore": "Whether more entries are available now.",
            "dropped": "Notifications evicted from the selected inboxes in total.",
            "hasGap":
                "Whether some of the evicted notifications came after `since`; with `order=newest`, whether any were evicted.",
        ])
}

extension AdminAPI {
    var mediaEndpoints: [Endpoint] {
        [
            Endpoint(
                .get, "/devices/{name}/images/{sha}", .notifications,
                "A person's or a group's picture, from `avatar.image`", id: "image",
                answers: [.shared("File"), .unmodified("The file matches `If-None-Match`; it never changes.")],
                errors: [404]
            ) { request in
                let device = try self.device(request)
                let digest = try request.parameter("sha").lowercased()
                guard digest.utf8.count == 64, digest.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
                    throw AdminError.badRequest("'sha' in the path must be a SHA-256: 64 hexadecimal digits.")
                }
                return try file(digest, request, "There is no picture \(digest) on '\(device.name)'")
            },
            Endpoint(
                .get, "/notifications/{id}/attachments/{identifier}", .notifications,
                "A notification's attachment from the service extension", id: "attachment",
                answers: [.shared("File"), .unmodified("The file matches `If-None-Match`.")], errors: [404]
            ) { request in
                let attachment = try attachment(request)
                let digest = try attachment.sha256.found(
                    or: "The file of '\(attachment.identifier)' was never received; only its URL is known: "
                        + attachment.url)
                return try file(
                    digest, request, "The file of '\(attachment.identifier)' no longer exists", type: attachment.type)
            },
        ]
    }

    private func attachment(_ request: AdminRequest) throws(AdminError) -> NotificationAttachment {
        let notification = try notification(request)
        let identifier = try request.parameter("identifier")
        let attachments = notification.content.attachments
        if let found = attachments.first(where: { $0.identifier == identifier || $0.sha256 == identifier }) {
            return found
        }
        let names = attachments.map { $0.identifier.isEmpty ? $0.sha256 ?? $0.url : $0.identifier }
        let known = names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))"
        throw .notFound(
            "Notification \(notification.sequence) has no attachment '\(identifier.prefix(100))'; \(known).")
    }

    /// The name is the file's digest, so the file never changes.
    private func file(
        _ digest: String, _ request: AdminRequest, _ problem: String, type: String = ""
    ) throws(AdminError) -> Response {
        let bytes = try (gateway.media?.data(digest)).found(or: "\(problem); it may have been evicted.")
        // The content decides the type; the extension's hint applies only to unrecognized content.
        let found = AttachmentType(ofFileBeginningWith: bytes.span.bytes)
        let shown = found ?? AttachmentType(ofFileNamed: "", hint: type)
        var response = Response(
            bytes: bytes, type: shown?.mediaType ?? "application/octet-stream", tag: EntityTag(sha256: digest),
            cacheControl: "private, max-age=31536000, immutable", to: request.request)
        // Browsers display pictures only and download everything else.
        if found?.family != .image { response.headers[.contentDisposition] = "attachment" }
        return response
    }
}
