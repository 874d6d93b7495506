/// What rules ask about a text.
extension String {
    /// The text without white space and punctuation at either end.
    var trimmingMarks: String {
        let isMark = { (character: Character) in character.isWhitespace || character.isPunctuation }
        return String(String(drop(while: isMark).reversed()).drop(while: isMark).reversed())
    }

    /// A key in small letters without what separates its words: `event_time` and `eventTime` are `eventtime`.
    var plainKey: String { lowercased().filter { $0.isLetter || $0.isNumber } }

    /// How wide a text is in columns: Chinese, Japanese and Korean characters and emoji take two.
    var displayWidth: Int { reduce(0) { $0 + ($1.isWide ? 2 : 1) } }

    /// Whether the sender has shortened the text.
    var isCutOff: Bool { hasSuffix("…") || hasSuffix("...") }

    /// Whether a text ends as a sentence does; closing brackets, quotes and emoji may follow.
    var isPunctuated: Bool {
        let end = reversed().first { character in
            !character.isWhitespace && !"\"'”’»)）]」』】".contains(character) && !character.isSymbolLike
        }
        guard let end else { return true }
        return ".!?…。！？．:：".contains(end)
    }

    /// Whether more than 60 % of the letters are capitals; a few letters are an abbreviation.
    var shouts: Bool {
        let letters = filter { $0.isUppercase || $0.isLowercase }
        return letters.count >= 8 && Double(letters.count(where: \.isUppercase)) > 0.6 * Double(letters.count)
    }

    /// What a text, in small letters, asks the reader to do in the app; nil when nothing.
    var instruction: String? {
        let phrases = ["open the app", "アプリを開いて", "タップして"]
        if let phrase = phrases.first(where: { contains($0) }) { return phrase }
        if containsWord("go to") { return "go to" }
        guard let tap = rangeOfWord("tap"), self[tap.upperBound...].containsWord("button") else { return nil }
        return "tap … button"
    }

    /// Whether the app's name occurs; a name that was only made from the bundle identifier is nobody's choice.
    func names(_ app: App) -> Bool {
        let name = app.displayName
        guard !name.isEmpty, app.bundleID.split(separator: ".").last.map(String.init) != name else { return false }
        return containsWord(name)
    }
}

extension StringProtocol {
    /// Whether a word or phrase occurs as a whole.
    func containsWord(_ word: String) -> Bool { rangeOfWord(word) != nil }

    /// Where a word or phrase occurs as a whole; scripts without spaces have no such borders.
    func rangeOfWord(_ word: String) -> Range<Index>? {
        var start = startIndex
        while let range = self[start...].firstRange(of: word) {
            let before = range.lowerBound == startIndex ? nil : self[index(before: range.lowerBound)]
            let after = range.upperBound == endIndex ? nil : self[range.upperBound]
            let joinsBefore = before?.continuesWord == true && word.first?.continuesWord == true
            let joinsAfter = after?.continuesWord == true && word.last?.continuesWord == true
            if !joinsBefore, !joinsAfter { return range }
            start = index(after: range.lowerBound)
        }
        return nil
    }
}

extension Character {
    /// Whether a word goes on with it, in a script that has spaces.
    fileprivate var continuesWord: Bool { !isWide && (isLetter || isNumber) }

    /// Emoji and other symbols that may follow a sentence's end; not `%` or `+`.
    fileprivate var isSymbolLike: Bool { !isASCII && (isSymbol || unicodeScalars.first?.properties.isEmoji == true) }

    /// Whether it takes two columns (a part of Unicode's East Asian Width that is good enough for a warning).
    var isWide: Bool {
        guard let scalar = unicodeScalars.first?.value else { return false }
        return switch scalar {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
