import Foundation
import JSON
import Testing

@testable import DeviceModel

/// Reads what `JSONEncoder` wrote as `JSONDecoder` does.
@Suite struct JSONTextDecoderTests {
    struct Everything: Codable, Equatable {
        enum Choice: Codable, Equatable {
            case plain
            case pair(Int, text: String)
        }

        var flags = [true, false]
        var text = "\"quoted\" \\ \u{0} 猫 \u{1F408}"
        var numbers: [Int64] = [0, -1, .max, .min]
        var large: [UInt64] = [.max, 1 << 63]
        var small: [UInt8] = [0, 255]
        var fractions = [0.1, -2.5e-300, 1e300, 3, .infinity, -.infinity]
        var nothing: Int?
        var something: Int? = 5
        var sparse: [String?] = ["a", nil, "b"]
        var byName = ["one": [1], "": [], "a \"quoted\" \\ name": [2]]
        var choices: [Choice] = [.plain, .pair(7, text: "seven")]
        var any = JSONValue.object(["a": .array([.null, .bool(true), .integer(3), .number(0.5), .string("x")])])
        var level = InterruptionLevel.timeSensitive
        var bytes = Data([0, 1, 255])
        var isLast = true
    }

    private func text(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return Array(try encoder.encode(value))
    }

    @Test func readsWhatItWrote() throws {
        #expect(try JSONTextDecoder.decode(Everything.self, from: text(Everything())) == Everything())
        let number = try JSONTextDecoder.decode([Double].self, from: text([Double.nan]))
        #expect(number[0].isNaN)
        var finite = Everything()
        finite.fractions.removeAll { !$0.isFinite }
        #expect(try JSONTextDecoder.decode(Everything.self, from: text(finite), trust: .foreign) == finite)
    }

    @Test(
        "values of the wrong type are rejected",
        arguments: [
            #"{"a": 256}"#, #"{"a": -1}"#, #"{"a": 1.5}"#, #"{"a": "1"}"#, #"{"a": true}"#, #"{"a": null}"#, "{}", "[]",
            "1",
            #"{"a": 18446744073709551615}"#,
        ])
    func refuses(_ text: String) throws {
        #expect(throws: DecodingError.self) {
            try JSONTextDecoder.decode([String: UInt8].self, from: Array(text.utf8)).a
        }
    }

    @Test(arguments: [(192, true), (193, false)]) func `text is at most 192 levels deep`(_ depth: Int, _ isRead: Bool) {
        let text = Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        for trust in [JSONTextDecoder.Trust.own, .foreign] {
            #expect(((try? JSONTextDecoder.decode(JSONValue.self, from: text, trust: trust)) != nil) == isRead)
        }
    }

    private static let many = (0..<40).map { #""n\#($0)":0"# }.joined(separator: ",")

    static let foreign: [(text: String, path: String)] = [
        (#"{"list":[{},{"name":"x","nam":1}]}"#, "list 1 nam"),
        (#"{"list":[{},{"name":"x","n\u0061me":"y"}]}"#, "list 1 name"),
        (#"{"list":[],"li\u0073t":[]}"#, "list"),
        (#"{"any":{"x":[1,{"y":1,"z":2,"y":3}]}}"#, "any x 1 y"),
        (#"{"numbers":{\#(many),"n7":1}}"#, "numbers n7"),
        (#"{"choice":{"pair":{"_0":1,"text":"a","more":1}}}"#, "choice pair more"),
        (#"{"fraction":"infinity"}"#, "fraction"),
        (#"{"fraction":"inf"}"#, "fraction"),
        (#"{"fraction":"nan"}"#, "fraction"),
        (#"{"fraction":1e999}"#, "fraction"),
        (#"{"list":[{},{"name":3}]}"#, "list 1 name"),
        (#"{"list":[{},3]}"#, "list 1"),
        (#"{"list":[{},null]}"#, "list 1"),
    ]

    struct Document: Decodable {
        struct Part: Decodable { var name: String? }

        var list: [Part]?
        var any: JSONValue?
        var numbers: [String: Int]?
        var choice: Everything.Choice?
        var fraction: Double?
    }

    @Test("of foreign text, an error has its place", arguments: foreign.indices) func namesThePlace(_ row: Int) {
        let (text, path) = Self.foreign[row]
        do {
            _ = try JSONTextDecoder.decode(Document.self, from: Array(text.utf8), trust: .foreign)
            Issue.record("it was accepted: \(text)")
        } catch {
            #expect(error.place == path, "\(text): \(error)")
        }
    }

    @Test func unknownMembersOfOwnTextAreSkipped() throws {
        let text = #"{"later":{"a":[1,"]}",{}]},"list":[{"also":1,"name":"x"}]}"#
        let document = try JSONTextDecoder.decode(Document.self, from: Array(text.utf8))
        #expect(document.list?.map(\.name) == ["x"])
    }

    private struct Nesting: Decodable {
        enum Keys: String, CodingKey { case a, b }

        weak var decoder: JSONTextDecoder?

        init(from decoder: any Decoder) throws {
            self.decoder = decoder as? JSONTextDecoder
            let container = try decoder.container(keyedBy: Keys.self).nestedContainer(keyedBy: Keys.self, forKey: .a)
            _ = try container.nestedContainer(keyedBy: Keys.self, forKey: .b)
            #expect(self.decoder != nil)
        }
    }

    @Test func decodersOfNestedContainersGo() throws {
        let text = Array(#"{"a":{"b":{}}}"#.utf8)
        #expect(try JSONTextDecoder.decode(Nesting.self, from: text, trust: .foreign).decoder == nil)
    }

    @Test func invalidTextIsAProblem() {
        #expect(throws: JSONProblem.self) { try JSONTextDecoder.decode([Int].self, from: Array("[1,".utf8)) }
    }
}

extension Error {
    /// The path, separated by spaces.
    fileprivate var place: String? {
        let path: [any CodingKey]? =
            switch self as any Error {
            case let error as UnknownMember: error.path + [JSONKey.member(error.name)]
            case let error as RepeatedMember: error.path
            case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
                context.codingPath
            default: nil
            }
        return path?.map(\.stringValue).joined(separator: " ")
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
