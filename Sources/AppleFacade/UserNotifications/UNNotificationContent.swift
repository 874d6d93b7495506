package import ExtensionWire
public import Foundation

/// What a notification says and how; `UNMutableNotificationContent` can be changed.
open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying, NSSecureCoding {
    var values: ContentValues

    /// Nothing: handed to the content handler, it suppresses the notification of an app that has the filtering entitlement.
    public override init() { values = ContentValues() }

    init(_ values: ContentValues) { self.values = values }

    /// Pictures, sounds and films that go with it.
    open var attachments: [UNNotificationAttachment] { values.attachments }
    /// The number on the icon; nil leaves it, 0 removes it.
    open var badge: NSNumber? { values.badge }
    open var body: String { values.body }
    open var categoryIdentifier: String { values.categoryIdentifier }
    /// What a Focus filter asks for.
    open var filterCriteria: String? { values.filterCriteria }
    open var interruptionLevel: UNNotificationInterruptionLevel { values.interruptionLevel }
    /// The picture shown while the app starts.
    open var launchImageName: String { values.launchImageName }
    /// How it ranks in the scheduled summary, from 0 to 1.
    open var relevanceScore: Double { values.relevanceScore }
    /// What it sounds like; nil is silent.
    open var sound: UNNotificationSound? { values.sound }
    /// The second line.
    open var subtitle: String { values.subtitle }
    /// Ignored since iOS 15.
    open var summaryArgument: String { values.summaryArgument }
    /// Ignored since iOS 15.
    open var summaryArgumentCount: Int { values.summaryArgumentCount }
    /// The window to bring forward.
    open var targetContentIdentifier: String? { values.targetContentIdentifier }
    open var threadIdentifier: String { values.threadIdentifier }
    /// The first line.
    open var title: String { values.title }
    /// The payload, `aps` included.
    open var userInfo: [AnyHashable: Any] { values.userInfo }

    public class var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        guard let text = coder.decodeObject(of: NSString.self, forKey: "json"),
            let json = try? WireValue(json: Data(text.description.utf8))
        else { return nil }
        values = ContentValues(json)
    }

    open func encode(with coder: NSCoder) { coder.encode(NSString(string: json.json), forKey: "json") }

    /// A content that cannot be changed.
    open func copy(with zone: NSZone? = nil) -> Any { UNNotificationContent(values) }

    open func mutableCopy(with zone: NSZone? = nil) -> Any { UNMutableNotificationContent(values) }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNNotificationContent else { return false }
        return values.json == other.values.json
    }

    open override var hash: Int { values.json.hashValue }

    /// A copy that is a communication from, or to, the people of an intent. Its texts stay as they are; the system shows the
    /// sender instead of the title.
    ///
    /// - Returns: A content of the receiver's class.
    /// - Throws: `UNError` 1500 for anything but the system's own providers, 1501 for one without a sender or contacts.
    open func updating(from provider: any UNNotificationContentProviding) throws -> UNNotificationContent {
        guard let provider = provider as? any CommunicationProviding else {
            throw UNError(
                .contentProvidingObjectNotAllowed,
                "\(type(of: provider)) is not a provider of the system; use INSendMessageIntent or INStartCallIntent")
        }
        guard provider.namesSomebody else {
            throw UNError(.contentProvidingInvalid, "\(type(of: provider)) has neither a sender nor contacts")
        }
        var values = values
        values.communication = provider.communicationIntent
        return self is UNMutableNotificationContent
            ? UNMutableNotificationContent(values) : UNNotificationContent(values)
    }
}

extension UNNotificationContent {
    /// Reads the protocol's CONTENT.
    package convenience init(json: WireValue) { self.init(ContentValues(json)) }

    /// The protocol's CONTENT, every member.
    package var json: WireValue { values.json }
}
