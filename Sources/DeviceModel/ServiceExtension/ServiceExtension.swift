/// An app's notification service extension: what is run when a push may be changed before it is shown.
package struct ServiceExtension: Sendable, Hashable {
    package var kind = Kind.process
    /// The program and its arguments, for `process`; started without a shell.
    package var command: [String] = []
    /// Where requests are posted, for `http`.
    package var url: String?
    /// The folder or the Swift file of the extension's source, for `swift`; `pushcote extension build` makes a program of it.
    package var path: String?
    /// Further environment variables of the process.
    package var environment: [String: String] = [:]
    /// Whether one principal object serves all requests of a process (C.5); a new one for each is the default.
    package var reusesInstance = false
    /// How many requests it works on at the same time.
    package var parallel = 1

    package init() {}

    package enum Kind: String, CaseIterable, Sendable {
        /// A program that speaks the protocol over its standard streams.
        case process
        /// A server that gets the protocol's messages in POST requests.
        case http
        /// Unmodified iOS source, built into a program.
        case swift
    }
}
