/// One line of text with its direction, which is its paragraph's.
struct TextLine {
    var text: String
    var isRightToLeft: Bool

    private init(_ clusters: some Sequence<Character>, isRightToLeft: Bool) {
        text = String(clusters).trimmingTrailingSpaces().closingBidirectionalControls()
        self.isRightToLeft = isRightToLeft
    }

    /// The text on one line of at most this width.
    init(_ text: String, size: Double, width: Double, isBold: Bool = false) {
        let lines = Self.wrapped(text, size: size, width: width, limit: 1, isBold: isBold)
        self = lines.first ?? TextLine([], isRightToLeft: false)
    }

    /// The text in lines of at most this width; the last ends with an ellipsis if there is more.
    static func wrapped(_ text: String, size: Double, width: Double, limit: Int, isBold: Bool = false) -> [TextLine] {
        let room = Int(width * 100 / size)
        var lines: [TextLine] = []
        let text = text.cut(toScalars: scalarsPerLine * limit)
        for paragraph in text.trimmingTrailingSpaces().split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        {
            var wrapper = LineBreaker(room: room, isBold: isBold)
            let isRightToLeft = paragraph.isRightToLeft
            for line in wrapper.lines(of: paragraph, limit: limit - lines.count) {
                lines.append(TextLine(line, isRightToLeft: isRightToLeft))
            }
            if lines.count > limit { break }
        }
        guard lines.count > limit else { return lines }
        let last = lines[limit - 1]
        lines.removeSubrange((limit - 1)...)
        return lines + [last.withEllipsis(room: room, isBold: isBold)]
    }

    /// Bounds the size of a picture: a cluster can have thousands of scalars. A line holds at most 95 letters, the
    /// narrowest ones.
    private static let scalarsPerLine = 160

    private func withEllipsis(room: Int, isBold: Bool) -> TextLine {
        var clusters = Array(text)
        var used = clusters.reduce(90) { $0 + TextWidths.advance(of: $1, isBold: isBold) }
        while used > room, let last = clusters.popLast() { used -= TextWidths.advance(of: last, isBold: isBold) }
        var line = TextLine(clusters, isRightToLeft: isRightToLeft)
        line.text += "…"
        return line
    }
}

/// Breaks one paragraph.
private struct LineBreaker {
    let room: Int
    let isBold: Bool
    private var line: [Character] = []
    private var used = 0

    init(room: Int, isBold: Bool) { (self.room, self.isBold) = (room, isBold) }

    /// - Parameter limit: One line more than this shows that there is more.
    mutating func lines(of paragraph: Substring, limit: Int) -> [[Character]] {
        var lines: [[Character]] = []
        // The cluster after which the line may end; 0 for none.
        var stop = 0
        for cluster in paragraph {
            if let before = line.last, mayBreak(between: before, and: cluster) { stop = line.count }
            line.append(cluster)
            used += TextWidths.advance(of: cluster, isBold: isBold)
            // Trailing spaces hang.
            while used > room, cluster != " ", line.count > 1 {
                let end = stop > 0 ? stop : line.count - 1
                lines.append(Array(line[..<end]))
                line.removeSubrange(..<end)
                used = line.reduce(0) { $0 + TextWidths.advance(of: $1, isBold: isBold) }
                stop = 0
                if lines.count > limit { return lines }
            }
        }
        return lines + [line]
    }

    /// After a space or hyphen, and around wide characters.
    private func mayBreak(between before: Character, and cluster: Character) -> Bool {
        guard cluster != " " else { return false }
        let isGap = before == " " || before == "-" || TextWidths.isWide(before) || TextWidths.isWide(cluster)
        return isGap && !Self.startsNoLine.contains(cluster) && !Self.endsNoLine.contains(before)
    }

    private static let startsNoLine = Set("、。，．・：；？！ー」』）］｝〉》】〕…ぁぃぅぇぉっゃゅょァィゥェォッャュョ,.!?:;)]}%")
    private static let endsNoLine = Set("「『（［｛〈《【〔([{")
}

extension String {
    /// The start of the text, with an ellipsis if there is more.
    func cut(toScalars count: Int) -> String {
        // A scalar has at least one byte.
        guard utf8.count > count, unicodeScalars.count > count else { return self }
        return String(unicodeScalars.prefix(count)) + "…"
    }

    fileprivate func trimmingTrailingSpaces() -> String {
        guard last?.isWhitespace == true else { return self }
        return String(self[..<(lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? startIndex)])
    }

    /// Closes the line's open embeddings and isolates: to a viewer, each line is a separate paragraph (UAX 9, X1–X8).
    fileprivate func closingBidirectionalControls() -> String {
        var open: [Unicode.Scalar] = []
        for scalar in unicodeScalars {
            switch scalar.value {
            case 0x202A, 0x202B, 0x202D, 0x202E: open.append("\u{202C}")
            case 0x2066...0x2068: open.append("\u{2069}")
            case 0x202C where open.last == "\u{202C}": open.removeLast()
            case 0x2069:
                // Ends the isolate and everything opened inside it.
                if let isolate = open.lastIndex(of: "\u{2069}") { open.removeSubrange(isolate...) }
            default: break
            }
        }
        guard !open.isEmpty else { return self }
        var closed = self
        closed.unicodeScalars.append(contentsOf: open.reversed())
        return closed
    }
}

extension StringProtocol {
    /// By its first strong letter outside of isolates (UAX 9, P2 and P3).
    var isRightToLeft: Bool {
        var isolates = 0
        for scalar in unicodeScalars {
            switch scalar.value {
            case 0x2066...0x2068: isolates += 1
            case 0x2069: isolates = Swift.max(0, isolates - 1)
            case _ where isolates > 0: break
            case 0x200E: return false
            case 0x200F, 0x61C: return true
            case 0x41...0x5A, 0x61...0x7A: return false
            case ..<0x80: break
            default: if scalar.properties.isAlphabetic { return TextWidths.isRightToLeft(scalar.value) }
            }
        }
        return false
    }
}

extension Node {
    enum Anchor: String { case start, middle, end }

    /// A text cut to one line of this width.
    static func text(
        _ text: String, _ x: Double, _ y: Double, width: Double, size: Double, _ fill: any NodeValue,
        isBold: Bool = false, anchor: Anchor = .start
    ) -> Node {
        let line = TextLine(text, size: size, width: width, isBold: isBold)
        return Self.text(line, x, y, width: width, size: size, fill, isBold: isBold, anchor: anchor)
    }

    /// One line, aligned to the start of its direction between `x` and `x + width`.
    static func text(
        _ line: TextLine, _ x: Double, _ y: Double, width: Double, size: Double, _ fill: any NodeValue,
        isBold: Bool = false, anchor: Anchor = .start
    ) -> Node {
        let start =
            switch anchor {
            case .middle: x + width / 2
            case .start: line.isRightToLeft ? x + width : x
            case .end: line.isRightToLeft ? x : x + width
            }
        let (weight, side) = (isBold ? 600 : nil, anchor == .start ? nil : anchor.rawValue)
        let attributes: KeyValuePairs<StaticString, (any NodeValue)?> = [
            "x": start, "y": y, "font-size": size, "fill": fill, "font-weight": weight, "text-anchor": side,
            "direction": line.isRightToLeft ? "rtl" : nil,
        ]
        return Node("text", attributes, text: line.text)
    }
}

/// How wide text is, without fonts: Inter's advance widths, in hundredths of the font size.
///
/// Inter is wider than Helvetica, Arial, Liberation and SF, so text in a fallback font is shorter and never overflows.
enum TextWidths {
    static func width(of text: String, size: Double, isBold: Bool = false) -> Double {
        Double(text.reduce(0) { $0 + advance(of: $1, isBold: isBold) }) * size / 100
    }

    /// - Parameter cluster: Combining marks and joiners are part of it and add nothing.
    static func advance(of cluster: Character, isBold: Bool) -> Int {
        let scalar = cluster.unicodeScalars.first?.value ?? 0
        switch scalar {
        case 0x20...0x7E: return Int((isBold ? semibold : regular)[Int(scalar) - 0x20])
        case 0xC0...0x17F: return advance(ofBase: latin[Int(scalar) - 0xC0], isBold: isBold)
        case 0x1E00...0x1EFF: return advance(ofBase: latinAdditional[Int(scalar) - 0x1E00], isBold: isBold)
        // Bidirectional and other controls.
        case 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF: return 0
        case _ where isWide(cluster): return 100
        case 0x1F000..., 0x2600...0x27BF: return 128
        default: break
        }
        if cluster.unicodeScalars.contains("\u{FE0F}") { return 128 }
        if let width = arabic[scalar] { return width }
        if isRightToLeft(scalar) { return scalar < 0x600 ? 58 : 54 }
        return scalar < 0x300 ? 60 : 66
    }

    /// East Asian Wide and Fullwidth (UAX 11).
    static func isWide(_ cluster: Character) -> Bool {
        switch cluster.unicodeScalars.first?.value ?? 0 {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF00...0xFF60,
            0x20000...0x3FFFD:
            true
        default: false
        }
    }

    /// Hebrew, Arabic and other scripts that run from right to left.
    static func isRightToLeft(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }

    /// Joined, in DejaVu Sans, the widest fallback font; letters that end a word are wider, most others narrower.
    private static let arabic: [UInt32: Int] = {
        let widths = [("ابتثلنيىأإآئ", 34), ("سشصضطظ", 88)]
        return widths.reduce(into: [:]) { table, row in
            for letter in row.0.unicodeScalars { table[letter.value] = row.1 }
        }
    }()

    private static func advance(ofBase letter: UInt8, isBold: Bool) -> Int {
        letter == UInt8(ascii: ".") ? 60 : Int((isBold ? semibold : regular)[Int(letter) - 0x20])
    }

    /// For U+0020…U+007E.
    private static let regular: [UInt8] = [
        28, 28, 40, 63, 64, 81, 64, 22, 36, 36, 50, 66, 28, 46, 28, 36, 62, 46, 61, 64, 64, 61, 62, 57, 62, 62, 28, 28,
        66, 66, 66, 51, 94, 68, 65, 73, 72, 60, 59, 74, 74, 26, 54, 65, 56, 89, 75, 76, 63, 76, 64, 64, 64, 74, 68, 95,
        64, 66, 62, 36, 36, 36, 47, 45, 50, 56, 62, 56, 62, 58, 36, 61, 59, 24, 24, 54, 24, 87, 59, 60, 61, 61, 37, 52,
        36, 58, 56, 81, 54, 56, 54, 36, 33, 36, 66,
    ]
    private static let semibold: [UInt8] = [
        25, 31, 40, 64, 65, 84, 66, 21, 39, 39, 54, 67, 30, 47, 29, 38, 67, 48, 62, 65, 67, 63, 65, 59, 65, 65, 29, 30,
        67, 67, 67, 54, 100, 72, 66, 74, 72, 61, 59, 75, 74, 27, 56, 68, 57, 91, 74, 77, 64, 78, 65, 65, 66, 73, 72,
        101, 69, 70, 65, 39, 38, 39, 48, 47, 50, 57, 63, 58, 63, 59, 38, 63, 61, 26, 26, 57, 26, 90, 61, 61, 62, 62, 40,
        55, 38, 61, 58, 84, 56, 58, 56, 39, 36, 39, 67,
    ]

    /// The base letters (NFD) of U+00C0…U+017F and U+1E00…U+1EFF; a point where there is none.
    private static let latin = Array(
        ("AAAAAA.CEEEEIIII.NOOOOO..UUUUY..aaaaaa.ceeeeiiii.nooooo..uuuuy.yAaAaAaCcCcCcCcDd..EeEeEeEeEeGgGgGgGgHh..Ii"
            + "IiIiIiI...JjKk.LlLlLl....NnNnNn...OoOoOo..RrRrRrSsSsSsSsTtTt..UuUuUuUuUuUuWwYyYZzZzZz.").utf8)
    private static let latinAdditional = Array(
        ("AaBbBbBbCcDdDdDdDdDdEeEeEeEeEeFfGgHhHhHhHhHhIiIiKkKkKkLlLlLlLlMmMmMmNnNnNnNnOoOoOoOoPpPpRrRrRrRrSsSsSsSs"
            + "SsTtTtTtTtUuUuUuUuUuVvVvWwWwWwWwWwXxXxYyZzZzZzhtwy......AaAaAaAaAaAaAaAaAaAaAaAaEeEeEeEeEeEeEeEeIiIiOo"
            + "OoOoOoOoOoOoOoOoOoOoOoUuUuUuUuUuUuUuYyYyYyYy......").utf8)
}
