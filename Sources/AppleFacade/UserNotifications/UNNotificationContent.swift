package import ExtensionWire
public import Foundation

open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying, NSSecureCoding {
    var values: ContentValues

    /// Nothing: handed to the content handler, it suppresses the notification of an app that has the filtering entitlement.
    public override init() { values = ContentValues() }

    init(_ values: ContentValues) { self.values = values }

    open var attachments: [UNNotificationAttachment] { values.attachments }
    /// The number on the icon; nil leaves it, 0 removes it.
    open var badge: NSNumber? { values.badge }
    open var body: String { values.body }
    open var categoryIdentifier: String { values.categoryIdentifier }
    open var filterCriteria: String? { values.filterCriteria }
    open var interruptionLevel: UNNotificationInterruptionLevel { values.interruptionLevel }
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
    open var targetContentIdentifier: String? { values.targetContentIdentifier }
    open var threadIdentifier: String { values.threadIdentifier }
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

/// What may make a notification a communication: `INSendMessageIntent`, `INStartCallIntent` and
/// `UNNotificationAttributedMessageContext`; conforming one's own types to it has no effect on iOS but an error.
public protocol UNNotificationContentProviding: NSObjectProtocol {}

package protocol CommunicationProviding: UNNotificationContentProviding {
    var communicationIntent: WireValue { get }
    var namesSomebody: Bool { get }
}

struct ContentValues {
    var attachments: [UNNotificationAttachment] = []
    var badge: NSNumber?
    var body = ""
    var categoryIdentifier = ""
    var filterCriteria: String?
    var interruptionLevel = UNNotificationInterruptionLevel.active
    var launchImageName = ""
    var relevanceScore = 0.0
    var sound: UNNotificationSound?
    var subtitle = ""
    var summaryArgument = ""
    var summaryArgumentCount = 0
    var targetContentIdentifier: String?
    var threadIdentifier = ""
    var title = ""
    var userInfo: [AnyHashable: Any] = [:]
    var communication: WireValue?
}

extension ContentValues {
    init(_ json: WireValue) {
        attachments = json["attachments"]?.elements?.compactMap { UNNotificationAttachment($0) } ?? []
        badge = json["badge"]?.integer.map { NSNumber(value: $0) }
        body = json["body"]?.text ?? ""
        categoryIdentifier = json["categoryIdentifier"]?.text ?? ""
        filterCriteria = json["filterCriteria"]?.text
        interruptionLevel = UNNotificationInterruptionLevel(json["interruptionLevel"]) ?? .active
        launchImageName = json["launchImageName"]?.text ?? ""
        relevanceScore = json["relevanceScore"]?.number ?? 0
        sound = UNNotificationSound(json["sound"])
        subtitle = json["subtitle"]?.text ?? ""
        targetContentIdentifier = json["targetContentIdentifier"]?.text
        threadIdentifier = json["threadIdentifier"]?.text ?? ""
        title = json["title"]?.text ?? ""
        userInfo = json["userInfo"]?.foundationObject as? [String: Any] ?? [:]
    }

    /// Every member, as the host keeps what an answer leaves out.
    var json: WireValue {
        .object([
            "attachments": .array(attachments.map(\.json)),
            "badge": badge.map { .integer($0.intValue) } ?? .null,
            "body": .string(body),
            "categoryIdentifier": .string(categoryIdentifier),
            "communication": communication ?? .null,
            "filterCriteria": WireValue(filterCriteria),
            "interruptionLevel": .string(interruptionLevel.word),
            "launchImageName": WireValue(launchImageName.isEmpty ? nil : launchImageName),
            "relevanceScore": .number(relevanceScore),
            "sound": sound?.json ?? .null,
            "subtitle": .string(subtitle),
            "targetContentIdentifier": WireValue(targetContentIdentifier),
            "threadIdentifier": .string(threadIdentifier),
            "title": .string(title),
            "userInfo": WireValue(foundationObject: userInfo),
        ])
    }
}

public enum UNNotificationInterruptionLevel: Int, Sendable, CaseIterable {
    case passive, active, timeSensitive, critical

    public static var `default`: UNNotificationInterruptionLevel { .active }
}

extension UNNotificationInterruptionLevel {
    /// The word on the wire, which is the payload's.
    package var word: String { self == .timeSensitive ? "time-sensitive" : "\(self)" }

    package init?(_ json: WireValue?) {
        guard let level = Self.allCases.first(where: { $0.word == json?.text }) else { return nil }
        self = level
    }
}
