import DeviceModel
import Foundation
import JSON
import Testing

private func scan(_ text: String) -> PayloadScan { PayloadScan(Array(text.utf8).span.bytes) }

private func scanProblem(in bytes: [UInt8]) -> JSONProblem? {
    if case .invalid(let problem) = PayloadScan(bytes.span.bytes) { problem } else { nil }
}

@Suite struct PayloadScanTests {
    @Test func findsAPS() {
        #expect(scan(#"{"aps":{"alert":"Hi"}}"#) == .valid(aps: 7..<21))
        #expect(scan(#" { "a" : [1, {"aps":2}], "aps" : {} } "#) == .valid(aps: 33..<35))
        #expect(scan(#"{"\u0061ps":{}}"#) == .valid(aps: 12..<14))
    }

    @Test(arguments: [
        (#"{}"#, PayloadScan.apsMissing), (#"{"mdm":"4B17"}"#, .apsMissing), (#"{"APS":{}}"#, .apsMissing),
        (#"{"aps":null}"#, .apsNotAnObject), (#"{"aps":[]}"#, .apsNotAnObject),
        (#"{"aps":{},"aps":1}"#, .apsNotAnObject),
        ("[]", .notAnObject), ("1", .notAnObject), (#""aps""#, .notAnObject),
    ]) func distinguishesTypes(_ text: String, _ expected: PayloadScan) {
        #expect(scan(text) == expected)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var text: String
        var kind: JSONProblem.Kind
        var place: [Int]
        var found: String
        var hint: String
        var testDescription: String { text }

        init(_ text: String, _ kind: JSONProblem.Kind, _ place: [Int], found: String, hint: String) {
            (self.text, self.kind, self.place, self.found, self.hint) = (text, kind, place, found, hint)
        }
    }

    static let rows = [
        Row(
            "{\"aps\":{\"alert\":\"Hi\"\n \"sound\":\"x\"}}", .expectedCommaInObject, [2, 2], found: "`\"sound\"`",
            hint: "missing comma before \"sound\""),
        Row("[1 2]", .expectedCommaInArray, [1, 4], found: "`2`", hint: "expected a comma or `]`"),
        Row(#"{"a":1,}"#, .trailingComma, [1, 8], found: "`}`", hint: "trailing comma"),
        Row("[1,\n]", .trailingComma, [2, 1], found: "`]`", hint: "trailing comma"),
        Row("{'aps':{}}", .expectedKey, [1, 2], found: "`'`", hint: "single quotes"),
        Row("{\"a\":'x'}", .expectedValue, [1, 6], found: "`'`", hint: "single quotes"),
        Row("{“aps”:{}}", .expectedKey, [1, 2], found: "`“`", hint: "typographic quotes"),
        Row("{aps:{}}", .expectedKey, [1, 2], found: "`aps`", hint: "expected a key"),
        Row("{,}", .expectedKey, [1, 2], found: "`,`", hint: "one comma too many"),
        Row("{\"é\" 1}", .expectedColon, [1, 6], found: "`1`", hint: "missing `:`"),
        Row("{\"a\"=1}", .expectedColon, [1, 5], found: "`=`", hint: "instead of `=`"),
        Row("{\"a\":True}", .expectedValue, [1, 6], found: "`True`", hint: "`true`"),
        Row("{\"a\":None}", .expectedValue, [1, 6], found: "`None`", hint: "`null`"),
        Row("{\"a\":tru}", .expectedValue, [1, 6], found: "`tru`", hint: "expected a value"),
        Row("{\"a\":NaN}", .expectedValue, [1, 6], found: "`NaN`", hint: "no `NaN`"),
        Row("{\"a\":}", .expectedValue, [1, 6], found: "`}`", hint: "a value is missing"),
        Row("{\"a\":1 // one\n}", .expectedCommaInObject, [1, 8], found: "`//`", hint: "no comments"),
        Row("{\"a\":\"x\ny\"}", .lineBreakInString, [1, 8], found: "a line break", hint: "unescaped newline"),
        Row("{\"a\":\"x\ty\"}", .controlCharacter, [1, 8], found: "`\t`", hint: "unescaped control character"),
        Row(#"{"a":"\x"}"#, .badEscape, [1, 8], found: "`x`", hint: "unknown escape"),
        Row(#"{"a":"\u12G4"}"#, .badEscape, [1, 11], found: "`G4`", hint: "four hexadecimal digits"),
        Row(#"{"a":"\ud83d!"}"#, .loneSurrogate, [1, 7], found: "`\\`", hint: "surrogate"),
        Row(#"{"a":"\ude00"}"#, .loneSurrogate, [1, 7], found: "`\\`", hint: "surrogate"),
        Row("[-]", .badNumber, [1, 3], found: "`]`", hint: "a digit is missing"),
        Row("[1.]", .badNumber, [1, 4], found: "`]`", hint: "a digit is missing"),
        Row("[01]", .leadingZero, [1, 3], found: "`1`", hint: "does not start with 0"),
        Row("[+1]", .expectedValue, [1, 2], found: "`+`", hint: "a number starts with"),
        Row("{}{}", .contentAfterEnd, [1, 3], found: "`{`", hint: "content after the end"),
        Row("{\"aps\":{\"alert\":\"Hi", .truncated, [1, 20], found: "the end of the payload", hint: "never closed"),
        Row("{\"a\":1]", .expectedCommaInObject, [1, 7], found: "`]`", hint: "should close"),
        Row("", .empty, [1, 1], found: "the end of the payload", hint: "empty"),
        Row("\u{FEFF}{}", .byteOrderMark, [1, 1], found: "`\u{FEFF}`", hint: "byte order mark"),
        Row(String(repeating: "[", count: 129), .tooDeep, [1, 129], found: "`[`", hint: "128 levels"),
    ]

    @Test(arguments: rows) func explainsTheError(_ row: Row) throws {
        let problem = try #require(scanProblem(in: Array(row.text.utf8)))
        #expect(problem.kind == row.kind)
        #expect([problem.line, problem.column] == row.place)
        #expect(problem.found == row.found)
        #expect(problem.hint.contains(row.hint), "\(problem.hint)")
    }

    @Test func everyKindOfProblemIsCovered() {
        let kinds = Set(Self.rows.map(\.kind)).union([.utf16, .badUTF8])
        #expect(kinds == Set(JSONProblem.Kind.allCases))
    }

    @Test func recognisesUTF16() {
        for bytes: [UInt8] in [
            [0x7B, 0, 0x7D, 0], [0, 0x7B, 0, 0x7D], [0xFF, 0xFE, 0x7B, 0], [0xFE, 0xFF, 0, 0x7B],
        ] { #expect(scanProblem(in: bytes)?.kind == .utf16) }
    }

    @Test(
        arguments: [
            [0x80], [0xC0, 0xAF], [0xC1, 0x81], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE3, 0x81], [0xC3], [0xFF], [0xE3, 0x81, 0x22, 0x22],
        ] as [[UInt8]])
    func refusesMalformedUTF8(_ sequence: [UInt8]) {
        for filler in 0..<9 {
            let bytes = Array("\"".utf8) + Array(repeating: 0x61, count: filler) + sequence + Array("\"          ".utf8)
            #expect(scanProblem(in: bytes)?.kind == .badUTF8)
            #expect(scanProblem(in: bytes)?.offset == 1 + filler)
        }
    }

    @Test func acceptsUTF8OfEveryLength() {
        let borders: [UInt32] = [0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF]
        for scalar in borders.compactMap(Unicode.Scalar.init) {
            #expect(scan("\"\(scalar)\"") == .notAnObject)
        }
    }

    @Test func followsNestingUpToItsLimit() {
        let depth = JSONValidator.maximumDepth
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(scan(text) == .notAnObject)
    }

    @Test func agreesWithFoundation() {
        var generator = DocumentGenerator(seed: 20_260_105)
        for round in 0..<20_000 {
            var bytes = generator.document()
            if round % 4 != 0 { generator.mutate(&bytes) }
            // Foundation accepts a trailing comma in an object.
            if scanProblem(in: bytes)?.kind == .trailingComma { continue }
            let isValid = scanProblem(in: bytes) == nil
            let accepted = (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(isValid == accepted, "\(text.debugDescription) \(scanProblem(in: bytes)?.message ?? "")")
        }
    }

    @Test func survivesRandomBytes() {
        var generator = DocumentGenerator(seed: 7)
        for _ in 0..<50_000 {
            let bytes = generator.noise()
            _ = DecodedPayload(bytes.span.bytes)
            _ = JSONValue(bytes.span.bytes)
        }
    }
}
