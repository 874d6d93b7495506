internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import HTTPTypes
internal import HummingbirdCore
internal import JSON
internal import NIOCore
internal import RequestWire
internal import Synchronization
internal import Time

/// The demonstration, for `pushcote demo` and the page.
extension AdminAPI {
    var demoEndpoint: Endpoint {
        Endpoint(
            .post, "/demo", .devices, "Play the demonstration", id: "demo",
            about: """
                Creates the devices anna, ben and cleo and the apps com.example.mail, com.example.chat and
                com.example.news, replacing those of the same name, and pushes through the latest day that is over by
                20:10 UTC, on a clock that is stopped in this day. Then the clock is as before. With `step`, plays only
                this step, on the clock as it is; step 0 first creates devices and apps. One demonstration plays at a
                time (409).
                """,
            body: .optional("NewDemonstration"), answer: "What happened, step by step.", errors: [404, 409]
        ) { request in
            let body = try await request.object(accepting: ["step"])
            let step = body.value("step", .integer(in: 0...DemoDay.steps.count - 1))
            try body.finish()
            return try await demoTurn.perform {
                if let step { try await playDemo(step) } else { try await playDemo() }
            }
        }
    }

    /// One step on the clock as it is.
    private func playDemo(_ number: Int) async throws -> DemoAnswer {
        if number == 0 { try await setUpDemo() }
        let next = number + 1
        return DemoAnswer(
            steps: [try await play(DemoDay.steps[number])], next: next < DemoDay.steps.count ? next : nil)
    }

    /// The latest day whose last push is not in the future, on a stopped clock.
    private func playDemo() async throws -> DemoAnswer {
        let lastMinute = DemoDay.steps.map(\.minute).max() ?? 0
        let day = Instant(wholeSeconds: gateway.now().advanced(by: .seconds(-60 * lastMinute)).day * 86400)
        let steps = try await gateway.visit(day) {
            try await setUpDemo()
            var played: [DemoAnswer.Step] = []
            for step in DemoDay.steps {
                try await gateway.stopClock(at: day.advanced(by: .seconds(60 * step.minute)))
                played.append(try await play(step))
            }
            return played
        }
        return DemoAnswer(date: String(day.text.prefix(10)), steps: steps)
    }

    private func setUpDemo() async throws {
        for call in DemoDay.setUp { try await perform(call) }
    }

    private func play(_ step: DemoDay.Step) async throws -> DemoAnswer.Step {
        var answer = DemoAnswer.Step(time: step.time, story: step.story)
        switch step.action {
        case .call(let call): try await perform(call)
        case .push(let device, let topic, let payload):
            let number = try await push(payload, to: device, topic: topic)
            answer.notification = detail(try notification(number))
        case .rejected(let device, let topic, let payload): answer.request = reject(payload, to: device, topic: topic)
        case .summary(let device):
            let center = gateway.simulator.screen(of: device, at: gateway.now())?.notificationCenter ?? []
            answer.shown = center.map(\.content.title)
        }
        return answer
    }

    private func perform(_ call: DemoDay.Call) async throws {
        let path = Endpoint.base + call.path
        guard let endpoint = table.endpoints(at: path).endpoint(of: call.method) else {
            preconditionFailure("there is no \(call.method) \(path)")
        }
        let head = HTTPRequest(method: call.method, scheme: "http", authority: "localhost", path: path)
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(string: call.body)))
        let query = try RequestQuery("", accepting: [])
        _ = try await endpoint.answer(
            AdminRequest(request: request, path: endpoint.path, query: query, configuration: configuration))
    }

    /// Returns once the device has decided; without a host of extensions it waits for none.
    private func push(_ payload: String, to device: String, topic: String) async throws -> UInt64 {
        let push = DirectPush(
            Array(payload.utf8), to: device, topic: topic, environment: gateway.settings.defaultEnvironment,
            headers: [("apns-push-type", "alert")])
        let receipt = try gateway.push(push)
        if let pending = receipt.pending { try await gateway.finish(pending) }
        guard gateway.extensionHost != nil else { return receipt.notification }
        let decided = EventQuery(
            device: device, kinds: [.contentDelivered, .discarded, .stored], notification: receipt.notification)
        _ = await gateway.simulator.waitForEvents(decided, count: 1, timeout: .seconds(15))
        return receipt.notification
    }

    /// Pushes as a provider over clear text, without a provider token.
    private func reject(_ payload: String, to device: String, topic: String) -> RequestAnswer? {
        var facts = ConnectionFacts(openedAt: gateway.now())
        (facts.remoteAddress, facts.traffic, facts.httpVersion) = ("demo", .clearText, .http1)
        let connection = gateway.connect(facts, certificate: nil)
        defer { connection.closed() }
        connection.beginTurn()
        let token = gateway.simulator.device(named: device)?.registrations.first?.token.hex ?? ""
        let fields = [
            (name: ":method", value: "POST"), (":scheme", "http"), (":path", "/3/device/\(token)"),
            (":authority", "localhost"), ("apns-topic", topic), ("apns-push-type", "voip"),
        ]
        let answer = connection.answer(to: RequestBlock(fields: fields, body: Array(payload.utf8)))
        return gateway.requestLog.record(answer.record).map(summary)
    }
}

/// One demonstration at a time: each deletes the devices of the one before.
final class DemoTurn: Sendable {
    private let isTaken = Mutex(false)

    func perform(_ play: () async throws -> DemoAnswer) async throws -> DemoAnswer {
        let wasTaken = isTaken.withLock { isTaken in
            defer { isTaken = true }
            return isTaken
        }
        guard !wasTaken else { throw AdminError.conflict("The demonstration is playing; try again when it has ended.") }
        defer { isTaken.withLock { $0 = false } }
        return try await play()
    }
}

struct DemoAnswer: APIShape {
    var date: String?
    var steps: [Step]
    var next: Int?

    static let shape = Shape([
        "date": .with("format: date", "The simulated day; absent with `step`."), "steps": .with("maxItems: 16"),
        "next": .positive("The next step; absent after the last, and without `step`."),
    ])

    struct Step: APIShape {
        var time: String
        var story: String
        var notification: JSONValue?
        var request: RequestAnswer?
        var shown: [String]?

        static let shape = Shape([
            "time": "In the story.", "notification": .ref("Notification", "As it was then."),
            "request": "One that was rejected.",
            "shown": "Titles in Notification Center, if the step is a summary.",
        ])
    }
}
