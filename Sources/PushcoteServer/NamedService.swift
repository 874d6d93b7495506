package import ServiceLifecycle

/// A service that is described by its name.
///
/// The service group describes each of its services at start, which without this reflects everything that the service holds:
/// a third of the time until `Ready.`, and keys in a debug log.
package protocol NamedService: Service, CustomStringConvertible {}

extension NamedService {
    package var description: String { String(describing: Self.self) }
}
