import ArgumentParser
import CLI
import Testing

@testable import pushcote

/// Output of the list commands, and messages about unknown names.
@Suite struct ListCommandTests {
    @Test func requestsHaveTheirDiagnosis() async throws {
        let request = #"""
            {"number":18,"receivedAt":"2026-01-05T07:00:00.000Z"
            """#
        let page = """
            {"requests":[\(request),"status":200,"notification":17},\(request),"fault":"tea"},
            \(request),"status":403,"reason":"InvalidProviderToken","topic":"t","pushType":"alert",
            "diagnosis":{"id":"a.b","message":"kid and iss\\nlook swapped"}}],
            "next":"18","hasMore":false,"dropped":5,"isTruncated":true}
            """
        try await FakeGateway.with([(200, page)]) { _, client in
            let result = try await CommandTests.run(["requests"], with: client)
            #expect(
                result.output == """
                    NUMBER  RECEIVED                  STATUS  REASON                TYPE   TOPIC  ID  DIAGNOSIS
                    18      2026-01-05T07:00:00.000Z  403     InvalidProviderToken  alert  t      -   kid and iss look swapped
                    18      2026-01-05T07:00:00.000Z  none    -                     -      -      -   fault tea
                    18      2026-01-05T07:00:00.000Z  200     -                     -      -      17
                    """)
            #expect(result.remark == "Some requested requests have been evicted (5 in total).")
        }
    }

    @Test func aRequestIsPrintedAsAnOutline() async throws {
        let request = #"""
            {"number":18,"diagnosis":{"id":"a.b","message":"Swapped."},"findings":[],
            "headers":[{"name":":method","value":"POST"},{"name":"apns-topic","value":"t"}]}
            """#
        try await FakeGateway.with([(200, request)]) { _, client in
            let text = try await CommandTests.run(["requests", "18"], with: client).output
            #expect(
                text == """
                    number             18
                    diagnosis.id       a.b
                    diagnosis.message  Swapped.
                    findings           []
                    headers            name=:method value=POST
                                       name=apns-topic value=t
                    """)
        }
    }

    @Test func connectionsShowTheirTLS() async throws {
        let page = #"""
            {"connections":[{"number":1,"remoteAddress":"127.0.0.1:5","traffic":"provider",
            "httpVersion":"HTTP/2","tls":{"version":"TLSv1.3","serverName":"localhost"},"openedAt":"now","accepted":3,
            "refused":1,"ending":"client"}]}
            """#
        try await FakeGateway.with([(200, page)]) { _, client in
            let text = try await CommandTests.run(["connections"], with: client).output
            #expect(
                text == """
                    NUMBER  OPENED  FROM         LISTENER  HTTP    TLS      SNI        ACCEPTED  REJECTED  ENDED
                    1       now     127.0.0.1:5  provider  HTTP/2  TLSv1.3  localhost  3         1         client
                    """)
        }
    }

    @Test func appsAndKeys() async throws {
        let apps = #"""
            {"apps":[{"bundleId":"a","displayName":"Mail","entitlements":["com.apple.developer.x.time-sensitive"],
            "categories":[{"identifier":"PARCEL"}],"extension":{"kind":"http"}}]}
            """#
        let keys = #"{"keys":[{"keyId":"K","teamId":"T","environments":["sandbox"]}]}"#
        try await FakeGateway.with([(200, apps), (200, keys), (200, #"{"apps":[]}"#)]) { _, client in
            let text = try await CommandTests.run(["apps"], with: client).output
            #expect(
                text == """
                    APP  NAME  ENTITLEMENTS    CATEGORIES  EXTENSION
                    a    Mail  time-sensitive  PARCEL      http
                    """)
            #expect(
                try await CommandTests.run(["keys"], with: client).output == """
                    KEY ID  TEAM ID  ENVIRONMENTS  TOPICS
                    K       T        sandbox       all
                    """)
            #expect(try await CommandTests.run(["apps"], with: client).output.hasPrefix("There are no apps yet."))
        }
    }

    static let newer: [(arguments: [String], answer: String, shown: String)] = [
        (
            ["inbox"], #"{"notifications":[{"id":1,"state":"parked","holdReason":"rain","timing":"never"}]}"#,
            "parked: rain  never"
        ),
        (["devices"], #"{"devices":[{"registrations":[{"kind":"watch","status":"lent"}]}]}"#, "watch  lent"),
        (["events", "phone"], #"{"events":[{"number":1,"event":"danced"}]}"#, "danced"),
        (["act", "phone", "dance"], #"{"events":[{"number":1,"event":"danced"}]}"#, "danced"),
        (["clock"], #"{"now":"2026","mode":"lunar"}"#, "2026  lunar"),
        (["day", "phone"], #"{"lanes":[{"name":"A","pushes":[{"outcome":"sung","level":"loud"}]}]}"#, "loud   sung"),
        (["hygiene"], #"{"findings":[{"severity":"fatal","message":"M","id":"i"}]}"#, "fatal: M [i]"),
        (["screen", "phone"], #"{"prompts":[{"app":"a","prompt":"dance","choices":["tango"]}]}"#, "a: dance (tango)"),
    ]

    @Test("words and missing members of another version are no errors", arguments: newer)
    func printsNewWords(_ row: (arguments: [String], answer: String, shown: String)) async throws {
        try await FakeGateway.with([(200, row.answer)]) { _, client in
            let text = try await CommandTests.run(row.arguments, with: client).output
            #expect(text.contains(row.shown), "\(text)")
        }
    }

    @Test func setupNamesThisGateway() async throws {
        let info = #"""
            {"addresses":{"provider":["0.0.0.0:12197"],"clearText":["127.0.0.1:2197"]},
            "certificate":{"caFile":"/nowhere/certs/ca.pem"},
            "demonstrationKey":{"keyId":"KEY","teamId":"TEAM","file":"/nowhere/certs/AuthKey_KEY.p8"}}
            """#
        try await FakeGateway.with(Array(repeating: (200, info), count: 3)) { _, client in
            let pushy = try await CommandTests.run(["setup", "Pushy"], with: client)
            #expect(pushy.output.contains(#".setApnsServer("localhost", 12197)"#))
            #expect(pushy.output.contains(#"new File("/nowhere/certs/ca.pem")"#))
            #expect(pushy.output.contains(#"new File("/nowhere/certs/AuthKey_KEY.p8"), "TEAM", "KEY")"#))
            #expect(pushy.remark.contains("curl -O http://127.0.0.1:"))
            // Clear text uses the port that the documents use for TLS.
            let swift = try await CommandTests.run(["setup", "apnswift"], with: client)
            #expect(swift.output.contains(#".custom(url: "http://localhost", port: 2197)"#))
            #expect(swift.output.contains(#".custom(url: "https://localhost", port: 12197)"#))
            // A variable's name is unchanged.
            let goose = try await CommandTests.run(["setup", "mongoosepush"], with: client)
            #expect(goose.output.contains("PUSH_APNS_DEV_USE_2197=true"))
        }
    }

    static let unknown: [(arguments: [String], message: String?)] = [
        (["inbx", "phone"], "unknown command 'inbx'; did you mean inbox?"),
        (["fault", "aply", "G1"], "unknown command 'fault aply'; did you mean fault apply?"),
        (["state", "safe", "x"], "unknown command 'state safe'; did you mean state save?"),
        (["devices", "delet", "phone"], "unknown command 'devices delet'; did you mean devices delete?"),
        (["devices", "phone", "--lmit", "3"], nil), (["inbox", "a", "b"], nil), (["--verson"], nil),
        (["help", "inbx"], "unknown command 'inbx'; did you mean inbox?"),
        (["help", "state", "safe"], "unknown command 'state safe'; did you mean state save?"),
        (["help", "devices", "phone"], "unknown command 'devices phone'; accepted: list, create, generate, delete"),
        (["help", "devices", "create"], nil), (["help"], nil), (["help", "--all"], nil),
    ]

    @Test(arguments: unknown) func anUnknownCommandSuggestsTheNearest(_ row: (arguments: [String], message: String?)) {
        #expect(PushcoteCommand.unknownCommand(in: row.arguments) == row.message)
    }

    @Test(
        arguments: [
            (
                ["clock", "advance", "-1h"],
                "'-1h' is negative; accepted: a positive value, such as 1h. The clock never"
            ),
            (["wait", "phone", "--timeout", "-5s"], "'-5s' is negative; accepted: a positive value, such as 5s"),
            (["clock", "advance", "1h", "-h"], nil), (["exec", "--", "sleep", "-1"], nil), (["inbox", "a-1"], nil),
        ] as [([String], String?)])
    func aNegativeValueIsNotTakenForOptions(_ row: (arguments: [String], start: String?)) {
        let message = PushcoteCommand.negativeValue(in: row.arguments)?.message
        #expect(row.start.map { message?.hasPrefix($0) == true } ?? (message == nil), "\(message ?? "")")
    }

    @Test(arguments: [
        (["requests", "18"], ["--wait", "5s"]), (["requests", "18"], ["--follow"]),
        (["requests", "18"], ["--since", "3"]),
        (["activities", "phone", "A"], ["--wait", "5s"]),
        (["activities", "phone", "A"], ["--app", "com.example.app"]),
    ]) func oneElementHasNoOptionsOfTheList(_ element: [String], _ option: [String]) throws {
        _ = try PushcoteCommand.parseAsRoot(element)
        #expect {
            try PushcoteCommand.parseAsRoot(element + option)
        } throws: { PushcoteCommand.message(for: $0).hasPrefix("\(option[0]) needs the list; give it without '") }
    }

    @Test(arguments: [["requests"], ["events", "phone"]]) func listsDoNotFollowAndWait(_ list: [String]) {
        #expect {
            try PushcoteCommand.parseAsRoot(list + ["--follow", "--wait", "5s"])
        } throws: { PushcoteCommand.message(for: $0) == "--follow and --wait exclude each other" }
    }

    @Test func anUnknownWordListsTheCommands() {
        #expect(
            PushcoteCommand.unknownCommand(in: ["zzzzzzzzzz"])?.hasPrefix(
                "unknown command 'zzzzzzzzzz'; accepted: serve, ") == true)
    }
}
