import TLSEngine
import Testing

@Suite struct KeyTests {
    private let key = P256PrivateKey()
    private let message = Array("header.claims".utf8)

    private func isValid(_ signature: [UInt8], _ key: P256PublicKey) -> Bool {
        key.verify(signature.span.bytes, of: message.span.bytes, digest: .sha256)
    }

    @Test func `a signature verifies in both of its forms`() {
        let signature = key.signature(of: message)
        let der = key.derSignature(of: message)
        #expect(signature.count == 64)
        #expect(der.first == 0x30)
        #expect(isValid(signature, key.publicKey))
        #expect(isValid(der, key.publicKey))
    }

    @Test func `changing any byte invalidates a signature`() {
        let signature = key.signature(of: message)
        for index in signature.indices {
            var changed = signature
            changed[index] ^= 0x40
            #expect(!isValid(changed, key.publicKey))
        }
    }

    @Test(arguments: [0, 1, 63, 65, 131, 132, 4096])
    func `a signature of any length is rejected without a trap`(_ count: Int) {
        let signature = [UInt8](repeating: 0, count: count)
        #expect(!isValid(signature, key.publicKey))
    }

    @Test func `keys read back from PEM`() throws {
        let copy = try P256PrivateKey(pem: key.pem)
        let signature = copy.signature(of: message)
        #expect(isValid(signature, try P256PublicKey(pem: key.publicKey.pem)))
    }

    static let notKeys: [(String, KeyError)] = [
        ("", .notPEM), ("hello", .notPEM), ("eyJh.eyJi.c2ln", .isToken),
        ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", .isCertificate),
        ("-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n", .isEncrypted),
    ]

    @Test func `an error about a damaged key names the damage`() {
        let pem = key.pem
        let body = pem.split(separator: "\n").dropFirst().dropLast().joined()
        let damaged: [(String, KeyError)] = [
            (pem.replacing("\n", with: "\\n"), .hasEscapedBreaks), (pem.replacing("\n", with: ""), .hasNoBreaks),
            (pem.replacing("\n", with: " "), .hasNoBreaks), (key.publicKey.pem, .isPublic),
            ("LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0t", .isBase64), (body, .notPEM),
        ]
        for (text, error) in damaged { #expect(throws: error) { try P256PrivateKey(pem: text) } }
        for (text, error) in damaged where error != .isPublic && error != .notPEM {
            #expect(throws: error) { try P256PublicKey(pem: text) }
        }
        #expect(throws: KeyError.notPublicPEM) { try P256PublicKey(pem: body) }
        let lost = key.publicKey.pem.replacing("\n", with: "")
        #expect(throws: KeyError.hasNoBreaks) { try P256PublicKey(pem: lost) }
    }

    @Test(arguments: notKeys) func `an error about an invalid key names what it is`(_ text: String, _ error: KeyError) {
        #expect(throws: error) { try P256PrivateKey(pem: text) }
    }

    @Test func `SHA-256 gives FIPS 180-4's example`() {
        let abc = Array("abc".utf8)
        let digest = SHA256.digest(abc.span.bytes)
        #expect(digest.prefix(4) == [0xba, 0x78, 0x16, 0xbf])
        #expect(digest.suffix(2) == [0x15, 0xad])
    }
}
