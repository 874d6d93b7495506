internal import DeviceModel
internal import Fields
internal import HTTPTypes
internal import HummingbirdCore
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
                return SnippetsAnswer(snippets: sections.map(substitutions.apply))
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
                return try substitutions(request).apply(to: section)
            },
        ]
    }

    /// For the host that this request names, which `WebPageCheck` has accepted.
    private func substitutions(_ request: AdminRequest) throws -> GuideSubstitutions {
        let admin = HostPort(request.request.head.authority ?? "", defaultPort: 80)
        return GuideSubstitutions(
            JSONValue(InformationAnswer((information(), gateway))),
            admin: admin ?? HostPort(host: "localhost", port: 80),
            topic: try request.query.value("topic", .topic))
    }
}

struct SnippetsAnswer: APIShape {
    var snippets: [ClientGuide.Section]
}
