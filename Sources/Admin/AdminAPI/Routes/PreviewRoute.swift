internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import HTTPTypes
internal import HummingbirdCore
internal import JSON
internal import Pictures

/// The outcome that a push would have: nothing is delivered, run or recorded.
extension AdminAPI {
    var previewEndpoint: Endpoint {
        Endpoint(
            .post, "/preview", .notifications, "What would become of a push", id: "preview",
            about: """
                Delivers a push to copies of a device, one for each of `changes`; nothing is delivered, run or recorded.
                The push is `notification`, in the circumstances of its decision, or is given by `device`, `topic` and
                `payload`, as for `POST /devices/{name}/push`, and meets the device as it is now. A push that APNs would
                reject is rejected.
                """,
            body: .required("NewPreview"),
            answers: [.ok("An outcome for each of `changes`, in order; one without them.", "Previews")], errors: [404],
            preview)
    }

    private static let maximumChangeCount = 32

    private static let pushMembers = [
        "device", "topic", "environment", "pushType", "priority", "expiration", "collapseId", "payload",
    ]

    private func preview(_ request: AdminRequest) async throws -> Response {
        let body = try await request.body()
        let form = MemberReader(
            .object(try AdminRequest.members(of: body, isNeeded: true)),
            accepting: ["notification"] + Self.pushMembers + ["extension", "changes", "pictures"], refusesNull: true)
        let number = form.value("notification", .integer(in: 1...UInt64.max))
        let content = form.value("extension", .word(PreviewContent.self))
        let appearance = form.value("pictures", .word(Appearance.self))
        let count = (range: 0...Self.maximumChangeCount, words: "at most \(Self.maximumChangeCount)")
        let changes = form.value("changes", .list(.anyObject, count: count)) ?? [[:]]
        let subject =
            form.has("notification")
            ? PreviewSubject.notification(try recorded(number, form)) : try push(form, body)
        let usesAnswer = try usesAnswer(content, subject)
        let base = try gateway.simulator.circumstances(of: subject)
        let all = try changes.enumerated().map { index, change in
            try base.changed(by: change, at: FieldPath().member("changes").element(index))
        }
        let outcomes = try all.map { circumstances in
            let outcome = try gateway.simulator.preview(subject, in: circumstances, usesAnswer: usesAnswer)
            let picture = appearance.map { JSONValue.string(self.picture(of: outcome.notification, $0)) }
            return detail(outcome.notification, events: outcome.events).without(Self.recordedMembers)
                .adding(["picture": picture])
        }
        return Response(json: ["outcomes": .array(outcomes)])
    }

    /// Members that only a recorded notification has.
    private static let recordedMembers: Set = [
        "id", "identifier", "token", "apnsId", "apnsUniqueId", "request", "timeline",
    ]

    private func recorded(_ number: UInt64?, _ form: MemberReader) throws -> Notification {
        try form.finish()
        if let name = Self.pushMembers.first(where: form.has) {
            throw AdminError.badRequest("'notification' and '\(name)' both name the push; use one.")
        }
        return try notification(number ?? 0)
    }

    private func push(_ form: MemberReader, _ body: [UInt8]) throws -> PreviewSubject {
        let device = form.required("device", .name)
        let (topic, environment) = (form.value("topic", .name), form.value("environment", .word(APNsEnvironment.self)))
        let headers: [(name: String, value: String?)] = [
            ("apns-push-type", form.value("pushType", .name)),
            ("apns-priority", form.value("priority", .integer).map { String($0) }),
            ("apns-expiration", form.value("expiration", .integer(in: 0...Int64.max)).map { String($0) }),
            ("apns-collapse-id", form.value("collapseId", .name)),
        ]
        try form.finish()
        guard form.has("payload") else {
            throw AdminError.badRequest("'payload' is missing; it is an object, or a text for its exact bytes.")
        }
        let push = try directPush(
            Self.payload(in: body) ?? [], to: try gateway.device(named: device ?? "").name, topic: topic,
            environment: environment, headers: headers)
        let admitted = try gateway.admit(push)
        return .push(admitted.push, for: admitted.use)
    }

    private func usesAnswer(_ content: PreviewContent?, _ subject: PreviewSubject) throws(AdminError) -> Bool {
        var hasAnswer = false
        if case .notification(let notification) = subject { hasAnswer = notification.extensionRecord != nil }
        guard content != .after || hasAnswer else {
            throw .badRequest(
                "'extension' is 'after', but no service extension answered this push, and a preview runs none. Accepted: "
                    + "original.")
        }
        return hasAnswer && content != .original
    }

    /// An object's bytes as they are in the body; a text's content.
    private static func payload(in body: [UInt8]) -> [UInt8]? {
        body.withUnsafeBytes { bytes in
            var payload: [UInt8]?
            var reader = JSONReader(bytes)
            reader.enter()
            while let name = reader.nextKey() {
                let isText = reader.kind() == .string
                let start = reader.position
                if name == "payload", isText {
                    payload = Array(reader.string().utf8)
                } else {
                    reader.skip()
                    if name == "payload" { payload = Array(bytes[start..<reader.position]) }
                }
            }
            return payload
        }
    }
}

/// A service extension's request, or its recorded answer.
private enum PreviewContent: String, CaseIterable { case original, after }

extension PreviewInputs {
    /// Merges as `PATCH /devices` and `PATCH /apps` do.
    fileprivate func changed(by change: JSONValue, at path: FieldPath) throws -> PreviewInputs {
        try MemberReader(change, at: path, accepting: ["device", "app", "settings"]).finish()
        var changed = self
        if let json = change["device"] { try changed.device.apply(json, at: path.member("device")) }
        if let json = change["app"] { try changed.app.apply(json, at: path.member("app")) }
        guard changed.app.bundleID == app.bundleID else {
            throw AdminError.badRequest("'\(path.member("app").member("bundleId"))' must stay '\(app.bundleID)'.")
        }
        switch change["settings"] {
        case nil: break
        case .null: changed.ownSettings = nil
        case let json?:
            var settings = changed.settings
            try settings.apply(json, at: path.member("settings"))
            if settings != changed.settings { changed.ownSettings = settings }
        }
        return changed
    }
}

extension JSONValue {
    fileprivate func without(_ names: Set<String>) -> JSONValue {
        if case .object(let members) = self { .object(members.filter { !names.contains($0.key) }) } else { self }
    }
}
