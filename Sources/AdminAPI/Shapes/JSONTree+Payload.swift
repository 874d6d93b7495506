internal import DeviceModel

extension JSONTree {
    /// A payload as members: its text, or base64 when it is none, and its length.
    /// - Parameter byteCount: The length as sent, when less was kept.
    static func payload(_ payload: [UInt8], byteCount: Int? = nil) -> JSONTree {
        let text = String(validating: payload, as: UTF8.self)
        return [
            "payloadText": text.map { .string($0) },
            "payloadBase64": text == nil ? .string(base64(payload)) : nil,
            "payloadByteCount": .integer(byteCount ?? payload.count),
        ]
    }

    /// A payload as JSON, byte for byte; `nil` when it is not JSON.
    static func value(_ payload: [UInt8]) -> JSONTree? {
        if case .invalid = PayloadScan(payload.span.bytes) { return nil }
        return .raw(payload)
    }

    static func headers(_ fields: [(name: String, value: String)]) -> JSONTree {
        .array(fields.map { ["name": .string($0.name), "value": .string($0.value)] })
    }
}
