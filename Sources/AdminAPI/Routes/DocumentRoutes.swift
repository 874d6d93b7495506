internal import CDocuments
internal import Hummingbird

/// Certificates to trust, and the description of this API.
struct DocumentRoutes: Sendable {
    let documents: AdminDocuments

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/ca.pem", isOpen: true) { [documents] _ in
                Response(bytes: documents.authority(), type: "application/x-pem-file")
            },
            Endpoint(.get, "/bundle.pem", isOpen: true) { [documents] _ in
                Response(bytes: documents.bundle(), type: "application/x-pem-file")
            },
            Endpoint(.get, "/ca.p12", isOpen: true) { [documents] _ in
                Response(bytes: documents.trustStore(), type: "application/x-pkcs12")
            },
            Endpoint(.get, "/openapi.yaml") { _ in
                Response(bytes: Array(OpenAPIDocument.text.utf8), type: "application/yaml")
            },
        ]
    }
}

/// The description of the admin API, `openapi.yaml` beside this file; tests hold it against the code.
package enum OpenAPIDocument {
    package static let text = String(cString: documents_openapi())
}
