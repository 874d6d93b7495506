package import ExtensionWire
public import Foundation

/// The glyph beside an action's title.
open class UNNotificationActionIcon: NSObject, NSCopying {
    package let json: WireValue

    /// An image of the app.
    public init(templateImageName: String) { json = .object(["templateImageName": .string(templateImageName)]) }

    /// An SF symbol.
    public init(systemImageName: String) { json = .object(["systemImageName": .string(systemImageName)]) }

    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// How an action behaves.
public struct UNNotificationActionOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let authenticationRequired = Self(rawValue: 1)
    public static let destructive = Self(rawValue: 2)
    public static let foreground = Self(rawValue: 4)

    var json: WireValue {
        let names: [(Self, String)] = [
            (.authenticationRequired, "authenticationRequired"), (.destructive, "destructive"),
            (.foreground, "foreground"),
        ]
        return .array(names.filter { contains($0.0) }.map { .string($0.1) })
    }
}

/// A button of a notification.
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
