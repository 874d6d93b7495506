internal import DeviceModel
internal import DeviceSimulator
internal import JSON

extension JSONTree {
    init(_ event: DeviceEvent) {
        self = [
            "at": .time(event.at),
            "event": .string(event.kind.rawValue),
            "number": .integer(event.number),
            "notification": event.notification.map { .integer($0) },
            "app": event.app.map { .string($0) },
            "details": event.details.isEmpty ? nil : JSONTree(.object(event.details)),
        ]
    }

    /// Any JSON, members in alphabetical order.
    init(_ value: JSONValue) {
        self =
            switch value {
            case .null: .null
            case .bool(let value): .bool(value)
            case .integer(let value): .integer(value)
            case .number(let value): value.isFinite ? .number(String(value)) : .null
            case .string(let value): .string(value)
            case .array(let values): .array(values.map { JSONTree($0) })
            case .object(let members):
                .object(members.sorted { $0.key < $1.key }.map { (name: $0.key, value: JSONTree($0.value)) })
            }
    }
}
