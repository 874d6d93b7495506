internal import DeviceModel
internal import Fields
internal import Hummingbird
internal import JSON

/// The setup of client libraries, with the addresses, files and ids of this gateway.
extension AdminAPI {
    var snippetEndpoints: [Endpoint] {
        [
            Endpoint(
                .get, "/snippets", .snippets, "The setup of each client library, for this gateway", id: "snippets",
                about: """
                    What docs/clients.md and `pushcote setup` say, with this gateway's ports, files, key ID and team
                    ID. The host is the one in the `Host` of the request.
                    """,
                answer: "All client libraries, and the ways to reach the gateway that need none.", query: ["topic"]
            ) { request in
                let substitutions = try substitutions(request)
                let sections = ClientGuide.clients + ClientGuide.ways
                return SnippetsAnswer(snippets: sections.map { SnippetAnswer($0, substitutions) })
            },
            Endpoint(
                .get, "/snippets/{id}", .snippets, "The setup of one client library", id: "snippet",
                answer: "The client library.", errors: [404], query: ["topic"]
            ) { request in
                let id = try request.parameter("id")
                let sections = ClientGuide.clients + ClientGuide.ways
                let near = NearestName.of(String(id.prefix(100)), among: sections.map(\.id))
                let hint = near.map { " Did you mean \($0)?" } ?? ""
                let section = try sections.first { $0.id == id }.found(
                    or: "There is no client '\(id.prefix(60))'; GET /api/v1/snippets lists them.\(hint)")
                return SnippetAnswer(section, try substitutions(request))
            },
        ]
    }

    /// For the host that this request names, which `WebPageCheck` has accepted.
    private func substitutions(_ request: AdminRequest) throws -> GuideSubstitutions {
        let admin = HostPort(request.request.head.authority ?? "", defaultPort: 80)
        return GuideSubstitutions(
            JSONValue(InformationAnswer(information(), of: gateway)),
            admin: admin ?? HostPort(host: "localhost", port: 80),
            topic: try request.query.value("topic", .topic))
    }
}

package struct SnippetsAnswer: APIShape {
    package var snippets: [SnippetAnswer]
}

package struct SnippetAnswer: APIShape {
    package var id: String
    package var name: String
    package var language: String?
    package var way: String?
    package var trust: String?
    package var checked: String?
    package var texts: [Text]

    package static let shape = Shape([
        "id": .filled("The anchor of its heading in docs/clients.md."),
        "name": .filled(),
        "language": .filled("Absent, as the next three, for a way that needs no library."),
        "way": .filled("What to configure: host, proxy, alias or clear text."),
        "trust": .filled("How the client trusts the certificate authority."),
        "checked": .words("run, source", "Whether the library has pushed to Pushcote or its source was read."),
        "texts": .with("minItems: 1"),
    ])

    /// A paragraph, or a code block with its language.
    package struct Text: APIShape {
        package var code: String?
        package var text: String

        package static let shape = Shape([
            "code": .filled("The language of a code block; absent for a paragraph."),
            "text": .filled(),
        ])
    }

    init(_ section: ClientGuide.Section, _ substitutions: GuideSubstitutions) {
        id = section.id
        name = section.name
        language = section.row?.language
        way = section.row?.way
        trust = section.row?.trust
        checked = section.row?.checked
        texts = section.blocks.map { block in
            let text = substitutions.apply(to: block.text)
            return Text(code: block.code, text: block.code == nil ? text.withoutMarkup : text)
        }
    }
}
