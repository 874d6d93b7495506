package import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import JSON
package import Queries
internal import Time

/// A webhook's selection of events: an event kind, or a name for an act of the person.
package enum EventSelector: Sendable, Hashable {
    case kind(DeviceEvent.Kind)
    case word(Word)

    package enum Word: String, CaseIterable, Sendable {
        /// A push reached the app or the person.
        case delivered
        /// The person opened a notification.
        case tapped
        /// The person chose an action of a notification.
        case acted
        /// The person removed a notification without opening it.
        case dismissed
    }

    static let words = Word.allCases.map(\.rawValue) + kinds.map(\.rawValue)
    /// Results are not sent, because each would cause another.
    static let kinds = DeviceEvent.Kind.allCases.filter { $0 != .webhookResult }

    init?(_ text: String) {
        if let word = Word(rawValue: text) {
            self = .word(word)
        } else if let kind = DeviceEvent.Kind(rawValue: text), Self.kinds.contains(kind) {
            self = .kind(kind)
        } else {
            return nil
        }
    }

    package var text: String {
        switch self {
        case .kind(let kind): kind.rawValue
        case .word(let word): word.rawValue
        }
    }

    static let format: FieldFormat<EventSelector> = .word(
        "a kind of event, or \(Word.allCases.map(\.rawValue).joined(separator: ", "))", among: words,
        read: { EventSelector($0) }, write: \.text)

    func selects(_ event: DeviceEvent) -> Bool {
        switch self {
        case .kind(let kind): event.kind == kind
        case .word(.delivered): Self.deliveries.contains(event.kind)
        case .word(.tapped): event.kind == .response && event.action == ActionIdentifier.default
        case .word(.acted):
            event.kind == .response && event.action != ActionIdentifier.default
                && event.action != ActionIdentifier.dismiss
        case .word(.dismissed): event.kind == .removed && ["dismissed", "cleared"].contains(event.text("reason"))
        }
    }

    private static let deliveries: Set<DeviceEvent.Kind> = [
        .contentDelivered, .backgroundPush, .call, .complication, .fileProvider, .locationQuery, .mdm, .pushToTalk,
        .widgets, .controls, .liveActivity,
    ]
}

extension DeviceEvent {
    /// The members that conditions read.
    package static let roots = QueryRoots(
        ["device", "at", "event", "number", "notification", "app", "details"],
        values: [
            "device": .text, "at": .time, "event": .words(Kind.allCases.map(\.rawValue)), "number": .number,
            "notification": .number, "app": .text,
        ])

    package func document(on device: String) -> Document {
        { name in
            switch name {
            case "device": .string(device)
            case "at": .string(at.text)
            case "event": .string(kind.rawValue)
            case "number": .integer(number)
            case "notification": notification.map { .integer($0) }
            case "app": app.map { .string($0) }
            case "details": .object(details)
            default: nil
            }
        }
    }

    fileprivate var action: String { text("actionIdentifier") }

    /// A detail; empty when the event has none of this name.
    func text(_ name: String) -> String { Self.text(details[name]) }

    static func text(_ member: JSONValue?) -> String {
        switch member {
        case nil, .null: ""
        case .string(let text): text
        case let value?: value.text
        }
    }
}
