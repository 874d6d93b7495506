import TLSEngine
import Testing

@Suite struct AuthorityTests {
    private let authority = TestIdentity.authority
    private let now = TestIdentity.now

    @Test func `a server certificate has the requested names and verifies`() throws {
        let names = ["localhost", "127.0.0.1", "::1"]
        let issued = try authority.issueServer(names: names, now: now)
        #expect(issued.certificate.alternativeNames == names)
        #expect(problem(of: issued) == nil)
    }

    @Test(arguments: ["www.example.com", "10.0.0.1", "2001:db8::1"])
    func `certificates outside the authority's name constraints do not verify`(_ name: String) throws {
        let issued = try authority.issueServer(names: [name], now: now)
        #expect(problem(of: issued) == "permitted subtree violation")
    }

    @Test func `the only key is the intermediate's`() {
        #expect(authority.intermediate.issuer == authority.certificate.subject)
        #expect(authority.certificate.issuer == authority.certificate.subject)
        #expect(!authority.certificate.belongs(to: authority.key) && authority.intermediate.belongs(to: authority.key))
    }

    private func problem(of issued: CertificateWithKey) -> String? {
        issued.certificate.problem(issuedBy: [authority.certificate], intermediates: [issued.intermediate], at: now)
    }

    @Test func `a leaf is valid for 397 days, Apple's maximum`() throws {
        let issued = try authority.issueServer(names: ["localhost"], now: now)
        #expect(issued.certificate.notAfter == now + 397 * 86400)
    }

    @Test func `an authority's key must match its certificate`() {
        #expect(throws: TLSError.self) {
            try CertificateAuthority(
                certificate: authority.certificate, intermediate: authority.intermediate, key: P256PrivateKey())
        }
    }

    @Test func `invalid names are rejected`() {
        #expect(throws: TLSError.self) { try CertificateAuthority(names: ["IP:not-an-address/8,"], now: now) }
    }

    @Test func `inspection names every problem`() throws {
        let leaf = try authority.issueServer(names: ["localhost"], now: now - 500 * 86400)
        let stranger = try CertificateAuthority(names: ["localhost"], now: now)
        let inspection = try CertificateInspection(
            chain: leaf.certificate.pem, key: P256PrivateKey().pem, authority: stranger.certificate,
            requiredNames: ["localhost", "pushcote"], now: now)
        #expect(inspection.problems.contains(.expired(at: leaf.certificate.notAfter)))
        #expect(inspection.problems.contains(.keyMismatch))
        #expect(inspection.problems.contains(.missingNames(["pushcote"])))
        #expect(inspection.problems.contains { if case .notIssued = $0 { true } else { false } })
    }

    @Test func `inspection finds nothing wrong with a good certificate`() throws {
        let inspection = try CertificateInspection(
            chain: TestIdentity.server.chain, key: TestIdentity.server.key.pem,
            authority: authority.certificate, requiredNames: ["localhost", "127.0.0.1", "::1"], now: now)
        #expect(inspection.problems == [])
    }

    @Test(arguments: [
        ("", "no '-----BEGIN CERTIFICATE-----' in it"),
        ("hello", "no '-----BEGIN CERTIFICATE-----' in it"),
        ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", nil),
    ]) func `a damaged PEM text is rejected`(_ text: String, reason: String?) {
        let error = #expect(throws: TLSError.self) { try Certificate.chain(pem: text) }
        #expect(error?.kind == .unusableCertificate)
        if let reason { #expect(error?.reasons == [reason]) }
    }

    @Test func `a damaged certificate behind a good one is found`() {
        let text = authority.certificate.pem + "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
        #expect(throws: TLSError.self) { try Certificate.chain(pem: text) }
    }

    @Test func `addresses are formatted as in RFC 5952`() throws {
        let names = ["::1", "2001:db8::8:800:200c:417a", "::", "1:0:0:2::", "fe80::"]
        let issued = try authority.issueServer(names: names, now: now)
        #expect(
            issued.certificate.alternativeNames == ["::1", "2001:db8::8:800:200c:417a", "::", "1:0:0:2::", "fe80::"])
    }
}
