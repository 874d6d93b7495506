import Fields
import JSON
import Testing

@testable import AdminAPI

/// The setup of client libraries for this gateway.
@Suite struct SnippetTests {
    private static let information: JSONValue = {
        var addresses = ServerInformation.Addresses()
        addresses.provider = ["0.0.0.0:12197"]
        addresses.clearText = ["127.0.0.1:12198"]
        addresses.proxy = ["[::]:12199"]
        var information = ServerInformation(
            version: "1", profile: "faithful", startedAt: testTime, addresses: addresses)
        information.certificate = ("f", "/srv/pushcote/ca.pem", testTime)
        information.demonstrationKey = ("KEY", "TEAM", "/srv/keys/AuthKey_KEY.p8")
        return JSONValue(InformationAnswer(information, of: makeGateway()))
    }()

    @Test func everyClientHasItsRowAndItsLines() {
        #expect(ClientGuide.clients.count > 30)
        for client in ClientGuide.clients {
            #expect(client.trust != nil, "\(client.name) has no row in the table")
            #expect(!client.texts.isEmpty, "\(client.name)")
            #expect(["run", "source"].contains(client.checked), "\(client.name)")
        }
        #expect(ClientGuide.ways.map(\.id) == ["the-alias", "the-proxy"])
        let ids = (ClientGuide.clients + ClientGuide.ways).map(\.id)
        #expect(Set(ids).count == ids.count)
        #expect(ids.contains("parsenode-apn") && ids.contains("apns2-npm") && ids.contains("javanethttp"))
        // Every linked section exists.
        #expect(ClientGuide.table.count == ClientGuide.clients.count + 1)
    }

    @Test func addressesFilesAndIdsAreThisGateways() {
        let substitutions = GuideSubstitutions(
            Self.information, admin: HostPort(host: "build-box", port: 9), topic: "org.example.mail")
        let text = substitutions.apply(
            to: "localhost:2197 localhost:2198 localhost:2199 localhost:8197 USE_2197 certs/ca.pem /app/certs/ca.pem "
                + "certs/AuthKey_PUSHCOTE01.p8 PUSHCOTE01 PUSHCOTEAM com.example.app")
        #expect(
            text == "build-box:12197 build-box:12198 build-box:12199 build-box:9 USE_2197 /srv/pushcote/ca.pem "
                + "/app/certs/ca.pem /srv/keys/AuthKey_KEY.p8 KEY TEAM org.example.mail")
        // BoringSSL rejects addresses, so loopback must be a name.
        for host in ["127.0.0.1", "::1", "localhost"] {
            let local = GuideSubstitutions(Self.information, admin: HostPort(host: host, port: 9))
            #expect(local.apply(to: "localhost:2197 com.example.app") == "localhost:12197 com.example.app")
        }
        let other = GuideSubstitutions(Self.information, admin: HostPort(host: "fd00::2", port: 9))
        #expect(other.apply(to: "https://localhost:2197") == "https://[fd00::2]:12197")
    }

    @Test(.admin) func theListNamesTheHostThatWasAsked() async throws {
        let answer = try await admin.send("GET", "/api/v1/snippets", headers: [("Host", "localhost:1234")])
        #expect(answer.status == 200)
        #expect(
            answer.text.hasPrefix(#"{"snippets":[{"id":"curl","name":"curl","language":"shell","way":"host, proxy,"#))
        #expect(answer.text.contains(#"curl -O http://localhost:1234"#) || !answer.text.contains("localhost:8197"))
        #expect(!answer.text.contains("](") && answer.text.contains(#"{"code":"java","text":"#))
        let foreign = try await admin.send("GET", "/api/v1/snippets", headers: [("Host", "evil.example:1234")])
        #expect(foreign.status == 403)
    }

    @Test(.admin) func oneClientIsFoundByItsId() async throws {
        let pushy = try await admin.get("/api/v1/snippets/pushy?topic=org.example.mail").text
        #expect(pushy.hasPrefix(#"{"id":"pushy","name":"Pushy","language":"Java","way":"host","trust":"#))
        #expect(pushy.contains(#".setApnsServer(\"localhost\", 2197)"#))
        #expect(
            try await admin.get("/api/v1/snippets/the-proxy").text.hasPrefix(
                #"{"id":"the-proxy","name":"The proxy","texts":"#))
        let near = try await admin.get("/api/v1/snippets/pusshy")
        #expect(near.status == 404 && near.text.contains("GET /api/v1/snippets lists them. Did you mean pushy?"))
        let wrong = try await admin.get("/api/v1/snippets/curl?topic=a%20b")
        #expect(wrong.status == 400 && wrong.text.contains("'topic' is 'a b'"))
        let curl = try await admin.get("/api/v1/snippets/curl?topic=org.example.mail").text
        #expect(curl.contains("apns-topic: org.example.mail") && !curl.contains("com.example.app"))
    }
}
