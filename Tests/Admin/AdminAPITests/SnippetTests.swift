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
        return JSONValue(InformationAnswer((information, makeGateway())))
    }()

    @Test func everyClientHasItsRowAndItsLines() {
        #expect(ClientGuide.clients.count > 30)
        for client in ClientGuide.clients {
            #expect(client.trust != nil, "\(client.name) has no row in the table")
            #expect(!client.texts.isEmpty, "\(client.name)")
            #expect(["run", "source"].contains(client.checked), "\(client.name)")
            let shown = GuideSubstitutions([:], admin: HostPort(host: "localhost", port: 9)).apply(to: client)
            #expect(!shown.texts.contains { $0.code == nil && $0.text.contains("](") }, "\(client.name)")
        }
        #expect(ClientGuide.ways.map(\.id) == ["the-alias", "the-proxy"])
        #expect(ClientGuide.ways.allSatisfy { $0.language == nil && $0.trust == nil })
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
                + "certs/AuthKey_PUSHCOTE01.p8 PUSHCOTE01 PUSHCOTEAM com.example.app $(pushcote token)")
        #expect(
            text == "build-box:12197 build-box:12198 build-box:12199 build-box:9 USE_2197 /srv/pushcote/ca.pem "
                + "/app/certs/ca.pem /srv/keys/AuthKey_KEY.p8 KEY TEAM org.example.mail "
                + "$(pushcote token --admin http://build-box:9)")
        // BoringSSL rejects addresses, so loopback must be a name.
        for host in ["127.0.0.1", "::1", "localhost"] {
            let local = GuideSubstitutions(Self.information, admin: HostPort(host: host, port: 9))
            #expect(local.apply(to: "localhost:2197 com.example.app") == "localhost:12197 com.example.app")
        }
        let other = GuideSubstitutions(Self.information, admin: HostPort(host: "fd00::2", port: 9))
        #expect(other.apply(to: "https://localhost:2197") == "https://[fd00::2]:12197")
    }
}
