internal import JSON

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension JSONValue {
    /// A payload as members: its text, or base64 when it is none, and its length.
    /// - Parameter byteCount: The length as sent, when less was kept.
    static func payload(_ payload: [UInt8], byteCount: Int? = nil) -> JSONValue {
        let text = String(validating: payload, as: UTF8.self)
        return [
            "payloadText": text.map { .string($0) },
            "payloadBase64": text == nil ? .string(Data(payload).base64EncodedString()) : nil,
            "payloadByteCount": .integer(byteCount ?? payload.count),
        ]
    }

    /// A payload as JSON, byte for byte; `nil` when it is not JSON.
    static func value(_ payload: [UInt8]) -> JSONValue? {
        JSONValue(payload.span.bytes) == nil ? nil : .verbatim(payload)
    }

    static func headers(_ fields: [(name: String, value: String)]) -> JSONValue {
        .array(fields.map { ["name": .string($0.name), "value": .string($0.value)] })
    }
}
