internal import APNs
internal import Clients
internal import Credentials
package import Fields
internal import Files
package import Gateway
internal import TLSEngine
internal import Time

/// The address and credentials of the upstream; read from `relay` at start.
package struct Upstream: Sendable {
    package let rules: RelayRules
    let address: HostPort
    let context: TLSClientContext
    private let credential: Credential

    private enum Credential: Sendable {
        case key(ProviderTokenMaker)
        case certificate
        /// The client's own token.
        case client
    }

    package struct Problem: Error, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// - Returns: nil without `relay.url`.
    package init?(_ settings: RelaySettings) throws(Problem) {
        guard let url = settings.url else { return nil }
        guard let target = try? HTTPTarget(url), target.needsTLS, target.path == "/" else {
            throw Problem(description: "relay.url is \(url): give it as https://HOST or https://HOST:PORT.")
        }
        guard !settings.allowedTokens.isEmpty else {
            throw Problem(
                description: "relay.allow is empty: list the device tokens whose pushes may be relayed to \(url).")
        }
        rules = settings.rules
        address = HostPort(host: target.host, port: target.port)
        var identity: (chain: String, key: String)?
        switch (settings.keyFile, settings.keyID, settings.teamID, settings.certificate, settings.certificateKey) {
        case (nil, nil, nil, nil, nil): credential = .client
        case (let file?, let keyID?, let teamID?, nil, nil):
            let pem = try Self.text(file, "relay.keyFile")
            guard let key = try? P256PrivateKey(pem: pem) else {
                throw Problem(description: "relay.keyFile: \(file) has no P-256 key: use the .p8 file from Apple.")
            }
            credential = .key(ProviderTokenMaker(keyID: keyID, teamID: teamID, key: key))
        case (nil, nil, nil, let certificate?, let key?):
            identity = (
                try Self.text(certificate, "relay.certificate"), try Self.text(key, "relay.certificateKey")
            )
            credential = .certificate
        default:
            throw Problem(
                description: "relay: set keyFile, keyId and teamId, or certificate and certificateKey, or none of them."
            )
        }
        let authorities = try settings.authorities.map { file throws(Problem) in try Self.text(file, "relay.ca") }
        do throws(TLSError) {
            context = try TLSClientContext(authorities: authorities, identity: identity)
        } catch {
            throw Problem(description: "relay.ca or relay.certificate: \(error); use PEM files.")
        }
    }

    private static func text(_ file: String, _ setting: String) throws(Problem) -> String {
        do throws(FileProblem) {
            return try FileStore.text(file)
        } catch {
            throw Problem(description: "\(setting): \(file): \(error.reason).")
        }
    }

    package var authority: String { address.port == 443 ? address.bracketedHost : address.text }

    /// - Parameter token: The one in use; renewed when it is 40 minutes old: APNs accepts a new one every 20 minutes, and
    ///   none older than an hour.
    func fields(
        of push: RelayedPush, token: inout (text: String, issuedAt: Int64)?
    ) -> [(name: String, value: String)] {
        let pseudo = [
            (":method", "POST"), (":scheme", "https"), (":authority", authority),
            (":path", "/3/device/" + push.token.hex),
        ]
        var authorization: String?
        switch credential {
        case .client: authorization = push.authorization
        case .certificate: break
        case .key(let maker):
            let now = SystemClock.seconds()
            if token.map({ now - $0.issuedAt >= 2400 }) ?? true { token = (maker.token(issuedAt: now), now) }
            authorization = token.map { "bearer " + $0.text }
        }
        return pseudo + (authorization.map { [("authorization", $0)] } ?? [])
            + push.headers + [(RelayedPush.mark, "1")]
    }

    /// Whether it is one of these listeners of this gateway.
    package func leads(to listeners: [HostPort]) -> Bool { address.leads(to: listeners) }
}
