/// Why a gateway does not start, for the person who started it.
package struct StartError: Error, Equatable, Sendable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }
}
