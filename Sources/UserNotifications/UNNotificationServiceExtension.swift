public import Foundation

/// Changes a push before it is shown.
open class UNNotificationServiceExtension: NSObject {
    public override init() {}

    /// Called for each push; `contentHandler` is to be called with what is shown, from any thread, within 30 seconds.
    @preconcurrency
    open func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (UNNotificationContent) -> Void
    ) {
        contentHandler(request.content)
    }

    /// Called on another thread when time is almost up: the last chance to call the handler.
    open func serviceExtensionTimeWillExpire() {}
}
