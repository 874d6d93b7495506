import Foundation
import JSON
import Testing

/// Compared with Foundation's encoder.
@Suite struct JSONTextEncoderTests {
    private enum Shape: Codable {
        case point
        case circle(radius: Double, name: String?)
        case list([Shape])
    }

    private struct Value: Codable {
        var zone = "Ω\"\\\n\t\u{1}/é猫"
        var b = [1, -2, .max]
        var a: Double? = 0.1
        var none: Int?
        var whole = 3.0
        var huge = 1e20
        var infinite = -Double.infinity
        var ratio: Float = 0.1
        var small: UInt8 = 255
        var largest = UInt64.max
        var flag = false
        var data = Data([0, 255, 62])
        var byName = ["é": 1, "z": 2, "Z": 3, "猫": 4, "": 5]
        var byNumber = [7: "seven"]
        var optionals: [String?] = [nil, "x"]
        var shapes: [Shape] = [
            .point, .circle(radius: 1, name: nil), .list([.circle(radius: 0.5, name: "c"), .point]),
        ]
        var empty = Empty()
        var nested = [[Empty](), [Empty()]]
        var json = JSONValue(Array(#"{"b":[1,2.5,{"y":null,"x":"t"}],"a":{}}"#.utf8).span.bytes)
    }

    private struct Empty: Codable {}

    /// Asks for its container twice, as a value with a stored base does.
    private struct Twice: Encodable {
        func encode(to encoder: any Encoder) throws {
            try ["m": 1, "z": 2].encode(to: encoder)
            try ["a": [3], "m": [4]].encode(to: encoder)
        }
    }

    private static func reference(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private static func text(_ value: some Encodable) -> String {
        String(decoding: JSONTextEncoder.bytes(value), as: UTF8.self)
    }

    @Test func `it writes what Foundation writes`() throws {
        #expect(try Self.text(Value()) == Self.reference(Value()))
        #expect(try Self.text([Value(), Value()]) == Self.reference([Value(), Value()]))
        #expect(try Self.text(Empty()) == Self.reference(Empty()))
        #expect(try Self.text("text") == Self.reference("text"))
        #expect(try Self.text([String: Int]()) == Self.reference([String: Int]()))
        #expect(try Self.text(Twice()) == Self.reference(Twice()))
        #expect(try Self.text(Int?.none) == Self.reference(Int?.none))
    }

    private struct Answer: Encodable {
        var zone = "Ω\"\\\n/é"
        var b = [1, -2, .max]
        var a: Double? = 0.1
        var none: Int?
        var whole = 3.0
        var infinite = -Double.infinity
        var largest = UInt64.max
        var flags = [true, false]
        var optionals: [String?] = [nil, "x"]
        var empty = Empty()
        var nested = [[Empty()], []]
        var shapes: [Shape] = [.point, .list([.circle(radius: 2, name: "c")])]
        var payload = JSONValue.verbatim(Array(#"{"b": 1.50,"a":1e2}"#.utf8))
        var json: JSONValue = ["z": .number(2), "y": .null, "x": .array([.verbatim(Array("1.0".utf8))])]
    }

    @Test func `an answer is what its tree is, byte for byte`() throws {
        let answer = [Answer(), Answer()]
        let text = String(decoding: JSONTextEncoder.bytes(answer, as: .answer), as: UTF8.self)
        #expect(try text == JSONValue(encoding: answer).text)
        #expect(text.hasPrefix(#"[{"zone":"#) && text.contains(#""payload":{"b": 1.50,"a":1e2}"#), "\(text)")
    }
}
