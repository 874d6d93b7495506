package import DeviceModel
package import JSON

/// The answer to a call of `UNUserNotificationCenter`.
package enum CenterReply: Sendable, Hashable {
    /// The call is done; null when it returns nothing.
    case result(JSONValue)
    /// The call failed, and changed nothing. The reason is a sentence for people.
    case refused(String)
}

/// Answers a call of `UNUserNotificationCenter`: calls the closure once, now or later, from any thread.
package typealias CenterAnswerer =
    @Sendable (ExtensionRequest, ExtensionRun.CenterCall, @escaping @Sendable (CenterReply) -> Void) -> Void
