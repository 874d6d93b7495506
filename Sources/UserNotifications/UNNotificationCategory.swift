package import ExtensionWire
public import Foundation

/// How notifications of a category behave.
public struct UNNotificationCategoryOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let customDismissAction = Self(rawValue: 1)
    public static let allowInCarPlay = Self(rawValue: 2)
    public static let hiddenPreviewsShowTitle = Self(rawValue: 4)
    public static let hiddenPreviewsShowSubtitle = Self(rawValue: 8)
    /// Without an effect since iOS 15.
    public static let allowAnnouncement = Self(rawValue: 16)

    var json: WireValue {
        let names: [(Self, String)] = [
            (.customDismissAction, "customDismissAction"), (.allowInCarPlay, "allowInCarPlay"),
            (.hiddenPreviewsShowTitle, "hiddenPreviewsShowTitle"),
            (.hiddenPreviewsShowSubtitle, "hiddenPreviewsShowSubtitle"), (.allowAnnouncement, "allowAnnouncement"),
        ]
        return .array(names.filter { contains($0.0) }.map { .string($0.1) })
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

    package var json: WireValue {
        var members: [String: WireValue] = [
            "identifier": .string(identifier), "actions": .array(actions.map { .object($0.members) }),
            "intentIdentifiers": .array(intentIdentifiers.map { .string($0) }), "options": options.json,
        ]
        if !hiddenPreviewsBodyPlaceholder.isEmpty {
            members["hiddenPreviewsBodyPlaceholder"] = .string(hiddenPreviewsBodyPlaceholder)
        }
        if !categorySummaryFormat.isEmpty { members["summaryFormat"] = .string(categorySummaryFormat) }
        return .object(members)
    }
}
