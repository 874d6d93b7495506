/// Why a gateway does not start, for the person who started it.
public struct StartError: Error, Equatable, Sendable, CustomStringConvertible {
    public var description: String

    public init(_ description: String) { self.description = description }
}
