import DeviceModel
import DeviceSimulator
import Gateway
import Testing

/// A state with a history, loaded into another gateway, gives the same answers byte for byte.
@Suite(.admin, .timeLimit(.minutes(5))) struct RestoredStateTests {
    private static let device = "/api/v1/devices/phone"

    /// A Focus, a summary, a replaced and a dismissed notification, own settings, a second token.
    private func live(_ admin: AdminFixture) async throws {
        func send(_ method: String, _ path: String, _ body: String) async throws {
            let answer = try await admin.send(method, path, body)
            #expect((200..<300).contains(answer.status), "\(answer.text)")
        }
        try await send("PUT", "/api/v1/clock", #"{"mode":"manual"}"#)
        try await send(
            "PUT", "/api/v1/apps/com.example.app",
            #"{"categories":[{"identifier":"c","options":["customDismissAction"],"actions":[{"identifier":"LIKE","title":"Like"}]}]}"#
        )
        let token = try admin.register()
        try admin.register(topic: "com.example.app.voip")
        func push(_ text: String, _ more: String = "", collapse: String? = nil) {
            let collapse = collapse.map { [("apns-collapse-id", $0)] } ?? []
            let fields = [("apns-push-type", "alert")] + collapse
            let payload = #"{"aps":{"alert":{"title":"\#(text)","body":"b"},"sound":"default"\#(more)}}"#
            #expect(admin.push(token, payload, fields: fields.map { (name: $0.0, value: $0.1) }) == 200)
        }
        push("First", #","badge":3"#, collapse: "one")
        push("Replaces", collapse: "one")
        try await send("PATCH", Self.device, #"{"focus":{"modes":[{"id":"work"}],"active":"work"}}"#)
        push("Silenced")
        try await send("POST", "/api/v1/clock/advance", #"{"by":"10m"}"#)
        push("Like me", #","category":"c""#)
        try await send("POST", Self.device + "/actions", #"{"action":"dismiss","notification":4}"#)
        try await send(
            "PATCH", Self.device,
            #"{"focus":{"active":null},"summary":{"isEnabled":true},"apps":{"com.example.app":{"scheduledDelivery":"enabled"}}}"#
        )
        push("Summarized")
        push("Urgent", #","interruption-level":"critical""#)
        try await send("POST", "/api/v1/clock/advance", #"{"by":"PT24H"}"#)
        try await send("POST", Self.device + "/actions", #"{"action":"unlock"}"#)
        push("In the next summary")
        try await send("PATCH", Self.device, #"{"isOnline":false}"#)
        push("Stored")
        // The policy inputs of the notifications above differ from the present ones.
        try await send("PATCH", Self.device, #"{"locale":"de_DE","timeZone":"Asia/Tokyo"}"#)
    }

    /// Every answer that depends on the simulated devices.
    private func answers(_ admin: AdminFixture) async throws -> [(path: String, body: String)] {
        var paths = ["/api/v1/state", "/api/v1/notifications", "/api/v1/notifications?order=newest", "/api/v1/devices"]
        paths += ["", "/events?limit=1000", "/events?kind=tokenIssued", "/screen", "/day", "/registrations"]
            .map { Self.device + $0 }
        for number in 1...8 {
            paths += ["", "/explanation"].map { "/api/v1/notifications/\(number)" + $0 }
        }
        var answers: [(path: String, body: String)] = []
        for path in paths { answers.append((path, try await admin.get(path).text)) }
        return answers
    }

    @Test func answersAsBefore() async throws {
        let before = try await withAdmin { admin in
            try await live(admin)
            return (
                try await answers(admin), admin.gateway.now(),
                admin.gateway.simulator.events(EventQuery(device: "phone", limit: 1000)).items
            )
        }
        #expect(before.0.allSatisfy { !$0.body.contains(#""error":"#) })
        let kinds = Set(before.2.map(\.kind))
        #expect(
            kinds.isSuperset(of: [
                .tokenIssued, .replaced, .silencedByFocus, .removed, .response, .deferredToSummary, .summaryDelivered,
                .focusStarted, .focusEnded, .stored, .conditionsChanged,
            ]))
        try await admin.gateway.stopClock(at: before.1)
        #expect(try await admin.send("PUT", "/api/v1/state", before.0[0].body).status == 200)
        for (old, new) in zip(before.0, try await answers(admin)) {
            #expect(new.body == old.body, "\(old.path)")
        }
        // The device continues from the restored state.
        let next = try await admin.send("PATCH", Self.device, #"{"isOnline":true}"#)
        #expect(next.status == 200)
        let last = try #require(before.2.last).number
        let events = admin.gateway.simulator.events(EventQuery(device: "phone", since: last)).items
        #expect(events.map(\.number) == (0..<UInt64(events.count)).map { last + 1 + $0 })
        #expect(events.contains { $0.kind == .deferredToSummary || $0.kind == .contentDelivered })
    }

    @Test("a state from an older gateway, without token events, loads") func loadsOlderStates() async throws {
        try admin.register()
        let state = try await admin.get("/api/v1/state").text
        let older = state.replacing(#""issuedEvent":1,"#, with: "")
        #expect(older != state)
        #expect(try await admin.send("PUT", "/api/v1/state", older).status == 200)
        #expect(try await admin.get(Self.device + "/events").text.hasPrefix(#"{"events":[],"#))
        #expect(try await admin.get("/api/v1/state").text == older)
    }

    static let strange: [(name: String, edit: @Sendable (String) -> String, says: String)] = [
        (
            "the document", { $0.replacing(#""lastSequence":"#, with: #""lastSequenc":1,"lastSequence":"#) },
            "'lastSequenc' is unknown; did you mean lastSequence?"
        ),
        (
            "a header", { $0.replacing(#"{"name":":method","#, with: #"{"nmae":1,"name":":method","#) },
            "'notifications[0].push.headers[0].nmae' is unknown; did you mean name?"
        ),
        (
            "a state", { $0.replacing(#"{"state":"delivered"}"#, with: #"{"reason":"x","state":"delivered"}"#) },
            "'notifications[0].state.reason' is unknown"
        ),
        (
            "an event", { $0.replacing(#""lastDroppedEvent":"#, with: #""x":0,"lastDroppedEvent":"#) },
            "'devices[0].details.x' is unknown"
        ),
        (
            "the conditions", { $0.replacing(#""locale":"de_DE""#, with: #""lokale":"de_DE""#) },
            "lokale' is wrong: it is unknown"
        ),
    ]

    @Test("unknown members are rejected with their place", arguments: strange.indices)
    func rejects(_ index: Int) async throws {
        let row = Self.strange[index]
        try await live(admin)
        let state = try await admin.get("/api/v1/state").text
        let edited = row.edit(state)
        #expect(edited != state, "\(row.name)")
        let answer = try await admin.send("PUT", "/api/v1/state", edited)
        #expect(answer.status == 400 && answer.text.contains(row.says), "\(row.name): \(answer.text)")
        #expect(try await admin.get("/api/v1/state").text == state)
    }
}
