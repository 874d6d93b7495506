internal import APNs
internal import TLSEngine
import Time

extension FuzzTarget {
    /// A provider token in `authorization`, its signature, or PEM for the admin API.
    ///
    /// Control modulo 4: 0 is the header's value, 1 header, claims and signature as three lines before base64, 2 PEM,
    /// 3 a signature.
    static let token = FuzzTarget("token") { input in
        guard let input = ControlledInput(input) else { return }
        switch input.control % 4 {
        case 0: read(header: Array(input.bytes))
        case 1:
            let lines = input.bytes.split(separator: 0x0a, maxSplits: 2, omittingEmptySubsequences: false)
            read(header: Array("bearer ".utf8) + Array(lines.map { base64(Array($0)) }.joined(separator: ".").utf8))
        case 2:
            if let key = try? P256PublicKey(pem: String(decoding: input.bytes, as: UTF8.self)) {
                precondition((try? P256PublicKey(pem: key.pem)) != nil, "a key that was read is not read again")
            }
        default:
            let message: [UInt8] = [1]
            precondition(!publicKey.verify(input.bytes.bytes, of: message.span.bytes, digest: .sha256), "a forgery")
        }
    }

    private static let publicKey = P256PrivateKey().publicKey

    private static func read(header: [UInt8]) {
        guard let range = try? ProviderToken.bearer(header.span.bytes) else { return }
        precondition(range.lowerBound >= 7 && range.upperBound == header.count && !range.isEmpty)
        let text = Array(header[range])
        for leniency in [TokenLeniency(), .strict, .lenient] {
            guard let token = try? ProviderToken(text.span.bytes, leniency: leniency) else { continue }
            precondition(!token.keyID.isEmpty && !token.teamID.isEmpty && token.signedBytes.count < text.count)
            try? TokenPolicy().checkAge(issuedAt: token.issuedAt, now: Instant(seconds: 1_767_571_200))
            _ = publicKey.verify(token.signature.span.bytes, of: token.signedBytes.span.bytes, digest: .sha512)
        }
    }
}
