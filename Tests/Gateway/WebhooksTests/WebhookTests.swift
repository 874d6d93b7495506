import DeviceModel
import DeviceSimulator
import Fields
import JSON
import NIOCore
import Testing
import Time

@testable import Webhooks

/// What a webhook accepts, which events it selects, and the requests it makes.
@Suite struct WebhookTests {
    static func event(
        _ kind: DeviceEvent.Kind = .tokenIssued, _ details: JSONObject = [:], app: String? = "com.example.app"
    ) -> DeviceEvent {
        DeviceEvent(number: 7, at: Instant(milliseconds: 0), kind: kind, app: app, details: details)
    }

    private static let token: JSONObject = [
        "kind": "app", "topic": "com.example.app", "environment": "sandbox", "token": "80ab",
    ]

    private func webhook(_ members: JSONObject) throws(FieldError) -> Webhook {
        var webhook = Webhook()
        try webhook.apply(.object(members))
        return webhook
    }

    private func problem(_ edit: (inout JSONObject) -> Void) -> String {
        var members: JSONObject = ["name": "hook", "url": "http://127.0.0.1:9000/hook"]
        edit(&members)
        do throws(FieldError) {
            _ = try webhook(members)
            return ""
        } catch {
            return error.description
        }
    }

    @Test func namesTheMemberAndTheRemedy() {
        #expect(problem { _ in } == "")
        #expect(problem { $0["url"] = nil }.hasPrefix("url is missing"))
        #expect(problem { $0["url"] = "https://example.com" } == "")
        #expect(problem { $0["ca"] = "" }.hasPrefix("ca is"))
        #expect(problem { $0["url"] = "localhost:9000" }.hasPrefix("url is not a URL; accepted: one such as http://"))
        #expect(problem { $0["url"] = "http://me@localhost/" }.hasPrefix("url is not a URL"))
        #expect(problem { $0["url"] = "http://{device}/" }.hasPrefix("url is not a URL"))
        #expect(problem { $0["url"] = "http://localhost{token}?t={token}" }.hasPrefix("url is not a URL"))
        #expect(problem { $0["url"] = "http://localhost?t={token}" }.isEmpty)
        #expect(problem { $0["url"] = "http://localhost/{tokn}" }.contains("{tokn}; did you mean {token}?"))
        #expect(problem { $0["body"] = "{\"token\":\"{nothing}\"}" }.contains("unknown placeholder {nothing}"))
        #expect(problem { $0["body"] = .string(String(repeating: "x", count: 65_537)) }.contains("at most 64 KiB"))
        #expect(problem { $0["body"] = .string(String(repeating: "x", count: 65_536)) } == "")
        #expect(problem { $0["events"] = ["tappd"] }.contains("did you mean tapped?"))
        #expect(problem { $0["method"] = "GET" }.contains("accepted: POST, PUT, PATCH or DELETE"))
        #expect(problem { $0["timeout"] = "0s" }.contains("timeout is 0s"))
        #expect(problem { $0["timeout"] = "61s" }.contains("at most 60s"))
        #expect(problem { $0["headers"] = ["content-length": "1"] }.contains("is set by the gateway"))
        #expect(problem { $0["headers"] = ["a": "b\r\nc: d"] }.contains("is not a header"))
        #expect(problem { $0["headers"] = ["a b": "c"] }.contains("is not a header"))
        #expect(problem { $0["name"] = "a/b" }.contains("is not a webhook's name"))
    }

    private static let tap = "com.apple.UNNotificationDefaultActionIdentifier"
    private static let away = "com.apple.UNNotificationDismissActionIdentifier"

    @Test(arguments: [
        ("tapped", event(.response, ["actionIdentifier": .string(tap)]), true),
        ("tapped", event(.response, ["actionIdentifier": "LIKE"]), false),
        ("acted", event(.response, ["actionIdentifier": "LIKE"]), true),
        ("acted", event(.response, ["actionIdentifier": .string(tap)]), false),
        ("acted", event(.response, ["actionIdentifier": .string(away)]), false),
        ("dismissed", event(.removed, ["reason": "dismissed"]), true),
        ("dismissed", event(.removed, ["reason": "cleared"]), true),
        ("dismissed", event(.removed, ["reason": "removedByApp"]), false),
        ("removed", event(.removed, ["reason": "removedByApp"]), true),
        ("delivered", event(.contentDelivered), true), ("delivered", event(.backgroundPush), true),
        ("delivered", event(.received), false), ("tokenIssued", event(), true), ("tokenIssued", event(.badge), false),
    ]) func selects(_ word: String, _ event: DeviceEvent, _ isSelected: Bool) throws {
        let webhook = try webhook(["name": "hook", "url": "http://localhost/", "events": .strings([word])])
        #expect(webhook.selects(event, on: "phone") == isSelected)
    }

    @Test func filtersByAppAndDevice() throws {
        let one = try webhook(["name": "hook", "url": "http://localhost/", "app": "com.example.app", "device": "phone"])
        #expect(one.selects(Self.event(), on: "phone"))
        #expect(!one.selects(Self.event(), on: "tablet"))
        #expect(!one.selects(Self.event(app: "com.example.mail"), on: "phone"))
        #expect(!one.selects(Self.event(app: nil), on: "phone"))
        #expect(Webhook(tokensOf: "com.example.app").selects(Self.event(), on: "any"))
        #expect(!Webhook(tokensOf: "com.example.app").selects(Self.event(.badge), on: "any"))
    }

    @Test func filtersByConditions() throws {
        let object: JSONValue = ["event": ["equals": "badge"], "details.count": [">": .integer(2)]]
        for conditions in [["event=badge", "details.count>2"], object] as [JSONValue] {
            let one = try webhook(["name": "hook", "url": "http://localhost/", "where": conditions])
            #expect(one.selects(Self.event(.badge, ["count": .integer(3)]), on: "phone"))
            #expect(!one.selects(Self.event(.badge, ["count": .integer(2)]), on: "phone"))
            #expect(!one.selects(Self.event(.removed, ["count": .integer(3)]), on: "phone"))
            #expect(one.json["where"] == conditions)
        }
        #expect(problem { $0["where"] = "kind=badge" }.hasPrefix("where is \"kind=badge\", which is wrong at column 1"))
    }

    private func base(with members: JSONObject) -> JSONObject {
        var all: JSONObject = ["name": "hook", "url": "http://localhost/"]
        for (name, value) in members { all[name] = value }
        return all
    }

    private func request(_ members: JSONObject, _ details: JSONObject = token, on device: String = "phone") throws
        -> WebhookRequest
    {
        let webhook = try webhook(base(with: members))
        let delivery = WebhookDelivery(
            Self.event(.tokenIssued, details), on: device, in: DeviceLife(), to: "hook")
        return WebhookRequest(
            webhook: webhook, number: 1, delivery: delivery, standardBody: Array("standard".utf8), trust: WebhookTrust()
        )
    }

    @Test func fillsInPlaceholders() throws {
        let body =
            #"{"kind":"{kind}","app":"{app}","token":"{token}","env":"{environment}","old":"{replaces}","n":{number}}"#
        let filled = #"{"kind":"app","app":"com.example.app","token":"80ab","env":"sandbox","old":"","n":7}"#
        #expect(String(decoding: try request(["body": .string(body)]).body, as: UTF8.self) == filled)
        let object: JSONValue = ["token": "{token}", "device": "{device}"]
        let text = String(decoding: try request(["body": object], on: "My \"phone\"").body, as: UTF8.self)
        #expect(text == #"{"token":"80ab","device":"My \"phone\""}"#)
        #expect(
            try request(["url": "http://localhost/{device}/{token}"], on: "a b/ü").url
                == "http://localhost/a%20b%2F%C3%BC/80ab")
        let form = try request(
            [
                "body": "t={token}&d={device}", "headers": ["Content-Type": "application/x-www-form-urlencoded"],
            ], on: "a&b")
        #expect(String(decoding: form.body, as: UTF8.self) == "t=80ab&d=a%26b")
        #expect(String(decoding: try request([:]).body, as: UTF8.self) == "standard")
    }

    /// RFC 4231, test case 2.
    @Test func signsTheBody() throws {
        let headers = try request(["secret": "Jefe", "headers": ["authorization": "Bearer x"]])
            .headers(Array("what do ya want for nothing?".utf8))
        let fields = Dictionary(uniqueKeysWithValues: headers.map { ($0.name, $0.value) })
        #expect(
            fields["pushcote-signature"]
                == "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        #expect(fields["authorization"] == "Bearer x" && fields["content-type"] == "application/json")
        #expect(fields["pushcote-event"] == "tokenIssued")
        #expect(fields["pushcote-delivery"]?.utf8.count == 32)
        #expect(try request([:]).headers([]).allSatisfy { $0.name != "pushcote-signature" })
    }

    @Test func aDeliveryIdentifierDependsOnTheEvent() {
        var (life, event) = (DeviceLife(), Self.event())
        func id(_ device: String = "phone", _ webhook: String = "hook") -> String {
            WebhookDelivery(event, on: device, in: life, to: webhook).id
        }
        let first = id()
        #expect(id() == first)
        var ids = [first, id("tablet"), id("phone", "other")]
        event.notification = 9
        ids.append(id())
        life.generation = 1
        ids.append(id())
        life.deletedBefore = 1
        ids.append(id())
        #expect(Set(ids).count == 6)
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    init(stringLiteral value: String) { self = .string(value) }
    init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

/// What a webhook or the relay must not be set to: an address of this gateway.
@Suite struct OwnAddressTests {
    static let machine = (try? System.enumerateDevices())?.compactMap(\.address?.ipAddress) ?? []

    /// A host, a listener's host, and whether a connection reaches it.
    static let rows: [(host: String, listener: String, isOwn: Bool)] =
        ["127.0.0.1", "0.0.0.0", "::ffff:127.0.0.1", "localhost", "localhost.", "LOCALHOST", "127.1", "2130706433"]
        .flatMap { [($0, "127.0.0.1", true), ($0, "0.0.0.0", true), ($0, "::", true)] }
        + ["::1", "::", "localhost"].flatMap { [($0, "::1", true), ($0, "::", true)] }
        + machine.filter { !$0.contains(":") }.map { ($0, "0.0.0.0", true) }
        + [
            ("127.0.0.2", "0.0.0.0", true), ("127.0.0.2", "127.0.0.1", false), ("127.0.0.1", "127.0.0.2", false),
            ("::1", "127.0.0.1", false), ("::1", "0.0.0.0", false), ("192.0.2.1", "0.0.0.0", false),
            ("192.0.2.1", "::", false), ("no.such.name.invalid", "0.0.0.0", false),
        ]

    @Test(arguments: rows) func isRecognised(_ host: String, _ listener: String, _ isOwn: Bool) {
        var webhook = Webhook()
        webhook.url = "http://\(HostPort(host: host, port: 8197).text)/hook"
        #expect(webhook.leads(to: [HostPort(host: listener, port: 8197)]) == isOwn)
        #expect(!webhook.leads(to: [HostPort(host: listener, port: 8198)]), "another port")
    }

    @Test(arguments: [
        ("http://127.0.0.1:8197/api/v1/devices/{device}/push", true), ("http://localhost:8197", true),
        ("http://127.0.0.1:9000/?to=127.0.0.1:8197", false), ("http://127.0.0.1/", false), ("", false),
    ]) func aWebhooksHostCounts(_ url: String, _ isOwn: Bool) {
        var webhook = Webhook()
        webhook.url = url
        #expect(webhook.leads(to: HostPort.loopback(8197)) == isOwn)
    }
}
