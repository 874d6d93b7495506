internal import AdminAPI
internal import Credentials
internal import Gateway
internal import JSON
internal import PushcoteConfiguration
internal import Relay
internal import TLSEngine

extension RunningGateway {
    /// The output of `serve`: addresses, the CA to trust, a signing key, and `Ready.`
    package var announcement: String {
        let configuration = server.configuration
        let identity = server.parts.identity.value
        var lines = ["Pushcote \(Version.text) · profile \(configuration.profile.rawValue) · seed \(server.seed)"]
        lines += identity.notes
        if let upstream = server.parts.upstream {
            lines.append(
                line(
                    "relay", ["https://\(upstream.authority)"],
                    "pushes to \(upstream.rules.allowed.count) device tokens are relayed: real devices show them"))
        }
        lines += [
            line("provider API", addresses.provider.map { "https://\($0)" }, "HTTP/2 over TLS, as APNs"),
            line("clear text", addresses.clearText.map { "http://\($0)" }, "HTTP/2 with prior knowledge, or HTTP/1.1"),
            line("CONNECT proxy", addresses.proxy.map { "http://\($0)" }, "for Apple's APNs host names"),
            line("channels", channels, "channel management: sandbox, production"),
            line("admin API", addresses.admin.map { "http://\($0)" }, access),
            line("page", page, "in a browser, or pushcote open"),
            "CA to trust    \(authorityFile)" + (addresses.admin.first.map { "  http://\($0)/ca.pem" } ?? ""),
            "               SHA-256 \(identity.authority.fingerprint)",
            "signing key    \(server.parts.demonstrationKey.path)  key ID \(DemonstrationKey.keyID)  "
                + "team ID \(DemonstrationKey.teamID)",
            "try            pushcote demo" + demonstrationOption,
            "Ready.",
        ]
        return lines.joined(separator: "\n")
    }

    /// Empty when commands find the admin API at its default address.
    private var demonstrationOption: String {
        guard let admin = addresses.admin.first, admin != "127.0.0.1:8197" else { return "" }
        return " --admin http://\(admin)"
    }

    private var page: [String] {
        server.configuration.page ? addresses.admin.prefix(1).map { "http://\($0)/" } : []
    }

    private var channels: [String] {
        (addresses.channelsSandbox + addresses.channelsProduction).map { "https://\($0)" }
    }

    private var access: String {
        let admin = server.configuration.admin
        if admin.token != nil { return "with admin.token" }
        return admin.open ? "without a token: admin.open" : "without a token, on loopback"
    }

    private func line(_ name: String, _ addresses: [String], _ remark: String) -> String {
        let padded = name + String(repeating: " ", count: max(1, 15 - name.count))
        return padded + (addresses.isEmpty ? "off" : addresses.joined(separator: "  ") + "  (\(remark))")
    }

    /// For `--json` and `--addresses-file`.
    package var json: String {
        JSONValue.object([
            "addresses": JSONValue(addresses),
            "authorityFile": .string(authorityFile),
            "authorityFingerprint": .string(server.parts.identity.value.authority.fingerprint),
            "keyFile": .string(server.parts.demonstrationKey.path), "keyId": .string(DemonstrationKey.keyID),
            "teamId": .string(DemonstrationKey.teamID), "seed": .integer(Int(server.seed)),
            "version": .string(Version.text),
        ]).indentedText
    }
}
