internal import ExtensionWire
public import Foundation

/// The app's notifications; the host answers.
open class UNUserNotificationCenter: NSObject {
    // `nonisolated(unsafe)`: made once, and all it holds is behind a lock, but for `delegate`, which nothing here reads.
    private nonisolated(unsafe) static let shared = UNUserNotificationCenter()

    private override init() {}

    open class func current() -> UNUserNotificationCenter { shared }

    /// An app's; an extension's is never called.
    open weak var delegate: (any UNUserNotificationCenterDelegate)?

    open var supportsContentExtensions: Bool { true }

    /// Removes notifications from Notification Center; unknown identifiers are ignored.
    open func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
        tell("removeDelivered", ["identifiers": .array(identifiers.map { .string($0) })])
    }

    /// Removes all of the app's from Notification Center.
    open func removeAllDeliveredNotifications() { tell("removeAllDelivered") }

    /// Removes requests that have not been shown; unknown identifiers are ignored.
    open func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
        tell("removePending", ["identifiers": .array(identifiers.map { .string($0) })])
    }

    /// Removes all requests that have not been shown.
    open func removeAllPendingNotificationRequests() { tell("removeAllPending") }

    /// Replaces the app's categories on this device, for the notification at hand as well.
    open func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
        tell(
            "setCategories",
            ["categories": .array(categories.sorted { $0.identifier < $1.identifier }.map(\.json))])
    }

    func tell(_ name: String, _ arguments: [String: WireValue] = [:]) {
        Wire.shared.call(name, arguments) { _ in }
    }

    func ask(_ name: String, _ arguments: [String: WireValue] = [:]) async -> Wire.Reply {
        await withCheckedContinuation { continuation in
            Wire.shared.call(name, arguments) { continuation.resume(returning: $0) }
        }
    }
}
