package import ExtensionWire
public import Foundation

public struct UNNotificationCategoryOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let customDismissAction = Self(rawValue: 1)
    public static let allowInCarPlay = Self(rawValue: 2)
    public static let hiddenPreviewsShowTitle = Self(rawValue: 4)
    public static let hiddenPreviewsShowSubtitle = Self(rawValue: 8)
    /// Without an effect since iOS 15.
    public static let allowAnnouncement = Self(rawValue: 16)

    private static let names: [(Self, String)] = [
        (.customDismissAction, "customDismissAction"), (.allowInCarPlay, "allowInCarPlay"),
        (.hiddenPreviewsShowTitle, "hiddenPreviewsShowTitle"),
        (.hiddenPreviewsShowSubtitle, "hiddenPreviewsShowSubtitle"), (.allowAnnouncement, "allowAnnouncement"),
    ]

    var json: WireValue { .words(Self.names.filter { contains($0.0) }.map(\.1)) }

    init(_ json: WireValue?) {
        let words = json?.words ?? []
        self = Self(Self.names.filter { words.contains($0.1) }.map(\.0))
    }
}

/// A kind of notification, with its buttons.
open class UNNotificationCategory: NSObject, NSCopying {
    public let identifier: String
    public let actions: [UNNotificationAction]
    public let intentIdentifiers: [String]
    public let options: UNNotificationCategoryOptions
    /// Shown instead of the body while previews are hidden; empty is the system's text.
    public let hiddenPreviewsBodyPlaceholder: String
    public let categorySummaryFormat: String

    public convenience init(
        identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
        options: UNNotificationCategoryOptions = []
    ) {
        self.init(
            identifier: identifier, actions: actions, intentIdentifiers: intentIdentifiers,
            hiddenPreviewsBodyPlaceholder: nil, categorySummaryFormat: nil, options: options)
    }

    public convenience init(
        identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
        hiddenPreviewsBodyPlaceholder: String, options: UNNotificationCategoryOptions = []
    ) {
        self.init(
            identifier: identifier, actions: actions, intentIdentifiers: intentIdentifiers,
            hiddenPreviewsBodyPlaceholder: hiddenPreviewsBodyPlaceholder, categorySummaryFormat: nil, options: options)
    }

    public init(
        identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
        hiddenPreviewsBodyPlaceholder: String?, categorySummaryFormat: String?,
        options: UNNotificationCategoryOptions = []
    ) {
        self.identifier = identifier
        self.actions = actions
        self.intentIdentifiers = intentIdentifiers
        self.options = options
        self.hiddenPreviewsBodyPlaceholder = hiddenPreviewsBodyPlaceholder ?? ""
        self.categorySummaryFormat = categorySummaryFormat ?? ""
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Reads one of the protocol.
    package convenience init(json: WireValue) {
        self.init(
            identifier: json["identifier"]?.text ?? "",
            actions: json["actions"]?.elements?.map { UNNotificationAction.make($0) } ?? [],
            intentIdentifiers: json["intentIdentifiers"]?.words ?? [],
            hiddenPreviewsBodyPlaceholder: json["hiddenPreviewsBodyPlaceholder"]?.text,
            categorySummaryFormat: json["summaryFormat"]?.text,
            options: UNNotificationCategoryOptions(json["options"]))
    }

    /// As many actions as are ever shown.
    private static let actionCount = 10

    package var json: WireValue {
        let actions = actions.prefix(Self.actionCount).map { WireValue.object($0.members) }
        var members: [String: WireValue] = [
            "identifier": .string(identifier), "actions": .array(actions),
            "intentIdentifiers": .words(intentIdentifiers), "options": options.json,
        ]
        if !hiddenPreviewsBodyPlaceholder.isEmpty {
            members["hiddenPreviewsBodyPlaceholder"] = .string(hiddenPreviewsBodyPlaceholder)
        }
        if !categorySummaryFormat.isEmpty { members["summaryFormat"] = .string(categorySummaryFormat) }
        return .object(members)
    }
}
