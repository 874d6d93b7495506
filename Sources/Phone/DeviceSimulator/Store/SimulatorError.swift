package import APNs
package import DeviceModel

/// Why the simulator refuses a request, which then changes nothing.
package enum SimulatorError: Error, Sendable, Hashable {
    case tooManyDevices(limit: Int)
    /// For so many new devices.
    case noRoom(Int, room: Int, limit: Int)
    case deviceExists(String)
    case tokenTaken(device: String)
    /// Two tokens for the same use, of which a device has one active.
    case twoTokens(DeviceToken, DeviceToken, for: TokenRequest)
    case noSuchDevice(String)
    case poweredOff(String)
    case noSuchApp(String, known: [String])
    case noSuchNotification(UInt64)
    case notListed(UInt64, state: String, inSummary: Bool)
    case unknownFocus(String, known: [String])
    case unknownAction(String, notification: UInt64, known: [String])
    case textMismatch(String, takesText: Bool)
    case negativeBadge(Int)
    case noPrompt(app: String)
    case wrongChoice(DeviceAct.PromptChoice, Prompt, [DeviceAct.PromptChoice])
    case noSuggestion(UInt64)
    case summaryOff
    case tooManyShares(limit: Int)
    case journalUnwritable(String)
    case live(DeviceError)

    package var message: String {
        switch self {
        case .tooManyDevices(let limit): "the limit of \(limit) devices is reached"
        case .noRoom(let count, let room, let limit):
            "there is room for \(room) more devices, not for \(count); inbox.devices allows \(limit)"
        case .deviceExists(let name):
            "the device \"\(name)\" exists; choose another prefix, or delete the devices with this one"
        case .tokenTaken(let device): "the token belongs to another registration, of device \"\(device)\""
        case .twoTokens(let first, let second, let use):
            "the tokens \(first.redacted)… and \(second.redacted)… are both for \(use.topic) in the "
                + "\(use.environment.rawValue) environment, where a device has one active token of each kind; keep one, "
                + "or give one of them the status unregistered"
        case .noSuchDevice(let name): "there is no device \"\(name)\""
        case .poweredOff(let name):
            "the device \"\(name)\" is switched off and rejects every act; set its isPoweredOn to true first"
        case .noSuchApp(let app, let known):
            "the device has no app \"\(app)\"; it has \(known.isEmpty ? "none" : known.joined(separator: ", ")); a "
                + "registration installs one: POST /api/v1/devices/{name}/registrations"
        case .noSuchNotification(let number):
            "the device has no notification \(number); it may have been cleared, or evicted from a full inbox"
        case .notListed(let number, _, inSummary: true):
            "notification \(number) waits for the scheduled summary and is not on the screen yet"
        case .notListed(let number, let state, inSummary: false):
            "notification \(number) is \(state), but neither on the lock screen nor in Notification Center"
        case .unknownFocus(let id, let known):
            "the device has no Focus \"\(id)\"; " + Self.list(known, none: "it has none")
        case .unknownAction(let action, let number, let known):
            "notification \(number) has no action \"\(action)\"; "
                + Self.list(known, none: "its category has none, or the app has not registered it")
        case .textMismatch(let action, takesText: true): "the action \"\(action)\" takes a text"
        case .textMismatch(let action, takesText: false): "the action \"\(action)\" takes no text"
        case .negativeBadge(let count): "a badge is 0 or more, not \(count)"
        case .noPrompt(let app): "no prompt about \(app) is open"
        case .wrongChoice(let choice, let prompt, let choices):
            "\"\(choice.rawValue)\" is not an answer to \(prompt.rawValue); "
                + Self.list(choices.map(\.rawValue), none: "")
        case .noSuggestion(let number): "the system suggests no contact with notification \(number)"
        case .summaryOff: "the scheduled summary is off, so it was not offered"
        case .tooManyShares(let limit):
            "the reservations of \(limit) devices wait to reach the person's other devices; try again later, or give one "
                + "person fewer devices"
        case .journalUnwritable(let reason): "the journal cannot be written: \(reason)"
        case .live(let error): error.message
        }
    }

    private static func list(_ known: [String], none: String) -> String {
        known.isEmpty ? none : "accepted are \(known.joined(separator: ", "))"
    }
}
