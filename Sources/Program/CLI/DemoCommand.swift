internal import AdminAPI
internal import ArgumentParser
internal import Clients
internal import Fields
internal import JSON
internal import NIOCore
internal import Time

struct DemoCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        "demo", abstract: "Show what a gateway does: three devices, their apps and a day of pushes.",
        discussion: """
            Creates the devices anna, ben and cleo and the apps com.example.mail, com.example.chat and com.example.news, \
            replacing those of the same name. Then pushes through the next day on a stopped clock, and prints what each \
            person saw and why. Devices and notifications stay. At the end, the clock follows real time or runs faster, \
            as before; a clock that was stopped before stays at the end of that day.

            EXAMPLES
              pushcote demo
              pushcote demo --live
              pushcote demo --json | jq -r .why
            """)

    @OptionGroup var admin: AdminOptions

    @Flag(help: "Do not change the clock: push now, one push a second.") var live = false

    func perform(with client: AdminClient) async throws -> CommandResult {
        let clock: ClockAnswer = try await client.ask(APICall(.get, ["clock"]))
        for call in DemoDay.setUp { _ = try await client.send(call) }
        guard !live else {
            for step in DemoDay.steps {
                try await play(step, at: nil, with: client)
                guard try await client.pause(.seconds(1)) else { return .stopping() }
            }
            return end(of: nil)
        }
        let now = Instant(text: clock.now) ?? Instant(milliseconds: 0)
        // The next midnight, because the clock never goes back.
        let day = Instant(wholeSeconds: (now.day + 1) * 86400)
        // A stopped clock stays: it never goes back.
        let resume: APICall? =
            switch clock.mode {
            case "real": APICall(.post, ["clock", "reset"])
            case "scaled":
                APICall(.put, ["clock"], json: ["scale": clock.scale.map { .number($0) }], timeout: .seconds(600))
            default: nil
            }
        do {
            _ = try await client.send(Self.clock(day))
            for step in DemoDay.steps { try await play(step, at: day, with: client) }
        } catch {
            if let resume { _ = try? await client.send(resume) }
            throw error
        }
        if let resume { _ = try await client.send(resume) }
        return end(of: day)
    }

    private static func clock(_ now: Instant) -> APICall {
        APICall(
            .put, ["clock"], json: ["mode": .string("manual"), "now": .string(now.text)], timeout: .seconds(600))
    }

    /// - Parameter day: Midnight; `nil` for today.
    private func end(of day: Instant?) -> CommandResult {
        let date = day.map { " --date \($0.text.prefix(10))" } ?? ""
        let commands =
            "pushcote screen anna, pushcote day anna\(date), pushcote explain latest, pushcote inbox, pushcote requests"
        return CommandResult(admin.json ? "" : "\nNext: \(commands); pushcote setup for your client.")
    }

    /// - Parameter day: Midnight; `nil` does not change the clock.
    private func play(_ step: DemoDay.Step, at day: Instant?, with client: AdminClient) async throws {
        if let day { _ = try await client.send(Self.clock(day.advanced(by: .seconds(60 * step.minute)))) }
        if !admin.json { StandardStreams.write("\n\(step.time)  \(step.story)") }
        switch step.action {
        case .call(let call): _ = try await client.send(call)
        case .summary(let device):
            // A summary needs the simulated day.
            guard day != nil else { return write(["It is due at \(step.time)."]) }
            let screen: ScreenAnswer = try await client.ask(APICall(.get, ["devices", device, "screen"]))
            let titles = screen.notificationCenter.flatMap(\.notifications).map(\.title)
            write(["Notification Center shows \(titles.joined(separator: ", "))"])
        case .push(let device, let topic, let payload):
            let id = try await client.push(Array(payload.utf8), [("topic", topic), ("pushType", "alert")], to: device)
            _ = try await client.waitUntilFinished(id, on: device, or: "stored", within: .seconds(15))
            let call = APICall(.get, ["notifications", String(id)])
            let detail = try await client.send(call)
            if admin.json { return StandardStreams.write(detail.text) }
            let notification: NotificationAnswer = try client.decode(from: detail, to: call)
            let outcome: NotificationOutcome = try client.decode(from: detail, to: call)
            write(["\(topic) → \(device): \(notification.line)", "\(outcome.why) (#\(id))"])
        case .rejected(let device, let topic, let payload): try await reject(device, topic, payload, with: client)
        }
    }

    private func write(_ lines: [String]) {
        if admin.json { return }
        for line in lines { StandardStreams.write("       " + line.onOneLine) }
    }

    /// Pushes as a provider over cleartext HTTP/1.1, without a provider token.
    private func reject(_ device: String, _ topic: String, _ payload: String, with client: AdminClient) async throws {
        let gateway: InformationAnswer = try await client.ask(APICall(.get, ["info"]))
        guard let address = gateway.addresses.clearText.first.flatMap({ HostPort($0) }) else {
            return write(["Skipped: this gateway has no clear-text listener (listen.clearText)."])
        }
        let place = address.reachable(from: client.address.host)
        let phone: DeviceAnswer = try await client.ask(APICall(.get, ["devices", device]))
        let push = HTTPCall(
            host: place.host, port: place.port, authority: place.text, method: "POST",
            target: "/3/device/\(phone.registrations.first?.token ?? "")",
            headers: [("apns-topic", topic), ("apns-push-type", "voip")], body: ByteBuffer(string: payload),
            connectTimeout: .seconds(5))
        guard let answer = try? await push.answer(maximumByteCount: 1 << 16, timeout: .seconds(10)) else {
            return write(["Skipped: \(place.text) (listen.clearText) cannot be reached from here."])
        }
        let request: RequestAnswer = try await client.ask(
            APICall(.get, ["requests", "latest"], query: [("device", device)]))
        if admin.json { return StandardStreams.write(JSONValue(request).text) }
        let diagnosis = request.diagnosis?.message ?? ""
        write(["\(topic) → \(device): \(answer.status) \(answer.text)", "\(diagnosis) (request \(request.number))"])
    }
}

/// The demo's service extension, which implements `docs/service-extension-protocol.md`.
struct DemoExtensionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo-extension", abstract: "The service extension of the demonstration.", shouldDisplay: false)

    func run() {
        while let line = readLine() {
            let message = JSONValue(Array(line.utf8).span.bytes)
            guard let message, message["type"]?.word == "didReceive", let id = message["id"] else { continue }
            let sealed = message["request"]?["content"]?["userInfo"]?["sealed"]?.word ?? ""
            let answer: JSONValue = [
                "type": .string("content"), "id": id, "content": ["body": .string(String(sealed.reversed()))],
            ]
            StandardStreams.write(answer.text)
        }
    }
}
