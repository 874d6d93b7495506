package import ExtensionWire
public import Foundation

open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying, NSSecureCoding {
    open internal(set) var attachments: [UNNotificationAttachment] = []
    /// The number on the icon; nil leaves it, 0 removes it.
    open internal(set) var badge: NSNumber?
    open internal(set) var body: String = ""
    open internal(set) var categoryIdentifier: String = ""
    open internal(set) var filterCriteria: String?
    open internal(set) var interruptionLevel: UNNotificationInterruptionLevel = .active
    open internal(set) var launchImageName: String = ""
    /// How it ranks in the scheduled summary, from 0 to 1.
    open internal(set) var relevanceScore: Double = 0
    /// nil is silent.
    open internal(set) var sound: UNNotificationSound?
    open internal(set) var subtitle: String = ""
    /// Ignored since iOS 15.
    open internal(set) var summaryArgument: String = ""
    /// Ignored since iOS 15.
    open internal(set) var summaryArgumentCount: Int = 0
    open internal(set) var targetContentIdentifier: String?
    open internal(set) var threadIdentifier: String = ""
    open internal(set) var title: String = ""
    /// The payload, `aps` included.
    open internal(set) var userInfo: [AnyHashable: Any] = [:]
    var communication: WireValue?

    /// Nothing: handed to the content handler, it suppresses the notification of an app that has the filtering entitlement.
    public override init() {}

    init(_ other: UNNotificationContent) {
        (attachments, badge, body) = (other.attachments, other.badge, other.body)
        (categoryIdentifier, filterCriteria) = (other.categoryIdentifier, other.filterCriteria)
        (interruptionLevel, launchImageName) = (other.interruptionLevel, other.launchImageName)
        (relevanceScore, sound, subtitle) = (other.relevanceScore, other.sound, other.subtitle)
        (summaryArgument, summaryArgumentCount) = (other.summaryArgument, other.summaryArgumentCount)
        (targetContentIdentifier, threadIdentifier) = (other.targetContentIdentifier, other.threadIdentifier)
        (title, userInfo, communication) = (other.title, other.userInfo, other.communication)
    }

    /// Reads the protocol's CONTENT.
    package init(json: WireValue) {
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

    /// The protocol's CONTENT: every member, as the host takes an absent one for unchanged.
    package var json: WireValue {
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

    public class var supportsSecureCoding: Bool { true }

    public required convenience init?(coder: NSCoder) {
        guard let text = coder.decodeObject(of: NSString.self, forKey: "json"),
            let json = try? WireValue(json: Data(text.description.utf8))
        else { return nil }
        self.init(json: json)
    }

    open func encode(with coder: NSCoder) { coder.encode(NSString(string: json.json), forKey: "json") }

    open func copy(with zone: NSZone? = nil) -> Any { UNNotificationContent(self) }

    open func mutableCopy(with zone: NSZone? = nil) -> Any { UNMutableNotificationContent(self) }

    open override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationContent)?.json == json }

    open override var hash: Int { json.hashValue }

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
        let copy =
            self is UNMutableNotificationContent ? UNMutableNotificationContent(self) : UNNotificationContent(self)
        copy.communication = provider.communicationIntent
        return copy
    }
}

/// Each property gets the setter that the superclass keeps to itself; an observer is the shortest way to override with one.
open class UNMutableNotificationContent: UNNotificationContent {
    open override var attachments: [UNNotificationAttachment] { didSet {} }
    open override var badge: NSNumber? { didSet {} }
    open override var body: String { didSet {} }
    open override var categoryIdentifier: String { didSet {} }
    open override var filterCriteria: String? { didSet {} }
    open override var interruptionLevel: UNNotificationInterruptionLevel { didSet {} }
    open override var launchImageName: String { didSet {} }
    open override var relevanceScore: Double { didSet {} }
    open override var sound: UNNotificationSound? { didSet {} }
    open override var subtitle: String { didSet {} }
    open override var summaryArgument: String { didSet {} }
    open override var summaryArgumentCount: Int { didSet {} }
    open override var targetContentIdentifier: String? { didSet {} }
    open override var threadIdentifier: String { didSet {} }
    open override var title: String { didSet {} }
    open override var userInfo: [AnyHashable: Any] { didSet {} }
}

/// Makes a notification a communication: `INSendMessageIntent` and `INStartCallIntent`; iOS rejects an app's own types.
public protocol UNNotificationContentProviding: NSObjectProtocol {}

package protocol CommunicationProviding: UNNotificationContentProviding {
    var communicationIntent: WireValue { get }
    var namesSomebody: Bool { get }
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
