public import Foundation

open class UNNotificationServiceExtension: NSObject {
    /// Called for each push; call `contentHandler` with the content to show, from any thread, within 30 seconds.
    /// On iOS, `didReceive(_:)` is the same method; here, this one calls an override of that one.
    @preconcurrency
    open func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (UNNotificationContent) -> Void
    ) {
        // `nonisolated(unsafe)`: iOS too calls the extension on any thread, and the request has one user at a time.
        nonisolated(unsafe) let receiver = self
        nonisolated(unsafe) let request = request
        Task { contentHandler(await receiver.didReceive(request)) }
    }

    /// Called for each push; return the content to show within 30 seconds.
    open func didReceive(_ request: UNNotificationRequest) async -> UNNotificationContent { request.content }

    /// Called on another thread shortly before time runs out: the last chance to call the handler.
    open func serviceExtensionTimeWillExpire() {}
}
