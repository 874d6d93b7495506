internal import AdminAPI
internal import ArgumentParser
internal import CDocuments
internal import Fields
internal import Files
internal import Foundation
internal import JSON
internal import PushcoteConfiguration

struct SetupCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        "setup", abstract: "Print what to configure in a client library, with this gateway's address, CA and key.",
        discussion: """
            Without a client, lists all of them. The text is that of docs/clients.md, with the host, ports and files of the \
            running gateway.

            EXAMPLES
              pushcote setup
              pushcote setup pushy
              pushcote setup node:http2
              pushcote setup httpx --json | jq -r '.code[0]'
            """)

    @OptionGroup var admin: AdminOptions

    @Argument(help: "The client library, as docs/clients.md names it.") var client: String?

    func validate() throws {
        if let client { _ = try ClientGuide.section(named: client) }
    }

    func perform(with client: AdminClient) async throws -> CommandResult {
        guard let name = self.client else { return CommandResult(admin.json ? ClientGuide.json : ClientGuide.table) }
        let substitutions = GuideSubstitutions(try await client.ask(APICall(.get, ["info"])), askedAt: client.address)
        let section = try ClientGuide.section(named: name)
        let blocks = section.blocks.map { (isCode: $0.isCode, text: substitutions.apply(to: $0.text)) }
        guard admin.json else {
            let text = blocks.map { $0.isCode ? $0.text : $0.text.withoutMarkup }.joined(separator: "\n\n")
            return CommandResult("\(section.name)\n\n\(text)", remark: substitutions.remark)
        }
        let code = blocks.filter(\.isCode).map(\.text)
        let report: JSONValue = [
            "client": .string(section.name), "code": .strings(code),
            "text": .string(blocks.map(\.text).joined(separator: "\n\n")),
        ]
        return CommandResult(report.indentedText, remark: substitutions.remark)
    }
}

/// The setup of each client library, from `docs/clients.md`.
enum ClientGuide {
    struct Section {
        var name: String
        var blocks: [(isCode: Bool, text: String)]
    }

    private static let text = String(cString: documents_clients())

    /// Clients follow the horizontal rule; the last section covers errors of all clients.
    static let sections: [Section] = {
        let parts = text.split(separator: "\n---\n").last?.split(separator: "\n## ") ?? []
        return parts.dropLast().map { part in
            let name = part.prefix { $0 != "\n" }.drop { $0 == "#" || $0.isWhitespace }
            return Section(name: String(name), blocks: blocks(part.drop { $0 != "\n" }))
        }
    }()

    private static func blocks(_ body: Substring) -> [(isCode: Bool, text: String)] {
        // Odd parts are fenced code; their first line is the language.
        body.split(separator: "```", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
            guard index.isMultiple(of: 2) else {
                return [(true, part.drop { $0 != "\n" }.trimmingCharacters(in: .newlines))]
            }
            let paragraphs = part.split(separator: "\n\n").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
            return paragraphs.filter { !$0.isEmpty }.map { (false, $0) }
        }
    }

    /// - Throws: With the nearest names if no client, or more than one, matches.
    static func section(named name: String) throws(ValidationError) -> Section {
        let wanted = name.slug
        if let section = sections.first(where: { $0.name.slug == wanted }) { return section }
        let similar = sections.filter { !wanted.isEmpty && $0.name.slug.contains(wanted) }
        if similar.count == 1 { return similar[0] }
        let near =
            similar.isEmpty ? NearestName.of(name, among: sections.map(\.name)).map { [$0] } ?? [] : similar.map(\.name)
        let hint = near.isEmpty ? "pushcote setup lists them" : "did you mean \(near.joined(separator: " or "))?"
        throw ValidationError("no client library is called '\(name)'; \(hint)")
    }

    static var table: String {
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
            line.split(separator: "|").map { String($0).withoutMarkup.trimmingCharacters(in: .whitespaces) }
        }
        // Only the table of clients has five columns.
        let rows = lines.filter { $0.count == 5 }
        return TextTable(rows.first?.map { $0.uppercased() } ?? [], Array(rows.dropFirst())).text
    }

    static var json: String { JSONValue.object(["clients": .strings(sections.map(\.name))]).indentedText }
}

/// Addresses and files of a running gateway, to fill in the client guide.
struct GuideSubstitutions {
    /// This gateway's port for each port in the guide.
    private var ports: [String: Int] = [:]
    private var host = "localhost"
    private let caFile: String
    private let demonstrationKey: InformationAnswer.DemonstrationKey?
    private let adminAddress: AdminAddress

    init(_ gateway: InformationAnswer, askedAt admin: AdminAddress) {
        let listeners = gateway.addresses
        for (port, list) in [("2199", listeners.proxy), ("2198", listeners.clearText), ("2197", listeners.provider)] {
            guard let address = list.first.flatMap({ ListenAddress($0) })?.reachable(from: admin.host) else { continue }
            ports[port] = address.port
            host = address.host
        }
        ports["8197"] = admin.port
        caFile = gateway.certificate?.caFile ?? "certs/ca.pem"
        demonstrationKey = gateway.demonstrationKey
        adminAddress = admin
    }

    var remark: String {
        var sentences: [String] = []
        if ports["2197"] == nil { sentences.append("This gateway has no TLS listener: listen.provider is off.") }
        if !FileStore.exists(caFile) {
            sentences.append("\(caFile) is on the gateway's machine. Download the CA: curl -O \(adminAddress)/ca.pem")
        }
        return sentences.joined(separator: "\n")
    }

    func apply(to text: String) -> String {
        var text = text
        if text.contains("localhost") {
            // Skip names such as USE_2197.
            text.replace(/([^0-9_])([0-9]{4})\b/) { match in
                "\(match.1)" + (ports[String(match.2)].map { String($0) } ?? "\(match.2)")
            }
            text.replace("localhost", with: host)
        }
        let folder = caFile.lastIndex(of: "/").map { caFile[...$0] } ?? ""
        // Skip absolute paths, which are in the back end's container.
        text.replace(/(^|[^\/])certs\//) { "\($0.1)\(folder)" }
        guard let key = demonstrationKey else { return text }
        text.replace("\(folder)AuthKey_PUSHCOTE01.p8", with: key.file)
        return text.replacing("PUSHCOTE01", with: key.keyId).replacing("PUSHCOTEAM", with: key.teamId)
    }
}

extension ListenAddress {
    /// The address for another program. Loopback becomes a name, because BoringSSL accepts no addresses.
    /// - Parameter host: The admin API's host, for listeners on all addresses.
    func reachable(from host: String) -> ListenAddress {
        var address = self
        if ["0.0.0.0", "::"].contains(address.host) { address.host = host }
        if address.isLoopback { address.host = "localhost" }
        return address
    }
}

extension StringProtocol {
    /// Lower-case letters and digits only.
    fileprivate var slug: String { lowercased().filter { $0.isLetter || $0.isNumber } }
}

extension String {
    /// Removes the Markdown marks of links and code.
    fileprivate var withoutMarkup: String {
        replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.1 }.replacing("`", with: "").replacing("**", with: "")
    }
}
