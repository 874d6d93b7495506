import HTTPTypes
import Logging
import Synchronization
import Testing

@testable import AdminAPI

/// Browsers log in with the token and then use a cookie.
@Suite(.admin(AdminConfiguration(token: "secret"))) struct SessionTests {
    static let token = "secret"
    static let host = ("Host", "localhost:8197")
    static let ownPage = [host, ("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-Mode", "cors")]
    static let json = ("Content-Type", "application/json")

    @Test func aLoginOpensASessionForThePagesOwnRequests() async throws {
        let before = try await admin.get("/api/v1/session")
        #expect(before.status == 200 && before.text.contains(#""isLoginNeeded":true"#))
        let cookie = try await Self.logIn(admin)
        // EventSource and images send neither Origin nor Authorization.
        for path in ["/api/v1/notifications", "/metrics", "/api/v1/info"] {
            #expect(try await admin.send("GET", path, headers: Self.ownPage + [cookie]).status == 200)
            #expect(try await admin.send("GET", path, headers: Self.ownPage).status == 401)
        }
        let posted = Self.ownPage + [cookie, Self.json, ("Origin", "http://localhost:8197")]
        #expect(try await admin.send("POST", "/api/v1/reset", "{}", headers: posted).status == 200)
        let after = try await admin.send("GET", "/api/v1/session", headers: Self.ownPage + [cookie])
        #expect(after.text.contains(#""isLoginNeeded":false"#))
    }

    @Test func theCookieHasEveryFlagAndNotTheToken() async throws {
        let answer = try await Self.login(admin, Self.token)
        let cookie = try #require(answer.headers["set-cookie"])
        let form = /pushcote_8197=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200/
        #expect(cookie.wholeMatch(of: form) != nil, "\(cookie)")
        #expect(!answer.text.contains(Self.token))
        #expect(try await Self.login(admin, Self.token).headers["set-cookie"] != cookie)
        let elsewhere = try await admin.send(
            "POST", "/api/v1/session", #"{"token":"secret"}"#, headers: [("Host", "[::1]")])
        #expect(elsewhere.headers["set-cookie"]?.hasPrefix("pushcote_80=") == true)
    }

    /// The other headers of a request with a valid cookie, and the expected status.
    static let marks: [(headers: [(String, String)], status: Int)] = [
        ([host, ("Sec-Fetch-Site", "same-origin")], 200),
        ([host, ("Sec-Fetch-Site", "none")], 200),
        ([host, ("Origin", "http://localhost:8197")], 200),
        ([host], 401),
        ([host, ("Sec-Fetch-Site", "same-site")], 403),
        ([host, ("Sec-Fetch-Site", "cross-site")], 403),
        ([host, ("Origin", "http://localhost:3000")], 403),
        // A link from another page may be followed, but not with the session.
        (
            [host, ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document")],
            401
        ),
        // A foreign name that resolves to this machine (DNS rebinding).
        ([("Host", "evil.example:8197"), ("Sec-Fetch-Site", "same-origin")], 403),
        // The gateway on the next port, with the cookie of this one.
        ([("Host", "localhost:8198"), ("Sec-Fetch-Site", "same-origin")], 401),
        ([host, ("Sec-Fetch-Site", "same-origin"), ("Authorization", "Bearer wrong")], 401),
    ]

    @Test func aSessionIsValidOnlyForThePageItself() async throws {
        let cookie = try await Self.logIn(admin)
        for row in Self.marks {
            let answer = try await admin.send("GET", "/api/v1/info", headers: row.headers + [cookie])
            #expect(answer.status == row.status, "\(row.headers)")
        }
        let unmarked = try await admin.send("GET", "/api/v1/info", headers: [Self.host, cookie])
        #expect(unmarked.text.contains("Sec-Fetch-Site"))
        let crossSite = [Self.host, cookie, Self.json, ("Sec-Fetch-Site", "cross-site")]
        for method in ["POST", "DELETE"] {
            let answer = try await admin.send(method, "/api/v1/session", #"{"token":"x"}"#, headers: crossSite)
            #expect(answer.status == 403)
        }
        #expect(try await admin.send("POST", "/api/v1/reset", "{}", headers: crossSite).status == 403)
        #expect(try await admin.send("GET", "/api/v1/info", headers: Self.ownPage + [cookie]).status == 200)
    }

    @Test func otherCookiesAreIgnored() async throws {
        let (_, cookie) = try await Self.logIn(admin)
        let value = try #require(cookie.split(separator: "=").last)
        let rows = [
            ("a=1; \(cookie); b=2", 200), ("pushcote_8197=x; \(cookie)", 200), ("pushcote_8198=\(value)", 401),
            ("pushcote_8197=", 401), ("pushcote_8197=\(value.dropLast())", 401), ("xpushcote_8197=\(value)", 401),
            (String(value), 401), ("", 401), ("pushcote_8197=secret", 401),
        ]
        for (cookie, status) in rows {
            let answer = try await admin.send("GET", "/api/v1/info", headers: Self.ownPage + [("Cookie", cookie)])
            #expect(answer.status == status, "\(cookie)")
        }
    }

    @Test func aLogoutEndsTheSession() async throws {
        let (first, second) = (try await Self.logIn(admin), try await Self.logIn(admin))
        let answer = try await admin.send("DELETE", "/api/v1/session", headers: Self.ownPage + [first])
        #expect(answer.status == 200 && answer.text.contains(#""isLoginNeeded":true"#))
        let removal = "pushcote_8197=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0"
        #expect(answer.headers["set-cookie"] == removal)
        #expect(try await admin.send("GET", "/api/v1/info", headers: Self.ownPage + [first]).status == 401)
        #expect(try await admin.send("GET", "/api/v1/info", headers: Self.ownPage + [second]).status == 200)
    }

    @Test func afterFiveWrongTokensOnlyTheRightOneIsJudged() async throws {
        let clock = TestClock()
        try await withAdmin(AdminConfiguration(token: Self.token, now: clock.now)) { admin in
            let bearer = { (token: String) in
                try await admin.send("GET", "/api/v1/info", headers: [("Authorization", "Bearer \(token)")])
            }
            let cookie = try await Self.logIn(admin)
            for _ in 1...3 {
                let wrong = try await Self.login(admin, "secre")
                #expect(wrong.status == 401 && wrong.headers["set-cookie"] == nil)
            }
            for _ in 1...2 { #expect(try await bearer("secre").status == 401) }
            for rejected in [try await Self.login(admin, "secre"), try await bearer("secre")] {
                #expect(rejected.status == 429 && rejected.headers["set-cookie"] == nil)
                #expect(rejected.headers["retry-after"] == "10")
            }
            // A missing token is no guess.
            #expect(try await admin.get("/api/v1/info").status == 401)
            #expect(try await Self.login(admin, Self.token).status == 200)
            #expect(try await bearer(Self.token).status == 200)
            #expect(try await admin.send("GET", "/api/v1/info", headers: Self.ownPage + [cookie]).status == 200)
            clock.advance(by: .seconds(9) + .nanoseconds(1))
            #expect(try await bearer("secre").headers["retry-after"] == "1")
        }
    }

    @Test(.admin) func wrongTokensAreALineInTenSeconds() {
        let clock = TestClock()
        let lines = Lines()
        let tokens = WrongTokens(now: clock.now, Logger(label: "test") { _ in lines })
        for _ in 1...300 { _ = tokens.rejection() }
        #expect(lines.all == ["Wrong tokens for the admin API 1"])
        clock.advance(by: .seconds(10))
        for _ in 1...3 { _ = tokens.rejection() }
        #expect(lines.all == ["Wrong tokens for the admin API 1", "Wrong tokens for the admin API 300"])
    }

    /// Records messages and their `count`.
    private final class Lines: LogHandler, Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        var metadata: Logger.Metadata {
            get { [:] }
            set {}
        }
        var logLevel: Logger.Level {
            get { .info }
            set {}
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { nil }
            set {}
        }

        func log(event: LogEvent) {
            let count = event.metadata?["count"].map { "\($0)" } ?? ""
            lines.withLock { $0.append("\(event.message) \(count)") }
        }
    }

    @Test(.admin) func withoutATokenNoLoginIsNeeded() async throws {
        for (method, body) in [("GET", ""), ("POST", #"{"token":"x"}"#), ("DELETE", "")] {
            let answer = try await admin.send(method, "/api/v1/session", body)
            #expect(answer.status == 200 && answer.headers["set-cookie"] == nil, "\(method)")
            let words =
                #"{"isLoginNeeded":false,"isLoggedIn":false,"message":"No login is needed: `admin.token` is not set."}"#
            #expect(answer.text == words)
        }
    }

    // MARK: Limits

    @Test func aSessionEndsAfterTwelveHours() throws {
        let clock = TestClock()
        let table = SessionTable(now: clock.now)
        let value = table.open()
        clock.advance(by: .seconds(43_200) - .nanoseconds(1))
        #expect(table.contains(value))
        clock.advance(by: .nanoseconds(1))
        #expect(!table.contains(value))
    }

    @Test func theSixtyFifthSessionEndsTheOldest() throws {
        let table = SessionTable(now: TestClock().now)
        let values = (1...64).map { _ in table.open() }
        #expect(Set(values).count == 64 && values.allSatisfy(table.contains))
        let last = table.open()
        #expect(!table.contains(values[0]) && table.contains(last))
        #expect(values.dropFirst().allSatisfy(table.contains))
    }

    @Test func wrongTokensCountForTenSeconds() throws {
        let clock = TestClock()
        let table = WrongTokens(now: clock.now, Logger(label: "test") { _ in Lines() })
        for _ in 1...4 { #expect(table.rejection().status.code == 401) }
        clock.advance(by: .seconds(5))
        #expect(table.rejection().status.code == 401)
        #expect(table.rejection().status.code == 429)
        clock.advance(by: .seconds(5) - .nanoseconds(1))
        #expect(table.rejection().status.code == 429)
        clock.advance(by: .nanoseconds(1))
        // Four have expired, the fifth has not.
        for _ in 1...4 { #expect(table.rejection().status.code == 401) }
        #expect(table.rejection().status.code == 429)
    }

    // MARK: Every answer

    @Test func everyAnswerHasSecurityHeaders() async throws {
        let rows: [(path: String, headers: [(String, String)], status: Int)] = [
            ("/livez", [], 200), ("/ca.pem", [], 200), ("/api/v1/info", [], 401),
            ("/nothing", [("Authorization", "Bearer secret")], 404), ("/livez", [("Host", "evil.example")], 403),
        ]
        for row in rows {
            let answer = try await admin.send("GET", row.path, headers: row.headers)
            #expect(answer.status == row.status)
            #expect(answer.headers["x-content-type-options"] == "nosniff")
            #expect(answer.headers["referrer-policy"] == "no-referrer")
            #expect(answer.headers["cross-origin-opener-policy"] == "same-origin")
            #expect(answer.headers["cross-origin-resource-policy"] == "same-origin")
        }
    }

    // MARK: Fixture

    private static func login(_ admin: AdminFixture, _ token: String) async throws -> Answer {
        try await admin.send(
            "POST", "/api/v1/session", #"{"token":"\#(token)"}"#,
            headers: ownPage + [json, ("Origin", "http://localhost:8197")])
    }

    /// The cookie as a browser returns it.
    private static func logIn(_ admin: AdminFixture) async throws -> (String, String) {
        let answer = try await login(admin, token)
        try #require(answer.status == 200)
        return ("Cookie", String(try #require(answer.headers["set-cookie"]).prefix { $0 != ";" }))
    }
}

/// A manual clock.
private final class TestClock: Sendable {
    private let instant = Mutex(ContinuousClock.now)

    var now: @Sendable () -> ContinuousClock.Instant { { self.instant.withLock { $0 } } }

    func advance(by duration: Duration) { instant.withLock { $0 += duration } }
}
