internal import CDocuments
package import Fields
internal import Foundation
package import JSON

/// The setup of each client library, from `docs/clients.md`; `pushcote setup` and `GET /snippets` fill it in.
package enum ClientGuide {
    /// A client library, or a way to reach the gateway that needs none.
    package struct Section: APIShape {
        /// As the anchor of its heading.
        package var id: String
        package var name: String
        /// These four are of the client's row; `nil` for a way.
        package var language: String?
        package var way: String?
        package var trust: String?
        package var checked: String?
        package var texts: [Text]

        package static let shape = Shape(
            name: "Snippet",
            [
                "id": .filled("The anchor of its heading in docs/clients.md."),
                "name": .filled(),
                "language": .filled("Absent, as the next three, for a way that needs no library."),
                "way": .filled("What to configure: host, proxy, alias or clear text."),
                "trust": .filled("How the client trusts the certificate authority."),
                "checked": .words("run, source", "Whether the library has pushed to Pushcote or its source was read."),
                "texts": .with("minItems: 1"),
            ])
    }

    /// A paragraph, or a code block with its language.
    package struct Text: APIShape {
        package var code: String?
        package var text: String

        package static let shape = Shape(
            name: "SnippetText",
            [
                "code": .filled("The language of a code block; absent for a paragraph."),
                "text": .filled(),
            ])
    }

    private static let text = String(cString: documents_clients())
    /// First what all clients have in common, then the clients.
    private static let halves = text.split(separator: "\n---\n").map { $0.split(separator: "\n## ") }

    /// The last section covers errors of all clients.
    package static let clients = (halves.last?.dropLast() ?? []).map { Section($0) }
    /// An introduction comes before them, and a table of trust after them.
    package static let ways = (halves.first?.dropFirst().dropLast() ?? []).map { Section($0) }

    /// The table of clients, head first, with Markdown.
    fileprivate static let cells = text.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
        line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }.filter { $0.count == 5 }  // Only the table of clients has five columns.

    package static var table: [[String]] { cells.map { row in row.map(\.withoutMarkup) } }

    /// The row of a section, by the section's id.
    fileprivate static func row(of id: String) -> [String]? { cells.first { $0[0].contains("(#\(id))") } }

    /// The fragment of a heading's address, as GitHub makes it.
    fileprivate static func anchor(_ heading: String) -> String {
        heading.lowercased().filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == " " }.replacing(" ", with: "-")
    }
}

extension ClientGuide.Section {
    fileprivate init(_ part: Substring) {
        name = part.prefix { $0 != "\n" }.drop { $0 == "#" || $0.isWhitespace }.description
        id = ClientGuide.anchor(name)
        // Odd parts are fenced code; their first line is the language.
        let parts = part.drop { $0 != "\n" }.split(separator: "```", omittingEmptySubsequences: false)
        texts = parts.enumerated().flatMap { index, part in
            guard index.isMultiple(of: 2) else {
                let language = part.prefix { $0 != "\n" }
                let code = part.drop { $0 != "\n" }.trimmingCharacters(in: .newlines)
                return [ClientGuide.Text(code: language.isEmpty ? "text" : String(language), text: code)]
            }
            let paragraphs = part.split(separator: "\n\n").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
            return paragraphs.filter { !$0.isEmpty }.map { ClientGuide.Text(code: nil, text: $0) }
        }
        if let cells = ClientGuide.row(of: id)?.map(\.withoutMarkup) {
            (language, way, trust, checked) = (cells[1], cells[2], cells[3], cells[4])
        }
    }

    /// As the table lists it, with other names; nil for a way.
    package var listedName: String? { ClientGuide.row(of: id)?[0].withoutMarkup }
}

extension String {
    /// Removes the Markdown marks of links and code.
    package var withoutMarkup: String {
        replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.1 }.replacing("`", with: "").replacing("**", with: "")
    }
}

/// Addresses, files and ids of a running gateway, to fill in the client guide.
package struct GuideSubstitutions: Sendable {
    /// This gateway's port for each port in the guide.
    private var ports: [String: Int] = [:]
    private var host = "localhost"
    private let folder: String
    private let demonstrationKey: JSONValue?
    private let topic: String?
    package let caFile: String
    private let admin: String

    /// - Parameters:
    ///   - gateway: The answer of `GET /info`, which may be that of a newer gateway.
    ///   - admin: The admin API's address; its host also stands for listeners on all addresses.
    package init(_ gateway: JSONValue, admin: HostPort, topic: String? = nil) {
        let listeners = [
            ("2195", "channelsSandbox"), ("2196", "channelsProduction"), ("2199", "proxy"), ("2198", "clearText"),
            ("2197", "provider"),
        ]
        for (port, name) in listeners {
            let text = gateway["addresses"]?[name]?.elements.first?.string
            guard let address = text.flatMap({ HostPort($0)?.reachable(from: admin.host) }) else { continue }
            (ports[port], host) = (address.port, address.bracketedHost)
        }
        ports["8197"] = admin.port
        let caFile = gateway["certificate"]?["caFile"]?.string ?? "certs/ca.pem"
        self.caFile = caFile
        folder = caFile.lastIndex(of: "/").map { String(caFile[...$0]) } ?? ""
        demonstrationKey = gateway["demonstrationKey"]
        self.topic = topic
        self.admin = "http://\(admin.bracketedHost):\(admin.port)"
    }

    /// The section for this gateway, without Markdown.
    func apply(to section: ClientGuide.Section) -> ClientGuide.Section {
        var section = section
        section.texts = section.texts.map { part in
            let text = apply(to: part.text)
            return ClientGuide.Text(code: part.code, text: part.code == nil ? text.withoutMarkup : text)
        }
        return section
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
        // Elsewhere, the command would make a key of its own.
        text.replace("pushcote token", with: "pushcote token --admin \(admin)")
        if let topic { text.replace("com.example.app", with: topic) }
        let names = [
            ("\(folder)AuthKey_PUSHCOTE01.p8", "file"), ("PUSHCOTE01", "keyId"), ("PUSHCOTEAM", "teamId"),
        ]
        for (standard, member) in names {
            if let name = demonstrationKey?[member]?.string { text.replace(standard, with: name) }
        }
        return text
    }
}
