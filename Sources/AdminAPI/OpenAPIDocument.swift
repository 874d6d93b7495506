internal import CDocuments

/// The description of the admin API, `openapi.yaml` beside this file; tests hold it against the code.
package enum OpenAPIDocument {
    package static let text = String(cString: documents_openapi())
}
