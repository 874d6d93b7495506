import DeviceModel
import DeviceSimulator
import Gateway
import Lint
import Testing

@testable import AdminAPI

/// The lint API.
@Suite(.admin) struct LintTests {
    @Test func theCatalogueHasEveryRule() async throws {
        let answer = try await withAdmin(AdminConfiguration(silencedFindings: ["badge.misuse"])) {
            try await $0.get("/api/v1/lint")
        }
        for rule in Lint.rules {
            #expect(answer.text.contains(#"{"id":"\#(rule.id)","severity":"\#(rule.severity.rawValue)","sentence":"#))
        }
        #expect(answer.text.split(separator: #""isSilenced":true"#).count == 2)
    }

    @Test func aPushIsLintedWithoutBeingSent() async throws {
        let loose = #"{"aps":{"alert":"Your order is on its way"}}"#
        let answer = try await admin.send("POST", "/api/v1/lint", loose)
        #expect(answer.status == 200)
        #expect(answer.text.contains(#"{"id":"body.noPunctuation","severity":"info","message":"#))
        #expect(answer.text.contains(#""path":"aps.alert","source":"HIG Notifications (S3-15)","fix":""#))
        #expect(!answer.text.contains("categoryFindings"))
        let good = try await admin.send(
            "POST", "/api/v1/lint", #"{"aps":{"alert":{"title":"Order 7","body":"It is ready."}}}"#)
        #expect(good.text == #"{"findings":[]}"#)
        #expect(try await admin.get("/api/v1/notifications").text.hasPrefix(#"{"notifications":[]"#))
    }

    @Test(arguments: ["{", "[]", #"{"aps":1}"#]) func unreadableInputIsAFinding(_ body: String) async throws {
        let answer = try await admin.send("POST", "/api/v1/lint", body)
        #expect(answer.status == 200)
        #expect(answer.text.contains(#""severity":"error""#))
    }

    @Test func topicFileOrParameterNamesTheApp() async throws {
        let app = #"{"categories":[{"identifier":"M","actions":[{"identifier":"A","title":"a"}]}]}"#
        #expect(try await admin.send("PUT", "/api/v1/apps/com.example.app", app).status == 201)
        let body = #"{"aps":{"alert":"Your order is ready.","category":"X"}}"#
        let file = #"{"Simulator Target Bundle":"com.example.app","# + body.dropFirst()
        let answers = [
            try await admin.send("POST", "/api/v1/lint?app=com.example.app", body),
            try await admin.send("POST", "/api/v1/lint?topic=com.example.app&pushType=alert", body),
            try await admin.send("POST", "/api/v1/lint", file),
        ]
        #expect(answers.map(\.text).allSatisfy { $0 == answers[0].text })
        #expect(answers[0].text.contains(#""categoryFindings":[{"id":""#))
        #expect(answers[0].text.contains(#""path":"aps.category""#))
        let both = try await admin.send("POST", "/api/v1/lint?app=a&topic=a", body)
        #expect(both.status == 400 && both.text.contains("use one"))
        #expect(try await admin.send("POST", "/api/v1/lint?device=none", body).status == 404)
        #expect(try await admin.send("POST", "/api/v1/lint?pushType=x", body).status == 400)
    }

    @Test("S3-18 repeated texts are found in POST lint and in a device's inbox")
    func historyIsThatOfTheDevice() async throws {
        let body = #"{"aps":{"alert":"Your order is ready."}}"#
        let token = try admin.register()
        #expect(admin.push(token, body) == 200)
        let query = "/api/v1/lint?topic=com.example.app&device="
        try admin.register("pad")
        #expect(!(try await admin.send("POST", query + "pad", body).text.contains("content.duplicate")))
        #expect(try await admin.send("POST", query + "phone", body).text.contains("content.duplicate"))
        #expect(admin.push(token, body) == 200)
        #expect(!(try await admin.get("/api/v1/notifications/1").text.contains("content.duplicate")))
        #expect(try await admin.get("/api/v1/notifications/2").text.contains("content.duplicate"))
    }

    @Test("I.3 a text is repeated if the earlier one was listed when it came, whatever the person does later")
    func historyEndsWithTheArrival() async throws {
        admin.gateway.simulator.assumptions.duplicateWindow = -1
        let token = try admin.register()
        let body = #"{"aps":{"alert":"Your order is ready."}}"#
        func dismiss(_ number: Int) async throws {
            let act = #"{"action":"dismiss","notification":\#(number)}"#
            #expect(try await admin.send("POST", "/api/v1/devices/phone/actions", act).status == 200)
        }
        func isRepeated(_ number: Int) async throws -> Bool {
            try await admin.get("/api/v1/notifications/\(number)").text.contains("content.duplicate")
        }
        for number in 1...3 {
            #expect(admin.push(token, body) == 200)
            #expect(try await isRepeated(number) == (number == 2))
            if number == 2 { for other in 1...2 { try await dismiss(other) } }
        }
        #expect(try await isRepeated(2))
    }

    @Test(
        "a sentence keeps an identifier at its start",
        arguments: [
            ("com.ex.app is unknown", "com.ex.app is unknown."), ("the app is unknown", "The app is unknown."),
            ("phone-1 is off", "phone-1 is off."), ("no, why?", "No, why?"), ("iPhone is off", "iPhone is off."),
        ])
    func identifiersAreNotCapitalized(_ message: String, _ sentence: String) {
        #expect(AdminError.sentence(message) == sentence)
    }

    @Test func silencedRulesAreNotReported() async throws {
        let silenced: Set<String> = ["body.noPunctuation", "push-type.missing", "title.missing.comm"]
        try await withAdmin(AdminConfiguration(silencedFindings: silenced)) { admin in
            #expect(admin.push(try admin.register(), fields: []) == 200)
            let text = try await admin.get("/api/v1/notifications/1").text
            #expect(text.contains(#""findings":[]"#) && text.contains(#""findingCount":0"#))
            let answer = try await admin.send("POST", "/api/v1/lint", #"{"aps":{"alert":"Hi"}}"#)
            #expect(answer.text == #"{"findings":[]}"#)
        }
    }
}
