package import ExtensionWire
public import Foundation

/// The glyph beside an action's title.
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
        self.identifier = identifier
        self.title = title
        self.options = options
        self.icon = icon
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

/// A button with a text field.
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
