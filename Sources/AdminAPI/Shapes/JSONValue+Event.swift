internal import DeviceModel
internal import DeviceSimulator
internal import JSON

extension JSONValue {
    /// An event of a device.
    init(_ event: DeviceEvent) {
        self = [
            "at": .time(event.at),
            "event": .string(event.kind.rawValue),
            "number": .integer(event.number),
            "notification": event.notification.map { .integer($0) },
            "app": event.app.map { .string($0) },
            "details": event.details.isEmpty ? nil : JSONValue.object(event.details).sorted,
        ]
    }
}
