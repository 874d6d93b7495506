public import Foundation

open class UNNotificationServiceExtension: NSObject {
    public override init() {}

    /// Called for each push; `contentHandler` is to be called with what is shown, from any thread, within 30 seconds.
    ///
    /// On iOS this and `didReceive(_:)` are one method; who overrides that one is called by this one.
    @preconcurrency
    open func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (UNNotificationContent) -> Void
    ) {
        let call = AsyncCall(receiver: self, request: request)
        Task { contentHandler(await call.content()) }
    }

    /// Called for each push; what it returns is shown, if it returns within 30 seconds.
    open func didReceive(_ request: UNNotificationRequest) async -> UNNotificationContent { request.content }

    /// Called on another thread when time is almost up: the last chance to call the handler.
    open func serviceExtensionTimeWillExpire() {}
}

/// A call of the `async` form, on its way to a task.
///
/// `@unchecked`: the request is handed over, and the extension is called on any thread, as on iOS.
private struct AsyncCall: @unchecked Sendable {
    let receiver: UNNotificationServiceExtension
    let request: UNNotificationRequest

    func content() async -> UNNotificationContent { await receiver.didReceive(request) }
}
