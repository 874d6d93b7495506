import FoundationEssentials
import PushcoteTesting
import Testing

let topic = "com.example.app"

func order(_ number: Int) -> Pushcote.JSON {
    ["aps": ["alert": ["title": "Order \(number)"], "badge": .init(number)]]
}

@Suite(.pushcote) struct DeviceTests {
    @Test func aPushIsAwaitedVerifiedAndExplained() async throws {
        let token = try await phone.register(topic)
        let push = try await phone.push(topic, order(7))
        let notification = try await phone.wait("title=Order 7", within: .seconds(20))
        #expect(notification.id == push.id)
        #expect(notification.token.string == token)
        #expect(notification.badge == 7)
        let verdict = try await phone.expect("badge>6", count: .exactly(1))
        #expect(verdict.matched == [push.id.int])
        #expect(try await Pushcote.current.explain(push).contains("Order 7"))
        let listed = try await phone.notifications("badge>6", "title")
        #expect(listed.map(\.id) == [push.id])
        let events = try await phone.act("tap", ["notification": notification.id])
        #expect(events.contains { $0.event == "response" })
        try await phone.expect("event=response", of: .events)
        let picture = try await Pushcote.current.call("GET", "/devices/{name}/screen.svg", [try phone.name])
        #expect(picture.description.contains("<svg"))
    }

    @Test func aFailedExpectationReportsTheNearestMissesAtItsLine() async throws {
        let push = try await phone.push(topic, order(7))
        let line = #line + 2
        try await withKnownIssue {
            try await phone.expect("title=Order 8", "sound", within: .milliseconds(50))
        } matching: { issue in
            issue.sourceLocation?.line == line
                && issue.comments.map(\.rawValue) == [
                    """
                    Verification failed: 0 notifications matched within 50ms, expected at least 1.
                      title=Order 8 and sound
                    Nearest:
                      \(push.id)  title: expected Order 8, got "Order 7"
                         sound: expected anything, got nothing
                    """
                ]
        }
    }

    @Test func aVerdictDescribesItselfWithTheNearestMisses() async throws {
        let push = try await phone.push(topic, order(7))
        let verdict = try await phone.received("title=Order 8")
        #expect(!verdict.isVerified)
        #expect(
            String(describingForTest: verdict).hasSuffix("\n  \(push.id)  title: expected Order 8, got \"Order 7\""))
        let error = await #expect(throws: VerificationError.self) {
            try await phone.wait("title=Order 8", within: .milliseconds(1))
        }
        #expect(error?.description.contains(#"expected Order 8, got "Order 7""#) == true)
    }

    @Test func countsAreChecked() async throws {
        try await phone.expect("title", count: .never)
        let first = try await phone.push(topic, order(7))
        try await phone.push(topic, order(8))
        try await phone.expect("title~Order", count: .exactly(2))
        try await phone.expect("title~Order", count: .atLeast(2))
        try await phone.expect("title~Order", count: .atMost(2))
        try await phone.expect("title~Order", count: .exactly(1), since: first.id.int ?? 0)
        try await phone.expect("text=Order 8", count: .exactly(1))
        let verdicts = [
            try await phone.received("title", count: .never), try await phone.received("title", count: .atMost(1)),
            try await phone.received("title", count: .atLeast(3)),
            try await phone.received("title", count: .exactly(3)),
        ]
        #expect(verdicts.map(\.isVerified) == [false, false, false, false])
        let order = try await Pushcote.current.verify([
            "order": ["title=Order 7", "title=Order 8"], "device": JSON(phone.name),
        ])
        #expect(order.isVerified)
        #expect(try await phone.wait().id == first.id)
    }

    @Test func anErrorContainsTheGatewaysMessage() async throws {
        let unknown = await #expect(throws: PushcoteError.self) { try await phone.received("titel=1") }
        #expect(unknown?.status == 400)
        #expect(unknown?.description.contains("did you mean 'title'?") == true)
        let misspelt = await #expect(throws: PushcoteError.self) { try await phone.patch(["isOnlin": false]) }
        #expect(misspelt?.description.contains("isOnline") == true)
    }

    @Test func aFaultEndsWithItsBody() async throws {
        let gateway = try Pushcote.current
        let name = try phone.name
        let rule: JSON = ["name": JSON(name), "match": ["device": JSON(name)], "effect": ["delay": "1s"]]
        for _ in 1...2 {
            let refused = try await gateway.fault(rule) {
                await #expect(throws: PushcoteError.self) { try await gateway.fault(rule) {} }
            }
            #expect(refused?.status == 409)
        }
        let failure = await #expect(throws: CancellationError.self) {
            try await gateway.fault(rule) { throw CancellationError() }
        }
        #expect(failure != nil)
        #expect(try await gateway.call("GET", "/faults").faults.elements.contains { $0.name.string == name } == false)
        #expect(try await gateway.requests("device=\(name)").isEmpty)
    }

    /// As a test is after its time limit.
    @Test func aFaultEndsThoughItsTaskIsCancelled() async throws {
        let gateway = try Pushcote.current
        let name = try phone.name
        let rule: JSON = ["name": JSON(name), "match": ["device": JSON(name)], "effect": ["delay": "1s"]]
        try await Task { try await gateway.fault(rule) { withUnsafeCurrentTask { $0?.cancel() } } }.value
        #expect(try await gateway.call("GET", "/faults").faults.elements.contains { $0.name.string == name } == false)
    }
}

typealias JSON = Pushcote.JSON

@Suite struct JSONTests {
    private struct Alert: Encodable {
        var title = "Tea"
        var order = 9_007_199_254_740_993
        var picture = URL(string: "https://cats.example/1.png")
        var key = Data([1, 2])
    }

    @Test func isWrittenAsALiteral() throws {
        let json: JSON = ["text": "a\(1)", "list": [1, 2.5, true, nil], "object": [:]]
        #expect(json.description == #"{"text":"a1","list":[1,2.5,true,null],"object":{}}"#)
        #expect(json.list.elements.map(\.int) == [1, nil, nil, nil])
        #expect(json.text.description == "a1")
        #expect(json["text"].string == "a1")
        #expect(json.nothing == nil && json.text.nothing == nil && json.list != nil && json.list.string == nil)
        #expect(
            try JSON(encoding: Alert()) == [
                "title": "Tea", "order": 9_007_199_254_740_993, "picture": "https://cats.example/1.png", "key": "AQI=",
            ])
    }
}
