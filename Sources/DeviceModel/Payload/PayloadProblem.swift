/// Why and where a payload is not JSON, told so that a person can mend it.
package struct PayloadProblem: Error, Sendable, Hashable, Codable {
    /// The rule that is broken.
    package enum Kind: String, CaseIterable, Codable, Sendable {
        case expectedValue, expectedKey, expectedColon, expectedCommaInObject, expectedCommaInArray, trailingComma
        case lineBreakInString, controlCharacter, badEscape, loneSurrogate, badUTF8, badNumber, leadingZero
        case contentAfterEnd, tooDeep, truncated, empty, byteOrderMark, utf16
    }

    /// The rule that is broken.
    package var kind: Kind
    /// Bytes before the problem.
    package var offset: Int
    /// The line, from 1.
    package var line: Int
    /// The character in its line, from 1.
    package var column: Int
    /// What stands there, quoted and shortened; "the end of the payload" when nothing does.
    package var found: String
    /// What to change.
    package var hint: String

    /// One sentence with everything a person needs.
    package var message: String { "not valid JSON at line \(line), column \(column), found \(found): \(hint)" }
}
