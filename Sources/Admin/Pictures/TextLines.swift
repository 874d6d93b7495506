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
