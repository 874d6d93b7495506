/// Why and where a payload is not valid JSON.
public struct JSONProblem: Error, Sendable, Hashable, Codable {
    public enum Kind: String, CaseIterable, Codable, Sendable {
        case expectedValue, expectedKey, expectedColon, expectedCommaInObject, expectedCommaInArray, trailingComma
        case lineBreakInString, controlCharacter, badEscape, loneSurrogate, badUTF8, badNumber, leadingZero
        case contentAfterEnd, tooDeep, truncated, empty, byteOrderMark, utf16
    }

    package var kind: Kind
    /// In bytes.
    package var offset: Int
    /// From 1.
    package var line: Int
    /// In characters, from 1.
    package var column: Int
    /// The offending token, quoted and shortened, or "the end of the payload".
    package var found: String
    package var hint: String

    package var message: String { "not valid JSON at line \(line), column \(column), found \(found): \(hint)" }
}

extension JSONProblem {
    /// Of text that `JSONTextDecoder` is to read; nil if it is valid.
    package init?(ofState text: RawSpan) {
        let problem: JSONProblem? = text.withUnsafeBytes { bytes in
            var validator = JSONValidator(bytes)
            return validator.stateDocument() ? nil : JSONProblem(validator.failure, in: bytes)
        }
        guard let problem else { return nil }
        self = problem
    }

    package init(_ failure: JSONValidator.Failure, in bytes: UnsafeRawBufferPointer) {
        let kind = Self.encodingProblem(of: bytes) ?? failure.kind
        let offset = kind == failure.kind ? failure.offset : 0
        self.kind = kind
        self.offset = offset
        let before = bytes[..<offset]
        line = 1 + before.count { $0 == ASCII.lineFeed }
        let lineStart = before.lastIndex(of: ASCII.lineFeed).map { $0 + 1 } ?? 0
        // Continuation bytes do not start a character.
        column = 1 + bytes[lineStart..<offset].count { $0 & 0xC0 != 0x80 }
        let word = Self.word(at: offset, in: bytes)
        found = word.isEmpty ? "the end of the payload" : word == "\n" ? "a line break" : "`\(word)`"
        hint = Self.hint(for: kind, word: word)
    }

    /// A wrong encoding or an empty payload explains a failure better than its position.
    private static func encodingProblem(of bytes: UnsafeRawBufferPointer) -> Kind? {
        if bytes.allSatisfy({ [ASCII.space, ASCII.tab, ASCII.lineFeed, ASCII.carriageReturn].contains($0) }) {
            return .empty
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return .byteOrderMark }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return .utf16 }
        return bytes.prefix(2).contains(0) && bytes.prefix(4).contains { $0 != 0 } ? .utf16 : nil
    }

    /// A string, a run of letters and digits, or one character; at most 24 characters.
    private static func word(at offset: Int, in bytes: UnsafeRawBufferPointer) -> String {
        let text = String(decoding: bytes[offset...].prefix(120), as: UTF8.self)
        guard let first = text.first else { return "" }
        if first.isNewline { return "\n" }
        var word = String(first)
        if first == "\"" {
            word += text.dropFirst().prefix { $0 != "\"" && !$0.isNewline }
            if text.dropFirst(word.count).first == "\"" { word += "\"" }
        } else if first.isLetter || first.isNumber {
            word = String(text.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" })
        } else if first == "/" {
            word = String(text.prefix(2))
        }
        return word.count > 24 ? word.prefix(23) + "…" : word
    }

    private static func hint(for kind: Kind, word: String) -> String {
        switch kind {
        case .expectedValue: valueHint(word)
        case .expectedKey:
            word.hasPrefix(",") ? "one comma too many" : mistakeHint(word, "keys") ?? "expected a key in double quotes"
        case .expectedColon: word == "=" ? "write `:` instead of `=`" : "missing `:` after the key"
        case .expectedCommaInObject: commaHint(word, end: "}")
        case .expectedCommaInArray: commaHint(word, end: "]")
        case .trailingComma: "trailing comma: nothing follows it, so remove it"
        case .lineBreakInString: "unescaped newline in a string, or its closing quote is missing: write `\\n`"
        case .controlCharacter: "unescaped control character in a string: write it as `\\t` or `\\u00XX`"
        case .badEscape: "unknown escape: a backslash takes one of `\"\\/bfnrt`, or `u` and four hexadecimal digits"
        case .loneSurrogate: "half of a surrogate pair: a character beyond U+FFFF takes two `\\u` escapes"
        case .badUTF8: "not UTF-8: wrong encoding, or truncated inside a character"
        case .badNumber: "invalid number: a digit is missing"
        case .leadingZero: "a number does not start with 0 unless it is 0 or 0.…"
        case .contentAfterEnd: "content after the end of the document: remove it, or wrap both in one object"
        case .tooDeep: "nested deeper than \(JSONValidator.maximumDepth) levels"
        case .truncated: "truncated: a quote, bracket or brace is never closed"
        case .empty: "the payload is empty"
        case .byteOrderMark: "a UTF-8 byte order mark comes first: save the payload without BOM"
        case .utf16: "UTF-16 or UTF-32: a payload must be UTF-8"
        }
    }

    private static func mistakeHint(_ word: String, _ noun: String) -> String? {
        switch word {
        case "'": "single quotes: JSON \(noun) need double quotes"
        case "“", "”", "„", "‘", "’", "«": "typographic quotes: JSON \(noun) need straight double quotes"
        case "//", "/*", "#": "JSON has no comments"
        default: nil
        }
    }

    private static func valueHint(_ word: String) -> String {
        switch word {
        case "True", "False", "TRUE", "FALSE": "JSON writes `\(word.lowercased())`"
        case "None", "nil", "NULL", "Null", "undefined": "JSON writes `null`"
        case "NaN", "Infinity": "JSON has no `\(word)`"
        case "+", ".": "a number starts with a digit or `-`"
        case ",": "one comma too many, or a value is missing"
        case "}", "]": "a value is missing before `\(word)`"
        default:
            mistakeHint(word, "strings")
                ?? "expected a value: a string in double quotes, a number, an object, an array, true, false or null"
        }
    }

    private static func commaHint(_ word: String, end: String) -> String {
        switch word {
        case "//", "/*", "#": "JSON has no comments"
        case "}", "]": "`\(word)` closes what `\(end)` should close"
        case ":": "`:` is allowed only after a key"
        default: word.hasPrefix("\"") ? "missing comma before \(word)" : "expected a comma or `\(end)`"
        }
    }
}
