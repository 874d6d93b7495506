package import JSON

extension DeviceAct {
    package var notification: UInt64? {
        switch self {
        case .tap(let notification), .dismiss(let notification), .perform(_, _, let notification),
            .confirmContact(let notification):
            notification
        default: nil
        }
    }

    package var app: String? {
        switch self {
        case .open(let app), .clear(let app): app
        case .terminate(let app), .uninstall(let app), .answer(_, let app), .setBadge(_, let app),
            .removeDelivered(_, let app), .removeAllDelivered(let app), .setCategories(_, let app):
            app
        default: nil
        }
    }

    /// The act as an event tells it; notification and app stand beside.
    package var details: JSONObject {
        var details: JSONObject = ["action": .string(name)]
        switch self {
        case .perform(let action, let text, _):
            details["actionIdentifier"] = .string(action)
            if let text { details["userText"] = .string(text) }
        case .switchFocus(let id): details["focus"] = id.map { .string($0) } ?? .null
        case .answer(let choice, _): details["choice"] = .string(choice.rawValue)
        case .setBadge(let count, _): details["count"] = .integer(count)
        case .removeDelivered(let identifiers, _):
            details["identifiers"] = .array(identifiers.map { .string($0) })
        case .setCategories(let categories, _):
            details["categories"] = .array(categories.map { .string($0.identifier) })
        default: break
        }
        return details
    }
}
