internal import DeviceModel

extension String {
    func trimming(_ isUnwanted: (Character) -> Bool) -> String {
        let start = drop(while: isUnwanted)
        return start.lastIndex { !isUnwanted($0) }.map { String(start[...$0]) } ?? ""
    }

    /// In columns: Chinese, Japanese and Korean characters and emoji take two.
    var displayWidth: Int { reduce(0) { $0 + ($1.isWide ? 2 : 1) } }

    var isCutOff: Bool { hasSuffix("…") || hasSuffix("...") }

    /// Whether the text ends like a sentence; closing brackets, quotes and emoji may follow.
    var isPunctuated: Bool {
        let end = reversed().first { character in
            !character.isWhitespace && !"\"'”’»)）]」』】".contains(character) && !character.isSymbolLike
        }
        guard let end else { return true }
        return ".!?…。！？．:：".contains(end)
    }

    /// One clause of at most five words, as in Apple's own example "Bob wants to play poker": a label, no prose. In a
    /// script without spaces, of at most 24 columns.
    var isShortClause: Bool {
        let words = split { $0.isWhitespace }
        let isDivided = words.dropLast().contains { word in word.last.map { ".!?…;:".contains($0) } ?? false }
        return words.count <= 5 && !isDivided && displayWidth <= 48 && !contains { "。！？、".contains($0) }
            && (words.count > 1 || displayWidth <= 24)
    }

    /// More than 60 % of the letters are capitals; fewer than eight letters count as an abbreviation.
    var shouts: Bool {
        var (capitals, others) = (0, 0)
        for scalar in unicodeScalars {
            switch scalar {
            case "A"..."Z": capitals += 1
            case "a"..."z": others += 1
            case _ where scalar.isASCII: continue
            case _ where scalar.properties.isUppercase: capitals += 1
            case _ where scalar.properties.isLowercase: others += 1
            default: continue
            }
        }
        return capitals + others >= 8 && Double(capitals) > 0.6 * Double(capitals + others)
    }

    /// The phrase that asks the reader to act in the app; the text must be in lower case.
    var instruction: String? {
        let phrases = ["open the app", "go to", "アプリを開いて", "タップして"]
        if let phrase = phrases.first(where: containsWord) { return phrase }
        guard let tap = endOfWord("tap"), endOfWord("button", from: tap) != nil else { return nil }
        return "tap … button"
    }

    /// Ignores a name derived from the bundle identifier.
    func names(_ app: App) -> Bool {
        let name = app.displayName
        guard !name.isEmpty, app.bundleID.split(separator: ".").last.map(String.init) != name else { return false }
        return containsWord(name)
    }
}

extension String {
    func containsWord(_ word: String) -> Bool { endOfWord(word) != nil }

    /// The end, in bytes, of a whole word or phrase; scripts without spaces have no word boundaries. Compares bytes, as
    /// every push is searched for dozens of words.
    func endOfWord(_ word: String, from start: Int = 0) -> Int? {
        var (text, word) = (self, word)
        return text.withUTF8 { text in
            word.withUTF8 { word in
                guard let first = word.first, let last = word.last else { return nil }
                var index = start
                while index + word.count <= text.count {
                    if text[index] == first, text[index..<index + word.count].elementsEqual(word) {
                        let end = index + word.count
                        let joins =
                            first.continuesWord && Self.wordGoesOn(before: index, in: text)
                            || last.continuesWord && Self.wordGoesOn(at: end, in: text)
                        if !joins { return end }
                    }
                    index += 1
                }
                return nil
            }
        }
    }

    private static func wordGoesOn(before index: Int, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard index > 0 else { return false }
        if text[index - 1] < 0x80 { return text[index - 1].continuesWord }
        return String(decoding: text[..<index].suffix(4), as: UTF8.self).last?.continuesWord == true
    }

    private static func wordGoesOn(at index: Int, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard index < text.count else { return false }
        if text[index] < 0x80 { return text[index].continuesWord }
        return String(decoding: text[index...].prefix(4), as: UTF8.self).first?.continuesWord == true
    }
}

extension UInt8 {
    fileprivate var continuesWord: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }
}

extension Character {
    /// In a script with spaces.
    fileprivate var continuesWord: Bool { !isWide && (isLetter || isNumber) }

    /// Emoji and other symbols that can follow a sentence's end; not `%` or `+`.
    fileprivate var isSymbolLike: Bool { !isASCII && (isSymbol || unicodeScalars.first?.properties.isEmoji == true) }

    /// Takes two columns; a part of Unicode's East Asian Width that is precise enough for a warning.
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
