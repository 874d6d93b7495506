internal import DeviceModel
internal import DeviceSimulator
internal import Gateway
internal import Hummingbird
internal import Media

/// The pictures and attachments that service extensions handed over.
struct MediaRoutes: Sendable {
    let gateway: Gateway

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/devices/{name}/images/{sha}") { request in
                let device = try gateway.device(named: try request.deviceName())
                let digest = try request.parameter("sha").lowercased()
                guard digest.utf8.count == 64, digest.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
                    throw AdminError.badRequest("'sha' in the path must be a SHA-256: 64 hexadecimal digits.")
                }
                return try answer(request, digest, "There is no picture \(digest) on '\(device.name)'")
            },
            Endpoint(.get, "/notifications/{id}/attachments/{identifier}") { request in
                let attachment = try attachment(request)
                guard let digest = attachment.sha256 else {
                    throw AdminError.notFound(
                        "The file of '\(attachment.identifier)' was never received; only its URL is known: \(attachment.url)"
                    )
                }
                return try answer(
                    request, digest, "The file of '\(attachment.identifier)' no longer exists", type: attachment.type)
            },
        ]
    }

    private func attachment(_ request: AdminRequest) throws(AdminError) -> NotificationAttachment {
        let id = try request.number("id", UInt64.self)
        guard let notification = gateway.simulator.notification(id) else { throw .noNotification(id) }
        let identifier = try request.parameter("identifier")
        let attachments = notification.content.attachments
        if let found = attachments.first(where: { $0.identifier == identifier || $0.sha256 == identifier }) {
            return found
        }
        let names = attachments.map { $0.identifier.isEmpty ? $0.sha256 ?? $0.url : $0.identifier }
        let known = names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))"
        throw .notFound("Notification \(id) has no attachment '\(identifier.prefix(100))'; \(known).")
    }

    /// A file; the same digest is the same file for ever, so who has it already need not get it again.
    private func answer(
        _ request: AdminRequest, _ digest: String, _ problem: String, type: String = ""
    ) throws(AdminError) -> Response {
        guard let bytes = gateway.media?.data(digest) else {
            throw .notFound("\(problem); it may have been evicted.")
        }
        let tag = "\"\(digest)\""
        let known = request.request.headers[.ifNoneMatch] ?? ""
        let isKnown = known == "*" || known.split(separator: ",").contains { $0.drop { $0 == " " }.hasSuffix(tag) }
        // What the file is counts, and not what somebody called it.
        let found = AttachmentType(ofFileBeginningWith: bytes.span.bytes) ?? AttachmentType(ofFileNamed: "", hint: type)
        var response = Response(bytes: bytes, type: found?.mediaType ?? "application/octet-stream")
        if isKnown { response = Response(status: .notModified) }
        response.headers[.eTag] = tag
        response.headers[.cacheControl] = "private, max-age=31536000, immutable"
        return response
    }
}
