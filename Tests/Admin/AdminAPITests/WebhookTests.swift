import APNs
import DeviceSimulator
import Gateway
import JSON
import Testing
import Webhooks

@testable import AdminAPI

/// The webhooks API; `WebhookServiceTests` tests the deliveries.
@Suite(.admin) struct WebhookRouteTests {
    private static let body =
        #"{"name":"hook","url":"http://127.0.0.1:1/{device}","events":["tapped","removed"],"app":"com.example.app","#
        + #""headers":{"authorization":"Bearer 5ecret"},"secret":"hidden","body":{"t":"{token}"}}"#

    @Test func isAddedShownReplacedAndRemoved() async throws {
        let added = try await admin.send("POST", "/api/v1/webhooks", Self.body)
        #expect(added.status == 201)
        let shape =
            #"{"name":"hook","events":["tapped","removed"],"app":"com.example.app","url":"http://127.0.0.1:1/{device}","#
            + #""method":"POST","headers":["authorization"],"body":"{\"t\":\"{token}\"}","isSigned":true,"timeout":"5s","#
            + #""pending":0,"delivered":0,"failed":0,"dropped":0"#
        #expect(added.text == shape + "}")
        #expect(try await admin.send("POST", "/api/v1/webhooks", Self.body).status == 200)
        #expect(try await admin.get("/api/v1/webhooks").text == #"{"webhooks":["# + shape + "}]}")
        #expect(try await admin.get("/api/v1/webhooks/hook").text == shape + #","deliveries":[]}"#)
        // A reset deletes the state of devices only.
        _ = try await admin.send("POST", "/api/v1/reset")
        #expect(try await admin.get("/api/v1/webhooks/hook").status == 200)
        #expect(try await admin.send("DELETE", "/api/v1/webhooks/hook").text == #"{"removed":1}"#)
        #expect(try await admin.get("/api/v1/webhooks/hook").status == 404)
        #expect(try await admin.send("DELETE", "/api/v1/webhooks").text == #"{"removed":0}"#)
    }

    @Test(arguments: [#""event=removed""#, #"["event=removed","app!=b"]"#, #"{"details.count":{">":2}}"#])
    func itsConditionIsShownAsItWasSet(_ condition: String) async throws {
        let start = #"{"name":"hook","url":"http://localhost/","where":"#
        let set = try await admin.send("POST", "/api/v1/webhooks", start + condition + "}").text
        let shown = try #require(JSONValue(Array(set.utf8).span.bytes)?["where"])
        #expect(shown.text == condition)
        #expect(try await admin.send("POST", "/api/v1/webhooks", start + shown.text + "}").text == set)
    }

    @Test func oneCallForwardsAnAppsTokens() async throws {
        let path = "/api/v1/apps/com.example.app/token-webhook"
        #expect(try await admin.get(path).status == 404)
        let set = try await admin.send("PUT", path, #"{"url":"http://localhost:1/tokens"}"#)
        #expect(set.status == 201)
        #expect(
            set.text.hasPrefix(#"{"name":"tokens:com.example.app","events":["tokenIssued"],"app":"com.example.app""#))
        #expect(try await admin.get("/api/v1/webhooks/tokens:com.example.app").text == admin.get(path).text)
        let mistake = try await admin.send("PUT", path, #"{"url":"http://localhost/","events":["badge"]}"#)
        #expect(mistake.status == 400 && mistake.text.contains("'events' is unknown"))
        #expect(try await admin.send("DELETE", path).text == #"{"removed":1}"#)
    }

    @Test func theNumberOfWebhooksIsLimited() async throws {
        for number in 0...WebhookTable.maximumCount {
            let answer = try await admin.send(
                "POST", "/api/v1/webhooks", #"{"name":"\#(number)","url":"http://localhost/"}"#)
            #expect(answer.status == (number < WebhookTable.maximumCount ? 201 : 409))
        }
        let replaced = try await admin.send("POST", "/api/v1/webhooks", #"{"name":"0","url":"http://localhost/"}"#)
        #expect(replaced.status == 200)
    }

    @Test func aRegistrationIsAnEvent() async throws {
        try admin.register(topic: "com.example.other")
        async let waited = admin.get("/api/v1/devices/phone/events?kind=tokenIssued&since=1&wait=1m")
        await admin.waitForWaits(1)
        let first = try admin.register()
        #expect(try await waited.text.contains(#""topic":"com.example.app""#))
        // Registering the same token again is not an event.
        try admin.register()
        try admin.gateway.simulator.remove(first, at: admin.gateway.now())
        let second = try admin.register()
        let events = try await admin.get("/api/v1/devices/phone/events?kind=tokenIssued&since=2").text
        #expect(
            events.contains(
                #""details":{"environment":"sandbox","kind":"app","replaces":"\#(first.hex)","token":"\#(second.hex)","topic":"com.example.app"}"#
            ))
        #expect(events.split(separator: #""event":"tokenIssued""#).count == 2)
    }

    @Test func theGatewaysOwnAddressIsRejected() async throws {
        for host in ["127.0.0.1:8197", "localhost.:8197", "0.0.0.0:2197"] {
            let url = #"{"name":"loop","url":"http://\#(host)/api/v1/devices/phone/push"}"#
            let answer = try await admin.send("POST", "/api/v1/webhooks", url)
            #expect(answer.status == 400 && answer.text.contains("leads to this gateway itself"), "\(answer.text)")
            let tokens = #"{"url":"http://\#(host)/"}"#
            #expect(try await admin.send("PUT", "/api/v1/apps/com.a/token-webhook", tokens).status == 400)
        }
        #expect(try await admin.get("/api/v1/webhooks").text.contains(#""webhooks":[]"#))
    }
}
