internal import ExtensionWire
public import Foundation

/// Parameters of an app's own intents, of which only the values are known.
enum INParameterValue {
    static func json(_ value: Any) -> WireValue {
        switch value {
        case let value as INPerson: value.json
        case let value as INSpeakableString: value.json
        case let value as INImage: value.json
        case let value as INObject: value.json
        case let value as INIntent: value.json
        case let value as [Any]: .array(value.map(json))
        default: optional(value)
        }
    }

    private static func optional(_ value: Any) -> WireValue {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional: return mirror.children.first.map { json($0.value) } ?? .null
        case .enum: return .string("\(value)")
        default: return WireValue(foundationObject: value)
        }
    }
}

/// Something of an app's that an intent is about.
open class INObject: NSObject {
    public let identifier: String?
    public let displayString: String
    public let pronunciationHint: String?

    public convenience init(identifier: String?, display displayString: String) {
        self.init(identifier: identifier, display: displayString, pronunciationHint: nil)
    }

    public init(identifier: String?, display displayString: String, pronunciationHint: String?) {
        self.identifier = identifier
        self.displayString = displayString
        self.pronunciationHint = pronunciationHint
    }

    var json: WireValue {
        .object(["identifier": WireValue(identifier), "displayString": .string(displayString)])
    }
}
