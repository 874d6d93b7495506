public import Foundation

open class UNNotificationServiceExtension: NSObject {
    public override init() {}

    /// Called for each push; call `contentHandler` with the content to show, from any thread, within 30 seconds.
    /// On iOS, `didReceive(_:)` is the same method; here, this one calls an override of that one.
    @preconcurrency
    open func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (UNNotificationContent) -> Void
    ) {
        let call = AsyncCall(receiver: self, request: request)
        Task { contentHandler(await call.content()) }
    }

    /// Called for each push; return the content to show within 30 seconds.
    open func didReceive(_ request: UNNotificationRequest) async -> UNNotificationContent { request.content }

    /// Called on another thread shortly before time runs out: the last chance to call the handler.
    open func serviceExtensionTimeWillExpire() {}
}

/// `@unchecked`: the request has one user at a time, and iOS too calls the extension on any thread.
private struct AsyncCall: @unchecked Sendable {
    let receiver: UNNotificationServiceExtension
    let request: UNNotificationRequest

    func content() async -> UNNotificationContent { await receiver.didReceive(request) }
}
