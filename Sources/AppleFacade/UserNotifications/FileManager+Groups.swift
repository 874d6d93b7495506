internal import ExtensionWire
public import Foundation

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
