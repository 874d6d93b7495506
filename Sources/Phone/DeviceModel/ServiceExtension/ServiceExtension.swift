package import Fields

/// An app's notification service extension, which can change a push before it is shown.
package struct ServiceExtension: FieldDescribed, Hashable {
    package var kind = Kind.process
    package var command: [String] = []
    package var url: String?
    package var path: String?
    package var environment: [String: String] = [:]
    /// The default is a new principal object for each request (C.5).
    package var reusesInstance = false
    package var parallel = 1

    package init() {}

    package enum Kind: String, CaseIterable, Sendable {
        /// A program that uses the protocol on its standard streams.
        case process
        /// A server that receives the protocol's messages as POST requests.
        case http
        /// Unmodified iOS source, built into a program.
        case swift
    }

    package static let fields: [Field<ServiceExtension>] = [
        Field("kind", \.kind, .word(), "How the extension runs."),
        Field("command", \.command, .list(.name), "For process: the program and its arguments, without a shell."),
        Field("url", \.url, .optional(.name), "For http: the address that receives requests."),
        Field("path", \.path, .optional(.name), "For swift: the folder or Swift file of the source."),
        Field(
            "environment", \.environment, .map(.text, of: "texts by name"),
            "Further environment variables of the process."),
        Field("reusesInstance", \.reusesInstance, .flag, "Whether one principal object serves all requests."),
        Field("parallel", \.parallel, .integer(in: 1...100), "How many requests it serves at the same time."),
    ]

    package static let checks: [FieldCheck<ServiceExtension>] = [
        FieldCheck { service in
            let (member, isThere, words) =
                switch service.kind {
                case .process: ("command", !service.command.isEmpty, "a list of the program and its arguments")
                case .http: ("url", service.url?.hasPrefix("http://") == true, "an address that starts with http://")
                case .swift: ("path", service.path != nil, "the folder or Swift file of the extension's source")
                }
            if isThere { return [] }
            return [
                FieldProblem(
                    FieldPath().member(member), "is missing or wrong",
                    "an extension of kind \(service.kind.rawValue) needs \(words)")
            ]
        }
    ]
}
