internal import ExtensionWire
internal import Foundation

/// The values of a content; the mutable class changes them.
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
    /// The intent that `updating(from:)` got, as JSON.
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
