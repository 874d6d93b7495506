package import ExtensionWire
public import Foundation

open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying, NSSecureCoding {
    open internal(set) var attachments: [UNNotificationAttachment] = []
    /// The number on the app's icon; nil leaves it unchanged, 0 removes it.
    open internal(set) var badge: NSNumber?
    open internal(set) var body: String = ""
    open internal(set) var categoryIdentifier: String = ""
    open internal(set) var filterCriteria: String?
    open internal(set) var interruptionLevel: UNNotificationInterruptionLevel = .active
    open internal(set) var launchImageName: String = ""
    /// The rank in the scheduled summary, from 0 to 1.
    open internal(set) var relevanceScore: Double = 0
    /// nil plays no sound.
    open internal(set) var sound: UNNotificationSound?
    open internal(set) var subtitle: String = ""
    /// Ignored since iOS 15, as is `summaryArgumentCount`.
    open internal(set) var summaryArgument: String = ""
    open internal(set) var summaryArgumentCount: Int = 0
    open internal(set) var targetContentIdentifier: String?
    open internal(set) var threadIdentifier: String = ""
    open internal(set) var title: String = ""
    /// The payload, including `aps`.
    open internal(set) var userInfo: [AnyHashable: Any] = [:]
    var communication: WireValue?

    /// Empty content, which suppresses the notification of an app with the filtering entitlement.
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

    /// The protocol's CONTENT with every member, because the host treats absent members as unchanged.
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

    /// Returns a copy of the receiver's class that is a communication from or to the intent's people. Its texts do not
    /// change; the system shows the sender instead of the title.
    /// - Throws: `UNError` 1500 for a custom provider, 1501 for one without a sender or contacts.
    open func updating(from provider: any UNNotificationContentProviding) throws -> UNNotificationContent {
        guard let provider = provider as? any CommunicationProviding else {
            throw UNError(
                .contentProvidingObjectNotAllowed,
                "\(type(of: provider)) is not a provider of the system; use INSendMessageIntent or INStartCallIntent")
        }
        guard provider.hasPeople else {
            throw UNError(.contentProvidingInvalid, "\(type(of: provider)) has neither a sender nor contacts")
        }
        let copy =
            self is UNMutableNotificationContent ? UNMutableNotificationContent(self) : UNNotificationContent(self)
        copy.communication = provider.json
        return copy
    }
}

/// Overrides each property to make its setter public; an empty observer is the shortest way.
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

/// Adopted by `INSendMessageIntent` and `INStartCallIntent`; iOS rejects custom types.
public protocol UNNotificationContentProviding: NSObjectProtocol {}

package protocol CommunicationProviding: UNNotificationContentProviding {
    var json: WireValue { get }
    var hasPeople: Bool { get }
}

public enum UNNotificationInterruptionLevel: Int, Sendable, CaseIterable {
    case passive, active, timeSensitive, critical

    public static var `default`: UNNotificationInterruptionLevel { .active }

    /// As in the payload.
    package var word: String { self == .timeSensitive ? "time-sensitive" : "\(self)" }

    package init?(_ json: WireValue?) {
        guard let level = Self.allCases.first(where: { $0.word == json?.text }) else { return nil }
        self = level
    }
}
