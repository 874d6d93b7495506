internal import CDocuments

/// The description of the API; tests compare it with the code.
package enum OpenAPIDocument {
    /// `openapi.yaml`, embedded in the program.
    package static let source = String(cString: documents_openapi())

    /// As it is served: every `x-errors` of the file becomes a response for each error of the operation.
    package static let text: String = {
        var (isGet, isOpen) = (false, false)
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
            switch line {
            case "    get:", "    put:", "    post:", "    patch:", "    delete:":
                (isGet, isOpen) = (line == "    get:", false)
            case "      security: [{}]": isOpen = true
            default: break
            }
            guard line.hasPrefix(mark) else { return [String(line)] }
            let own = line.dropFirst(mark.count).split { !$0.isNumber }.map(String.init)
            return Set(own + sharedErrors(isGet: isGet, isOpen: isOpen)).sorted().map { status in
                "        \"\(status)\": {$ref: \"#/components/responses/Error\(status)\"}"
            }
        }
        return lines.joined(separator: "\n")
    }()

    private static let mark = "        x-errors: ["

    /// The errors of `AdminMiddleware` and of reading a query, which every operation has.
    private static func sharedErrors(isGet: Bool, isOpen: Bool) -> [String] {
        ["400", "403", "500"] + (isOpen ? [] : ["401", "503"]) + (isGet ? [] : ["415"])
    }
}
