import TLSEngine
import TestSupport
import Testing

@Suite struct ClientCertificateTests {
    /// What the server learns of a client certificate in a full handshake.
    private func seen(_ request: ClientCertificateRequest, by authority: CertificateAuthority = TestIdentity.authority)
        throws
        -> ClientCertificate
    {
        let issued = try authority.issueClient(request, now: TestIdentity.now)
        var client = TLSClient()
        client.identity = (issued.certificate.pem, issued.key.pem)
        var pair = try Pair(client: client)
        try pair.pump()
        return try #require(pair.server.handshake?.clientCertificate)
    }

    struct Row: Sendable {
        var form: ClientCertificateRequest.Form
        var userID: String
        var topics: [String]
        var voipTopics: [String]
        var isDevelopment: Bool
        var isProduction: Bool
    }

    static let rows = [
        Row(
            form: .universal, userID: "com.example.app",
            topics: ["com.example.app", "com.example.app.voip", "com.example.app.complication"], voipTopics: [],
            isDevelopment: true, isProduction: true),
        Row(
            form: .development, userID: "com.example.app", topics: [], voipTopics: [], isDevelopment: true,
            isProduction: false),
        Row(
            form: .production, userID: "com.example.app", topics: [], voipTopics: [], isDevelopment: false,
            isProduction: true),
        Row(
            form: .voip, userID: "com.example.app.voip", topics: [], voipTopics: ["com.example.app.voip"],
            isDevelopment: true, isProduction: true),
        Row(
            form: .mdm, userID: "com.example.app", topics: [], voipTopics: [], isDevelopment: false, isProduction: false
        ),
    ]

    @Test(arguments: rows) func `every form of push certificate is parsed`(_ row: Row) throws {
        let certificate = try seen(
            ClientCertificateRequest(row.form, bundleID: "com.example.app", teamID: "TEAM123456"))
        #expect(certificate.problem == nil)
        #expect(certificate.userID == row.userID)
        #expect(certificate.subject.contains("OU=TEAM123456"))
        #expect(certificate.topics == row.topics)
        #expect(certificate.voipTopics == row.voipTopics)
        #expect(certificate.isDevelopment == row.isDevelopment)
        #expect(certificate.isProduction == row.isProduction)
    }

    @Test func `every form has a row`() {
        #expect(Set(Self.rows.map(\.form)) == Set(ClientCertificateRequest.Form.allCases))
    }

    @Test func `the handshake accepts an expired certificate and reports the problem`() throws {
        var request = ClientCertificateRequest(.universal, bundleID: "com.example.app", teamID: nil)
        request.isExpired = true
        #expect(try seen(request).problem == "certificate has expired")
    }

    @Test func `the handshake accepts a certificate of an unknown authority and reports the problem`() throws {
        let stranger = try CertificateAuthority(names: ["localhost"], now: TestIdentity.now)
        let request = ClientCertificateRequest(.universal, bundleID: "com.example.app", teamID: nil)
        #expect(try seen(request, by: stranger).problem != nil)
    }
}
