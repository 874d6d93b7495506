internal import JSON

/// Finds tags, text and scripts in HTML in one pass. As tolerant as browsers: nothing is an error.
struct HTMLScanner {
    enum Token {
        case open(name: String, attributes: [String: String])
        case close(name: String)
        case text(String)
        /// `script` with its content.
        case script(type: String, content: ArraySlice<UInt8>)
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> Token? {
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "<"), let token = tag() else {
                // Also a "<" that begins no tag.
                let start = position
                position = end(of: [UInt8(ascii: "<")], from: position + 1) ?? bytes.count
                return .text(Self.text(bytes[start..<position]))
            }
            if case .open("script", let attributes) = token {
                let start = position
                skipRaw("script")
                return .script(type: attributes["type"]?.lowercased() ?? "", content: bytes[start..<position])
            }
            if case .open("style", _) = token {
                skipRaw("style")
                continue
            }
            if case .text = token { continue }
            return token
        }
        return nil
    }

    /// nil if no tag begins here; an empty text for a comment.
    private mutating func tag() -> Token? {
        let next = position + 1 < bytes.count ? bytes[position + 1] : 0
        if next == UInt8(ascii: "!") || next == UInt8(ascii: "?") {
            let isComment = bytes[position...].starts(with: Array("<!--".utf8))
            let mark = Array((isComment ? "-->" : ">").utf8)
            position = end(of: mark, from: position + 2).map { $0 + mark.count } ?? bytes.count
            return .text("")
        }
        let isClosing = next == UInt8(ascii: "/")
        let start = position + (isClosing ? 2 : 1)
        guard start < bytes.count, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[start] | 0x20) else {
            return nil
        }
        position = start
        let name = word().lowercased()
        let attributes = attributes()
        return isClosing ? .close(name: name) : .open(name: name, attributes: attributes)
    }

    /// Up to the tag's end, which is consumed. The first of equal names counts.
    private mutating func attributes() -> [String: String] {
        var attributes: [String: String] = [:]
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: ">") {
                position += 1
                break
            }
            if byte <= ASCII.space || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=") {
                position += 1
                continue
            }
            let name = word().lowercased()
            let value = value()
            if attributes.count < 64, attributes[name] == nil { attributes[name] = value }
        }
        return attributes
    }

    private mutating func word() -> String {
        let start = position
        while position < bytes.count, bytes[position] > ASCII.space, !"=/>".utf8.contains(bytes[position]) {
            position += 1
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func value() -> String {
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else { return "" }
        position += 1
        skipSpace()
        guard position < bytes.count else { return "" }
        let quote = bytes[position]
        let start: Int
        if quote == ASCII.quote || quote == UInt8(ascii: "'") {
            start = position + 1
            position = bytes[start...].firstIndex(of: quote) ?? bytes.count
            defer { position = min(bytes.count, position + 1) }
            return Self.text(bytes[start..<position])
        }
        start = position
        while position < bytes.count, bytes[position] > ASCII.space, bytes[position] != UInt8(ascii: ">") {
            position += 1
        }
        return Self.text(bytes[start..<position])
    }

    private mutating func skipSpace() {
        while position < bytes.count, bytes[position] <= ASCII.space { position += 1 }
    }

    /// Up to the end tag of an element whose content is not markup.
    private mutating func skipRaw(_ name: String) {
        let mark = Array("</\(name)".utf8)
        while position < bytes.count {
            position = bytes[position...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
            let tag = bytes[position...].prefix(mark.count)
            if tag.count == mark.count, tag.elementsEqual(mark, by: { $0 | 0x20 == $1 | 0x20 }) { return }
            if position < bytes.count { position += 1 }
        }
    }

    private func end(of mark: [UInt8], from start: Int) -> Int? {
        var index = min(start, bytes.count)
        while let found = bytes[index...].firstIndex(of: mark[0]) {
            if bytes[found...].starts(with: mark) { return found }
            index = found + 1
        }
        return nil
    }

    // MARK: Character references

    private static let names: [Substring: Character] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
    ]

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard bytes.contains(UInt8(ascii: "&")) else { return text }
        return text.replacing(/&(#?[0-9A-Za-z]{1,8});/) { match in
            character(match.1).map { String($0) } ?? String(match.0)
        }
    }

    private static func character(_ name: Substring) -> Character? {
        guard name.hasPrefix("#") else { return names[name] }
        let digits = name.dropFirst()
        let isHexadecimal = digits.hasPrefix("x") || digits.hasPrefix("X")
        let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap { Unicode.Scalar($0) }.map { Character($0) }
    }
}
