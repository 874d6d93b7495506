/// An app's notification service extension: what is run when a push may be changed before it is shown.
public struct ServiceExtension: Sendable, Hashable {
    public var kind = Kind.process
    /// The program and its arguments, for `process`; started without a shell.
    public var command: [String] = []
    /// Where requests are posted, for `http`.
    public var url: String?
    /// The folder or the Swift file of the extension's source, for `swift`; `pushcote extension build` makes a program of it.
    public var path: String?
    /// Further environment variables of the process.
    public var environment: [String: String] = [:]
    /// Whether one principal object serves all requests of a process (C.5); a new one for each is the default.
    public var reusesInstance = false
    /// How many requests it works on at the same time.
    public var parallel = 1

    public init() {}

    /// How the extension is reached.
    public enum Kind: String, CaseIterable, Sendable {
        /// A program that speaks the protocol over its standard streams.
        case process
        /// A server that gets the protocol's messages in POST requests.
        case http
        /// Unmodified iOS source, built into a program.
        case swift
    }
}
