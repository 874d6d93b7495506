internal import AdminAPI
internal import ArgumentParser
internal import CLI
internal import Fields
internal import Files
internal import JSON

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
        if let client { _ = try ClientGuide.client(named: client) }
    }

    func perform(with client: AdminClient) async throws -> CommandResult {
        guard let name = self.client else {
            guard admin.json else { return CommandResult(ClientGuide.printedTable) }
            let clients = JSONValue.strings(ClientGuide.clients.map(\.name))
            return CommandResult(JSONValue.object(["clients": clients]).indentedText)
        }
        let gateway = try await client.ask(APICall(.get, ["info"]))
        let substitutions = GuideSubstitutions(
            gateway.json ?? [:], admin: HostPort(host: client.address.host, port: client.address.port))
        let section = try ClientGuide.client(named: name)
        let texts = section.texts.map { substitutions.apply(to: $0.text) }
        let blocks = zip(section.texts, texts)
        let remark = substitutions.remark(client.address)
        guard admin.json else {
            let text = blocks.map { $0.code == nil ? $1.withoutMarkup : $1 }.joined(separator: "\n\n")
            return CommandResult("\(section.name)\n\n\(text)", remark: remark)
        }
        let report: JSONValue = [
            "client": .string(section.name), "code": .strings(blocks.compactMap { $0.code == nil ? nil : $1 }),
            "text": .string(texts.joined(separator: "\n\n")),
        ]
        return CommandResult(report.indentedText, remark: remark)
    }
}

extension ClientGuide {
    /// - Throws: With the nearest names if no client, or more than one, matches.
    fileprivate static func client(named name: String) throws(ValidationError) -> Section {
        let wanted = name.slug
        if let client = clients.first(where: { $0.name.slug == wanted }) { return client }
        let ofLanguage = table.dropFirst().filter { $0[1].slug == wanted }.map { $0[0] }
        guard ofLanguage.isEmpty else {
            throw ValidationError("'\(name)' is a language; its clients are \(ofLanguage.joined(separator: ", "))")
        }
        let similar = clients.filter { client in
            !wanted.isEmpty && (client.name.slug.contains(wanted) || client.listedName?.slug.contains(wanted) == true)
        }
        if similar.count == 1 { return similar[0] }
        let near =
            similar.isEmpty ? NearestName.of(name, among: clients.map(\.name)).map { [$0] } ?? [] : similar.map(\.name)
        let hint = near.isEmpty ? "pushcote setup lists them" : "did you mean \(near.joined(separator: " or "))?"
        throw ValidationError("no client library is called '\(name)'; \(hint)")
    }

    fileprivate static var printedTable: String {
        TextTable(table.first?.map { $0.uppercased() } ?? [], Array(table.dropFirst())).text
    }
}

extension GuideSubstitutions {
    fileprivate func remark(_ admin: AdminAddress) -> String {
        var sentences: [String] = []
        if !hasTLS { sentences.append("This gateway has no TLS listener: listen.provider is off.") }
        if !FileStore.exists(caFile) {
            sentences.append("\(caFile) is on the gateway's machine. Download the CA: curl -O \(admin)/ca.pem")
        }
        return sentences.joined(separator: "\n")
    }
}

extension StringProtocol {
    /// Lower-case letters and digits only.
    fileprivate var slug: String { lowercased().filter { $0.isLetter || $0.isNumber } }
}
