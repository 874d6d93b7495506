import APNs
import Testing

/// Requests that a foreign web page can make a browser send change nothing (CSRF).
@Suite(.admin) struct PageTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var status: Int
        var method = "POST"
        var path = "/api/v1/devices/phone/actions"
        var body = #"{"action":"unlock"}"#
        var headers: [(String, String)]
    }

    private static let browser = ("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:60.0)")
    private static let form = ("Content-Type", "application/x-www-form-urlencoded")
    private static let json = ("Content-Type", "application/json")

    static let rows = [
        Row(testDescription: "a form of another site", status: 403, headers: [form, ("Sec-Fetch-Site", "cross-site")]),
        Row(
            testDescription: "a script of another port", status: 403, headers: [json, ("Sec-Fetch-Site", "same-site")]),
        Row(
            testDescription: "a script of another origin", status: 403,
            headers: [json, ("Origin", "https://evil.example")]),
        Row(testDescription: "a sandboxed page", status: 403, headers: [json, ("Origin", "null")]),
        Row(testDescription: "an old browser's form", status: 415, headers: [form, browser]),
        Row(
            testDescription: "an old browser's form as text", status: 415,
            headers: [("Content-Type", "text/plain"), browser]),
        Row(
            testDescription: "an old browser's form in parts", status: 415,
            headers: [("Content-Type", "multipart/form-data; boundary=a"), ("Referer", "https://evil.example/")]),
        Row(
            testDescription: "JSON that says it is text", status: 415,
            headers: [("Content-Type", "text/plain; application/json"), browser]),
        Row(
            testDescription: "a form that asks for a reset", status: 415, path: "/api/v1/reset", body: "",
            headers: [form, browser]),
        Row(
            testDescription: "a page's question before a request", status: 403, method: "OPTIONS", body: "",
            headers: [("Origin", "https://evil.example"), ("Access-Control-Request-Method", "PUT")]),
        Row(
            testDescription: "a picture of another site", status: 403, method: "GET", path: "/api/v1/info", body: "",
            headers: [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "no-cors"), ("Sec-Fetch-Dest", "image")]),
        Row(
            testDescription: "a frame of another site", status: 403, method: "GET", path: "/api/v1/info", body: "",
            headers: [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "iframe")]),
        Row(
            testDescription: "a form of another site that navigates", status: 403,
            headers: [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document")]),
        // Requests that must be allowed.
        Row(
            testDescription: "a link of another site", status: 200, method: "GET", path: "/api/v1/info", body: "",
            headers: [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document")]),
        Row(
            testDescription: "the gateway's own page", status: 200,
            headers: [json, browser, ("Origin", "http://localhost"), ("Sec-Fetch-Site", "same-origin")]),
        Row(
            testDescription: "an address typed in", status: 200, method: "GET", path: "/api/v1/info", body: "",
            headers: [browser, ("Sec-Fetch-Site", "none")]),
        Row(testDescription: "curl -d", status: 200, headers: [form, ("User-Agent", "curl/8.5.0")]),
        Row(testDescription: "a client that says nothing", status: 200, headers: []),
    ]

    @Test(arguments: rows) func `cross-site requests are rejected, other clients are served`(_ row: Row) async throws {
        try admin.register("phone")
        let before = try await admin.get("/api/v1/devices/phone").text
        let answer = try await admin.send(row.method, row.path, row.body, headers: row.headers)
        #expect(answer.status == row.status, "\(answer.text)")
        #expect(!answer.headers.keys.contains { $0.hasPrefix("access-control-") })
        if row.status != 200 { #expect(try await admin.get("/api/v1/devices/phone").text == before) }
    }

    /// Browsers send GET from anywhere, so it must change nothing.
    @Test func `GET changes nothing`() async throws {
        let token = try admin.register("phone")
        #expect(admin.push(token) == 200)
        let before = try await admin.get("/api/v1/state").text
        for (method, path, _) in makeAdmin(admin.gateway).endingPaths where method == "GET" {
            let filled = path.replacing("{name}", with: "phone").replacing("{token}", with: token.hex)
                .replacing(/\{[^}]*}/, with: "1")
            _ = try await admin.get(filled)
            _ = try await admin.send("HEAD", filled)
        }
        #expect(try await admin.get("/api/v1/state").text == before)
    }

    @Test func `undeclared methods are rejected, OPTIONS included`() async throws {
        for method in ["OPTIONS", "TRACE", "CONNECT", "FOO"] {
            let answer = try? await admin.send(method, "/api/v1/devices")
            #expect(answer?.status != 200 && answer?.headers["access-control-allow-origin"] == nil, "\(method)")
        }
    }
}
