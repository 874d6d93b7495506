// On iOS, `import UserNotifications` brings Foundation along, with networking and Dispatch.
@_exported public import Dispatch
internal import ExtensionWire
@_exported public import Foundation

// `extension build` sets NO_NETWORKING for extensions that do not use it.
#if !NO_NETWORKING
@_exported public import FoundationNetworking
#endif

/// Only runs `body`: without Objective-C there is nothing to release, but extensions that save memory call it.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }

extension FileManager {
    /// The folder that the app and its extensions share, made on first use; `nil` before the device was first unlocked.
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
        let surroundings = Wire.shared.surroundings
        guard surroundings.isUnlockedSinceBoot, !groupIdentifier.isEmpty, !groupIdentifier.contains("/") else {
            return nil
        }
        let folder = surroundings.groups.appendingPathComponent(groupIdentifier, isDirectory: true)
        try? createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}
