import Foundation
import JSON
import Testing

@testable import DeviceModel

/// Reads what `JSONEncoder` wrote as `JSONDecoder` does.
@Suite struct JSONValueDecoderTests {
    struct Everything: Codable, Equatable {
        enum Choice: Codable, Equatable {
            case plain
            case pair(Int, text: String)
        }

        var flags = [true, false]
        var text = "\"quoted\" \\ \u{0} 猫 \u{1F408}"
        var numbers: [Int64] = [0, -1, .max, .min]
        var small: [UInt8] = [0, 255]
        var fractions = [0.1, -2.5e-300, 1e300, 3, .infinity, -.infinity]
        var nothing: Int?
        var something: Int? = 5
        var sparse: [String?] = ["a", nil, "b"]
        var byName = ["one": [1], "": []]
        var choices: [Choice] = [.plain, .pair(7, text: "seven")]
        var any = JSONValue.object(["a": .array([.null, .bool(true), .integer(3), .number(0.5), .string("x")])])
        var level = InterruptionLevel.timeSensitive
    }

    private func json(_ value: some Encodable) throws -> JSONValue {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try read(Array(try encoder.encode(value)))
    }

    private func read(_ bytes: [UInt8]) throws -> JSONValue {
        let json = JSONValue(bytes.span.bytes)
        return try #require(json)
    }

    @Test func readsWhatItWrote() throws {
        #expect(try Everything(from: JSONValueDecoder(try json(Everything()))) == Everything())
        let number = try JSONValueDecoder(try json([Double.nan])).decode([Double].self)
        #expect(number[0].isNaN)
    }

    @Test(
        "values of the wrong type are rejected",
        arguments: [
            #"{"a": 256}"#, #"{"a": -1}"#, #"{"a": 1.5}"#, #"{"a": "1"}"#, #"{"a": true}"#, #"{"a": null}"#, "{}", "[]",
            "1",
            #"{"a": 18446744073709551615}"#,
        ])
    func refuses(_ text: String) throws {
        let json = try read(Array(text.utf8))
        #expect(throws: DecodingError.self) { try [String: UInt8](from: JSONValueDecoder(json)).a }
    }
}

extension [String: UInt8] {
    /// - Throws: also if it is missing.
    fileprivate var a: UInt8 {
        get throws {
            guard let value = self["a"] else {
                throw DecodingError.valueNotFound(UInt8.self, .init(codingPath: [], debugDescription: ""))
            }
            return value
        }
    }
}
