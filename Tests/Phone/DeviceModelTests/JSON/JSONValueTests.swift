import Foundation
import JSON
import Testing

@Suite struct JSONValueTests {
    private let value: JSONValue = [
        "b": .array([.integer(1), .number(0.5), .array([]), .object([:])]), "a": .string("\"\\\u{1}\n/é"),
        "left out": nil, "none": .null, "yes": .bool(true), "large": .integer(UInt64.max),
        "infinite": .number(.infinity),
    ]

    @Test func membersAreWrittenInTheirOrder() {
        #expect(
            value.text == #"{"b":[1,0.5,[],{}],"a":"\"\\\u0001\n/é","none":null,"yes":true,"#
                + #""large":18446744073709551615,"infinite":null}"#)
    }

    @Test func indentedTextMatchesJSONEncoder() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        var value = value
        value = value.adding(["large": .integer(3)])
        #expect(value.indentedText == String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    @Test func orderOfMembersIsPreservedButIgnoredInComparison() throws {
        let read = try json(#"{"b":1,"a":{"d":2,"c":3},"b":4}"#)
        #expect(read.text == #"{"b":4,"a":{"d":2,"c":3}}"#)
        #expect(read.sorted.text == #"{"a":{"c":3,"d":2},"b":4}"#)
        #expect(read == read.sorted)
        #expect(read.hashValue == read.sorted.hashValue)
        #expect(read != read.adding(["b": .integer(5)]))
        #expect(read["a"]?["c"] == .integer(3))
        #expect(read["c"] == nil)
    }

    @Test func verbatimJSONIsWrittenByteForByte() {
        let value: JSONValue = ["payload": .verbatim(Array("{ \"a\" : 1.0 }".utf8))]
        #expect(value.text == #"{"payload":{ "a" : 1.0 }}"#)
    }
}
