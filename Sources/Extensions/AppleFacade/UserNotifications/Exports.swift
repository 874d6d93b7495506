// As on iOS, with networking and Dispatch.
@_exported public import Dispatch
internal import ExtensionWire
@_exported public import Foundation

// `extension build` sets NO_NETWORKING for extensions without networking code.
#if !NO_NETWORKING
@_exported public import FoundationNetworking
#endif

/// Runs `body`; Linux has no autorelease pools.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }

extension FileManager {
    /// The folder shared by the app and its extensions, created on first use; `nil` before first unlock.
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
        let surroundings = HostConnection.shared.surroundings
        guard surroundings.isUnlockedSinceBoot, !groupIdentifier.isEmpty, !groupIdentifier.contains("/") else {
            return nil
        }
        let folder = surroundings.groups.appendingPathComponent(groupIdentifier, isDirectory: true)
        try? createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}
