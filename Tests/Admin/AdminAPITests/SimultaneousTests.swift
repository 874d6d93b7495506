import JSON
import Testing

/// Calls at the same time: what one is given, counts or keeps is not another's.
@Suite(.admin) struct SimultaneousTests {
    @Test("each donation has its own number and name, and each deletion counts what it removed itself")
    func numbersDonations() async throws {
        _ = try await admin.send("PUT", "/api/v1/devices/phone")
        let path = "/api/v1/devices/phone/donations"
        let body = #"{"app":"com.example.app","interaction":{"intent":{"class":"OrderIntent"}}}"#
        let names = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<16 {
                group.addTask {
                    var names: [String] = []
                    for _ in 0..<40 { names.append(Self.name(in: try await admin.send("POST", path, body))) }
                    return names
                }
            }
            return try await group.reduce([], +)
        }
        #expect(names.count == 640)
        #expect(Set(names) == Set((1...640).map { "\(JSONValue.integer($0)) donation-\($0)" }))
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<16 {
                group.addTask { Self.count(in: try await admin.send("DELETE", path + "?app=com.example.app")) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts.filter { $0 != 0 } == [640])
    }

    private static func name(in answer: Answer) -> String {
        let donation = JSONValue(answer.body.span.bytes)?["donation"]
        return "\(donation?["number"] ?? .null) \(donation?["interaction"]?["identifier"]?.string ?? "")"
    }

    private static func count(in answer: Answer) -> Int {
        if case .integer(let count) = JSONValue(answer.body.span.bytes)?["removed"] { count } else { -1 }
    }

    @Test(
        "each edit keeps what the others changed",
        arguments: [
            (
                "/api/v1/apps/com.example.app",
                [#""ptt":"#, #""locationExtension":"#, #""isFocusStatusAuthorized":"#, #""hasServiceExtension":"#]
            ),
            ("/api/v1/devices/phone/calendar", [#""whatsNewAcknowledged":"#, #""travelTime":"#]),
        ])
    func keepsEdits(_ path: String, _ members: [String]) async throws {
        _ = try await admin.send("PUT", "/api/v1/devices/phone")
        _ = try await admin.send("PUT", "/api/v1/apps/com.example.app")
        for round in 0..<40 {
            let isOn = round.isMultiple(of: 2)
            let texts = members.map { $0.contains("travelTime") ? $0 + (isOn ? #""30m""# : #""1h""#) : $0 + "\(isOn)" }
            try await withThrowingTaskGroup(of: Int.self) { group in
                for text in texts { group.addTask { try await admin.send("PATCH", path, "{\(text)}").status } }
                for try await status in group where status != 200 { Issue.record("\(status)") }
            }
            let text = try await admin.get(path).text
            #expect(texts.allSatisfy(text.contains), "\(round): \(text)")
        }
    }
}
