import Testing

@testable import AdminAPI

/// Access control.
@Suite struct AccessTests {
    static let hosts: [(host: String, status: Int)] = [
        ("localhost", 200), ("LOCALHOST:8197", 200), ("127.0.0.1:1", 200), ("[::1]:8197", 200), ("[::1]", 200),
        ("localhost.", 200), ("pushcote.test:80", 200), ("pushcote", 200), ("10.1.2.3:8197", 200), ("[::2]", 200),
        ("evil.example", 403), ("localhost.evil.example", 403), ("127.0.0.1.evil.example:8197", 403),
        ("1.2.3.evil", 403),
    ]

    @Test(.admin(AdminConfiguration(allowedHosts: ["Pushcote.test"]))) func aForeignHostNameIsRejected() async throws {
        for (host, status) in Self.hosts {
            let answer = try await admin.send("GET", "/api/v1/devices", headers: [("Host", host)])
            #expect(answer.status == status, "\(host)")
            if status == 403 { #expect(answer.text.contains("`admin.allowedHosts`")) }
        }
    }

    @Test(.admin) func aPageOfAnotherOriginIsRejected() async throws {
        let rows = [
            ("http://localhost:8197", 200), ("http://localhost:3000", 403), ("https://evil.example", 403),
            ("null", 403),
        ]
        for (origin, status) in rows {
            let headers = [("Host", "localhost:8197"), ("Origin", origin)]
            let answer = try await admin.send("GET", "/livez", headers: headers)
            #expect(answer.status == status, "\(origin)")
        }
    }

    @Test(.admin) func nodesFetchIsNoBrowser() async throws {
        // Sent by Node 18 to 24 for `fetch(url, {method: "POST", body: "{}"})`.
        let node = [
            ("Sec-Fetch-Mode", "cors"), ("User-Agent", "node"), ("Content-Type", "text/plain;charset=UTF-8"),
        ]
        let accepted = try await admin.send("POST", "/api/v1/keys", "{}", headers: node)
        #expect(accepted.status / 100 == 2)
        let browser = node.map { $0.0 == "User-Agent" ? ($0.0, "Mozilla/5.0") : $0 }
        let refused = try await admin.send("POST", "/api/v1/keys", "{}", headers: browser)
        #expect(refused.status == 415)
    }

    @Test(.admin(AdminConfiguration(token: "correct-horse")))
    func neitherTheTokenNorAPrivateKeyIsReturned() async throws {
        let headers = [("Authorization", "Bearer correct-horse")]
        let minted = try await admin.send("POST", "/api/v1/keys", "{}", headers: headers)
        #expect(minted.text.contains("PRIVATE KEY"), "the one answer that has it")
        for (method, path, _) in makeAdmin(admin.gateway).endingPaths where method == "GET" {
            for headers in [headers, [("Authorization", "Bearer correct-hors")]] {
                let answer = try await admin.send(method, path.replacing(/\{[^}]*}/, with: "1"), headers: headers)
                #expect(!answer.text.contains("correct-hors") && !answer.text.contains("PRIVATE"), "\(path)")
            }
        }
    }

    @Test(.admin(AdminConfiguration(token: "secret")))
    func everythingExceptProbesAndCertificatesRequiresTheToken() async throws {
        for path in ["/livez", "/readyz", "/ca.pem", "/bundle.pem", "/ca.p12", "/api/v1/livez", "/api/v1/ca.pem"] {
            #expect(try await admin.get(path).status == 200, "\(path)")
        }
        for path in ["/metrics", "/openapi.yaml", "/api/v1/info", "/api/v1/notifications", "/nothing"] {
            let answer = try await admin.get(path)
            #expect(answer.status == 401, "\(path)")
            #expect(answer.headers["www-authenticate"] == "Bearer")
        }
        let rows = [
            ("Bearer secret", 200), ("bearer secret", 200), ("Bearer secre", 401), ("Bearer secrets", 401),
            ("secret", 401), ("Basic secret", 401), ("Bearer ", 401),
        ]
        for (value, status) in rows {
            let answer = try await admin.send("GET", "/api/v1/info", headers: [("Authorization", value)])
            #expect(answer.status == status, "\(value)")
        }
    }
}
