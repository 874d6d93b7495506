public import ExtensionWire
internal import Foundation

protocol NamedOptions: OptionSet where RawValue == UInt {
    /// In bit order, lowest first.
    static var names: [String] { get }
}

extension NamedOptions {
    var json: WireValue {
        .words(Self.names.enumerated().filter { rawValue >> $0.offset & 1 == 1 }.map(\.element))
    }

    init(_ json: WireValue?) {
        let words = json?.words ?? []
        self.init(rawValue: Self.names.reversed().reduce(0) { $0 << 1 | (words.contains($1) ? 1 : 0) })
    }
}

public struct UNNotificationCategoryOptions: NamedOptions, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let customDismissAction = Self(rawValue: 1)
    public static let allowInCarPlay = Self(rawValue: 2)
    public static let hiddenPreviewsShowTitle = Self(rawValue: 4)
    public static let hiddenPreviewsShowSubtitle = Self(rawValue: 8)
    /// No effect since iOS 15.
    public static let allowAnnouncement = Self(rawValue: 16)

    static let names = [
        "customDismissAction", "allowInCarPlay", "hiddenPreviewsShowTitle", "hiddenPreviewsShowSubtitle",
        "allowAnnouncement",
    ]
}

open class UNNotificationCategory: CopiedByReference {
    public let identifier: String
    public let actions: [UNNotificationAction]
    public let intentIdentifiers: [String]
    public let options: UNNotificationCategoryOptions
    /// Replaces the body while previews are hidden; empty uses the system's text.
    public let hiddenPreviewsBodyPlaceholder: String
    public let categorySummaryFormat: String

    public init(
        identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
        hiddenPreviewsBodyPlaceholder: String? = nil, categorySummaryFormat: String? = nil,
        options: UNNotificationCategoryOptions = []
    ) {
        (self.identifier, self.actions, self.intentIdentifiers) = (identifier, actions, intentIdentifiers)
        self.options = options
        self.hiddenPreviewsBodyPlaceholder = hiddenPreviewsBodyPlaceholder ?? ""
        self.categorySummaryFormat = categorySummaryFormat ?? ""
    }

    package convenience init(json: WireValue) {
        self.init(
            identifier: json["identifier"]?.text ?? "",
            actions: json["actions"]?.elements?.map { UNNotificationAction.make($0) } ?? [],
            intentIdentifiers: json["intentIdentifiers"]?.words ?? [],
            hiddenPreviewsBodyPlaceholder: json["hiddenPreviewsBodyPlaceholder"]?.text,
            categorySummaryFormat: json["summaryFormat"]?.text,
            options: UNNotificationCategoryOptions(json["options"]))
    }

    /// The maximum that iOS displays.
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

open class UNNotificationActionIcon: CopiedByReference {
    package let json: WireValue

    public init(templateImageName: String) { json = .object(["templateImageName": .string(templateImageName)]) }

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
}

public struct UNNotificationActionOptions: NamedOptions, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let authenticationRequired = Self(rawValue: 1)
    public static let destructive = Self(rawValue: 2)
    public static let foreground = Self(rawValue: 4)

    static let names = ["authenticationRequired", "destructive", "foreground"]
}

open class UNNotificationAction: CopiedByReference {
    public let identifier: String
    public let title: String
    public let options: UNNotificationActionOptions
    public let icon: UNNotificationActionIcon?

    public init(
        identifier: String, title: String, options: UNNotificationActionOptions = [],
        icon: UNNotificationActionIcon? = nil
    ) {
        (self.identifier, self.title, self.options, self.icon) = (identifier, title, options, icon)
    }

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

    public init(
        identifier: String, title: String, options: UNNotificationActionOptions = [],
        icon: UNNotificationActionIcon? = nil, textInputButtonTitle: String, textInputPlaceholder: String
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
