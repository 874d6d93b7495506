import Foundation
import TestSupport
import Testing

@testable import AdminAPI

/// The page's files are served on the admin port.
@Suite(.admin) struct PageFilesTests {
    static let names = PageFiles.embedded.map(\.name)
    static let html = [("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")]

    @Test func everyFileOfTheFolderIsEmbedded() throws {
        let folder = Golden.root.appending(path: "Sources/Admin/AdminAPI/Page")
        #expect(Self.names.sorted() == Golden.names(in: folder))
    }

    @Test func aFileIsServedUnchanged() async throws {
        let folder = Golden.root.appending(path: "Sources/Admin/AdminAPI/Page")
        for name in Self.names {
            let answer = try await admin.get("/\(name)")
            let file = try Data(contentsOf: folder.appending(path: name))
            #expect(answer.status == 200 && answer.body == Array(file), "\(name)")
        }
    }

    static let types = [
        ("/app.js", "text/javascript; charset=utf-8"), ("/style.css", "text/css; charset=utf-8"),
        ("/icon.svg", "image/svg+xml; charset=utf-8"), ("/index.html", "text/html; charset=utf-8"),
    ]

    @Test(arguments: types)
    func aFileHasItsMediaTypeAndAStrictContentSecurityPolicy(_ path: String, _ type: String) async throws {
        let headers = try await admin.get(path).headers
        #expect(headers["content-type"] == type)
        #expect(headers["cache-control"] == "no-cache")
        #expect(headers["x-content-type-options"] == "nosniff")
        #expect(headers["referrer-policy"] == "no-referrer")
        #expect(headers["cross-origin-opener-policy"] == "same-origin")
        #expect(headers["cross-origin-resource-policy"] == "same-origin")
        let policy = """
            default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
            base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
            trusted-types 'none'
            """
        #expect(headers["content-security-policy"] == policy)
    }

    static let addresses = [
        "/notifications", "/notifications/5", "/notifications/latest", "/notifications/5/what-if", "/requests/12",
        "/devices/al%2Fice", "/send?device=alice&topic=x", "/lint", "/clock", "/faults", "/connections/3",
        "/setup/pushy", "/notifications/", "/notifications?colour=red", "/", "/?x=1",
    ]

    @Test(arguments: addresses) func browsersGetThePageAtTheAddressOfAView(_ address: String) async throws {
        let page = try await admin.send("GET", address, headers: Self.html)
        #expect(page.status == 200 && page.headers["vary"] == "Accept")
        #expect(page.text.hasPrefix("<!doctype html>"))
        for accept in ["application/json", "*/*"] {
            let answer = try await admin.send("GET", address, headers: [("Accept", accept)])
            // The index of the API is at `/`.
            let status = address == "/" ? 200 : address == "/?x=1" ? 400 : 404
            #expect(answer.status == status && (status == 400 || answer.text.contains("/api/v1/")))
        }
    }

    static let elsewhere = [
        ("GET", "/notification", "*/*"), ("GET", "/app.jsx", "*/*"), ("GET", "/Page/app.js", "application/json"),
        ("GET", "//app.js", "*/*"), ("GET", "/../app.js", "*/*"), ("POST", "/notifications", "text/html"),
        ("DELETE", "/notifications", "text/html"), ("GET", "/index", "*/*"),
        ("GET", "/api/v1/notification", "text/html"),
    ]

    @Test(arguments: elsewhere)
    func anyOtherPathIsAnErrorInJSON(_ method: String, _ path: String, _ accept: String) async throws {
        let answer = try await admin.send(method, path, headers: [("Accept", accept)])
        #expect(answer.status == 404)
        #expect(answer.headers["content-type"] == "application/json")
        #expect(answer.text.contains("Similar paths"))
    }

    @Test(arguments: ["/notification", "/app.jsx", "/nowhere/5", "/index"])
    func browsersGetThePageWithStatus404AtAnyOtherAddress(_ path: String) async throws {
        let answer = try await admin.send("GET", path, headers: Self.html)
        #expect(answer.status == 404 && answer.headers["etag"] == nil)
        #expect(answer.text.hasPrefix("<!doctype html>"))
        #expect(answer.headers["content-security-policy"]?.contains("default-src 'none'") == true)
    }

    @Test func thePageShadowsNoPathOfTheAPI() {
        for endpoint in makeAdmin(makeGateway()).table.endpoints {
            // A browser gets the page instead of the index.
            guard let noun = endpoint.path.split(separator: "/").first else { continue }
            #expect(!PageFiles.views.contains(noun) && !Self.names.contains(String(noun)))
        }
    }

    @Test func aCachedFileIsNotSentAgain() async throws {
        let tag = try #require(try await admin.get("/app.js").headers["etag"])
        let other = try await admin.get("/style.css").headers["etag"]
        #expect(tag.count == 66 && tag != other)
        for known in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
            let answer = try await admin.send("GET", "/app.js", headers: [("If-None-Match", known)])
            #expect(answer.status == 304 && answer.body.isEmpty && answer.headers["etag"] == tag)
        }
        let stale = try await admin.send("GET", "/app.js", headers: [("If-None-Match", "\"other\"")])
        #expect(stale.status == 200)
    }

    @Test func headAnswersWithoutTheBody() async throws {
        let whole = try await admin.send("GET", "/notifications/5", headers: Self.html)
        let head = try await admin.send("HEAD", "/notifications/5", headers: Self.html)
        #expect(head.status == 200 && head.body.isEmpty)
        #expect(head.headers["content-length"] == String(whole.body.count))
        #expect(head.headers["etag"] == whole.headers["etag"])
    }

    @Test(.admin(AdminConfiguration(token: "secret"))) func thePageNeedsNoTokenButItsRequestsDo() async throws {
        let rows = [("/notifications/5", 200), ("/app.js", 200), ("/", 200), ("/api/v1/notifications", 401)]
        for (path, status) in rows {
            let answer = try await admin.send("GET", path, headers: Self.html)
            #expect(answer.status == status, "\(path)")
        }
    }

    @Test func foreignHostsAndSitesAreRejected() async throws {
        for headers in [[("Host", "evil.example")], [("Sec-Fetch-Site", "cross-site")]] {
            let answer = try await admin.send("GET", "/app.js", headers: headers)
            #expect(answer.status == 403)
        }
        let link = [
            ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document"),
        ]
        let followed = try await admin.send("GET", "/notifications/5", headers: link + Self.html)
        #expect(followed.status == 200)
    }

    @Test func disablingThePageRemovesItsPaths() async throws {
        var configuration = AdminConfiguration()
        configuration.hasPage = false
        try await withAdmin(configuration) { admin in
            let index = try await admin.send("GET", "/", headers: Self.html)
            #expect(index.status == 200 && index.text.hasPrefix("{"))
            for path in ["/notifications", "/app.js"] {
                let answer = try await admin.send("GET", path, headers: Self.html)
                #expect(answer.status == 404, "\(path)")
            }
        }
    }
}
