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
        (self.identifier, self.actions, self.intentIdentifiers) = (identifier, actions, intentIdentifiers)
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

    /// As many as are ever shown.
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

open class UNNotificationActionIcon: NSObject, NSCopying {
    package let json: WireValue

    public init(templateImageName: String) { json = .object(["templateImageName": .string(templateImageName)]) }

    /// An SF symbol.
    public init(systemImageName: String) { json = .object(["systemImageName": .string(systemImageName)]) }

    convenience init?(_ json: WireValue) {
        if let name = json["systemImageName"]?.text {
            self.init(systemImageName: name)
        } else if let name = json["templateImageName"]?.text {
            self.init(templateImageName: name)
        } else {
            return nil
        }
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }
}

public struct UNNotificationActionOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let authenticationRequired = Self(rawValue: 1)
    public static let destructive = Self(rawValue: 2)
    public static let foreground = Self(rawValue: 4)

    private static let names: [(Self, String)] = [
        (.authenticationRequired, "authenticationRequired"), (.destructive, "destructive"), (.foreground, "foreground"),
    ]

    var json: WireValue { .words(Self.names.filter { contains($0.0) }.map(\.1)) }

    init(_ json: WireValue?) {
        let words = json?.words ?? []
        self = Self(Self.names.filter { words.contains($0.1) }.map(\.0))
    }
}

open class UNNotificationAction: NSObject, NSCopying {
    public let identifier: String
    public let title: String
    public let options: UNNotificationActionOptions
    public let icon: UNNotificationActionIcon?

    public convenience init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
        self.init(identifier: identifier, title: title, options: options, icon: nil)
    }

    public init(
        identifier: String, title: String, options: UNNotificationActionOptions = [], icon: UNNotificationActionIcon?
    ) {
        (self.identifier, self.title, self.options, self.icon) = (identifier, title, options, icon)
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Reads one of the protocol.
    static func make(_ json: WireValue) -> UNNotificationAction {
        let (identifier, title) = (json["identifier"]?.text ?? "", json["title"]?.text ?? "")
        let options = UNNotificationActionOptions(json["options"])
        let icon = json["icon"].flatMap { UNNotificationActionIcon($0) }
        guard let input = json["textInput"] else {
            return UNNotificationAction(identifier: identifier, title: title, options: options, icon: icon)
        }
        return UNTextInputNotificationAction(
            identifier: identifier, title: title, options: options, icon: icon,
            textInputButtonTitle: input["buttonTitle"]?.text ?? "",
            textInputPlaceholder: input["placeholder"]?.text ?? "")
    }

    var members: [String: WireValue] {
        var members: [String: WireValue] = [
            "identifier": .string(identifier), "title": .string(title), "options": options.json,
        ]
        members["icon"] = icon?.json
        return members
    }
}

open class UNTextInputNotificationAction: UNNotificationAction {
    public let textInputButtonTitle: String
    public let textInputPlaceholder: String

    public convenience init(
        identifier: String, title: String, options: UNNotificationActionOptions = [], textInputButtonTitle: String,
        textInputPlaceholder: String
    ) {
        self.init(
            identifier: identifier, title: title, options: options, icon: nil,
            textInputButtonTitle: textInputButtonTitle, textInputPlaceholder: textInputPlaceholder)
    }

    public init(
        identifier: String, title: String, options: UNNotificationActionOptions = [], icon: UNNotificationActionIcon?,
        textInputButtonTitle: String, textInputPlaceholder: String
    ) {
        self.textInputButtonTitle = textInputButtonTitle
        self.textInputPlaceholder = textInputPlaceholder
        super.init(identifier: identifier, title: title, options: options, icon: icon)
    }

    override var members: [String: WireValue] {
        var members = super.members
        members["textInput"] = .object([
            "buttonTitle": .string(textInputButtonTitle), "placeholder": .string(textInputPlaceholder),
        ])
        return members
    }
}
