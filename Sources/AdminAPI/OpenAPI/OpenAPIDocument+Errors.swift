/// The errors of operations, each with its number, so that an undocumented answer shows.
extension OpenAPIDocument {
    private static let words = [
        400: "The request is wrong; the sentence names what and the remedy.",
        401: "The bearer token is missing or wrong.",
        403: "Host, origin or site is not allowed.",
        404: "There is no such thing.",
        409: "It cannot be done now.",
        413: "The body, or the payload in it, is too large.",
        415: "A browser's body that is not called JSON.",
        500: "A mistake of the gateway's own.",
        503: "It cannot be kept, as the journal cannot be written, or the gateway is stopping.",
    ]

    /// What any operation may answer.
    private static let common = [400, 401, 403, 500, 503]
    /// What those may that need no token, and tell nothing that the journal has.
    private static let commonOfOpen = [400, 403, 500]

    /// The errors of an operation as its `responses` list them.
    ///
    /// - Parameter own: what it may answer beside that which any may.
    static func errors(_ own: Int..., isOpen: Bool = false) -> String {
        (own + (isOpen ? commonOfOpen : common)).sorted().map { status in
            "\"\(status)\": {$ref: \"#/components/responses/Error\(status)\"}"
        }.joined(separator: "\n        ")
    }

    /// A response for each of them.
    static let errorResponses = words.sorted { $0.key < $1.key }.map { status, words in
        let headers = """
                  headers:
                    WWW-Authenticate: {required: true, schema: {const: Bearer}}

            """
        return """
                Error\(status):
                  description: \(words)
            \(status == 401 ? headers : "")\
                  content:
                    application/json: {schema: {$ref: "#/components/schemas/Error"}}
            """
    }.joined(separator: "\n")
}
