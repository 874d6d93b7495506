package import Fields

/// Addresses, files and ids of a running gateway, to fill in the client guide.
package struct GuideSubstitutions: Sendable {
    /// This gateway's port for each port in the guide.
    private var ports: [String: Int] = [:]
    private var host = "localhost"
    private let folder: String
    private let demonstrationKey: InformationAnswer.DemonstrationKey?
    private let topic: String?
    package let caFile: String

    /// - Parameter admin: The admin API's address; its host also stands for listeners on all addresses.
    package init(_ gateway: InformationAnswer, admin: HostPort, topic: String? = nil) {
        let listeners = gateway.addresses
        let lists = [
            ("2195", listeners.channelsSandbox), ("2196", listeners.channelsProduction), ("2199", listeners.proxy),
            ("2198", listeners.clearText), ("2197", listeners.provider),
        ]
        for (port, list) in lists {
            guard let address = list.first.flatMap({ HostPort($0)?.reachable(from: admin.host) }) else { continue }
            (ports[port], host) = (address.port, address.bracketedHost)
        }
        ports["8197"] = admin.port
        let caFile = gateway.certificate?.caFile ?? "certs/ca.pem"
        self.caFile = caFile
        folder = caFile.lastIndex(of: "/").map { String(caFile[...$0]) } ?? ""
        demonstrationKey = gateway.demonstrationKey
        self.topic = topic
    }

    package var hasTLS: Bool { ports["2197"] != nil }

    package func apply(to text: String) -> String {
        var text = text
        if text.contains("localhost") {
            // Skip names such as USE_2197.
            text.replace(/([^0-9_])([0-9]{4})\b/) { match in
                "\(match.1)" + (ports[String(match.2)].map { String($0) } ?? "\(match.2)")
            }
            text.replace("localhost", with: host)
        }
        // Skip absolute paths, which are in the back end's container.
        text.replace(/(^|[^\/])certs\//) { "\($0.1)\(folder)" }
        if let topic { text.replace("com.example.app", with: topic) }
        guard let key = demonstrationKey else { return text }
        text.replace("\(folder)AuthKey_PUSHCOTE01.p8", with: key.file)
        return text.replacing("PUSHCOTE01", with: key.keyId).replacing("PUSHCOTEAM", with: key.teamId)
    }
}
