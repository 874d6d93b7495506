package import ExtensionWire
public import Foundation

/// What may make a notification a communication: `INSendMessageIntent`, `INStartCallIntent` and
/// `UNNotificationAttributedMessageContext`; conforming one's own types to it has no effect on iOS but an error.
public protocol UNNotificationContentProviding: NSObjectProtocol {}

/// The system's own providers.
package protocol CommunicationProviding: UNNotificationContentProviding {
    var communicationIntent: WireValue { get }
    /// Whether it says who it is from, or who is called.
    var namesSomebody: Bool { get }
}
