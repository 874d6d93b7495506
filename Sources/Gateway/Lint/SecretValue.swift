/// Finds the value of a secret beside the word for it: "Your code is 123456", "123456 is your security code". The word
/// alone, as in "Your password was changed", tells bystanders nothing.
///
/// Texts are in lower case.
enum SecretValue {
    static func hasPassword(_ text: String) -> Bool {
        passwords.contains { name in
            text.afterEach(name).contains { rest in
                guard let value = rest.valueOfName else { return false }
                let digits = value.filter { $0.isASCII && $0.isNumber }
                return !digits.isEmpty && (digits.count < value.count || isCode(Array(digits)))
            }
        }
    }

    static func hasCode(_ text: String) -> Bool {
        let characters = Array(text)
        return NumberRun.all(in: text).contains { number in
            guard number.shape.count == 1, isCode(characters[number.range]) else { return false }
            let before = String(characters[..<number.range.lowerBound].suffix(farthest))
            let after = String(characters[number.range.upperBound...].prefix(farthest))
            return codes.contains { name in
                before.afterEach(name).contains(where: \.leadsToValue)
                    || after.endOfWord(name).map { after.prefixOfBytes($0 - name.utf8.count).namesValue } ?? false
            }
        }
    }

    /// In characters: a sentence's length [design].
    private static let farthest = 80

    /// Four to eight digits that are no year.
    private static func isCode(_ digits: some Collection<Character>) -> Bool {
        let isYear = digits.count == 4 && 1900...2099 ~= Int(String(digits)) ?? 0
        return 4...8 ~= digits.count && !isYear
    }

    private static let passwords = ["password", "passcode", "パスワード", "暗証番号"]
    private static let codes = [
        "verification code", "security code", "login code", "sign-in code", "access code", "confirmation code",
        "authentication code", "your code", "one-time code", "one-time password", "one-time passcode", "one-time pin",
        "passcode", "your pin", "otp", "認証コード", "確認コード", "ワンタイムコード", "ワンタイムパスワード", "暗証番号",
    ]
}

extension String {
    /// What follows each occurrence of a word.
    fileprivate func afterEach(_ word: String) -> [String] {
        var rests: [String] = []
        var start = 0
        while let end = endOfWord(word, from: start) {
            rests.append(String(decoding: utf8.dropFirst(end), as: UTF8.self))
            start = end
        }
        return rests
    }

    fileprivate func prefixOfBytes(_ count: Int) -> String { String(decoding: utf8.prefix(count), as: UTF8.self) }

    /// Whether it may stand between a name and its value: "", "is", ":", "for Neko is".
    fileprivate var leadsToValue: Bool {
        let words = bareWords
        guard let first = words.first, let last = words.last else { return true }
        if words.count == 1 { return last.isCopula }
        let isGroup = ["for", "to", "from", "of"].contains(first) && words.count <= 6 && !isDivided
        return isGroup && (last == "is" || last.last?.isColonLike == true)
    }

    /// Whether it may stand between a value and its name: "", "is your", "as your Neko".
    fileprivate var namesValue: Bool {
        let words = bareWords
        guard let first = words.first else { return true }
        if words.count == 1 { return first == "as" || first.isCopula }
        return ["is", "as"].contains(first) && ["your", "the", "our"].contains(words[1]) && words.count <= 5
            && !isDivided
    }

    /// The word after "is", "は" or a colon; nil if something else comes first.
    fileprivate var valueOfName: String? {
        let words = bareWords
        guard words.count > 1, words[0].isCopula else { return nil }
        return words[1].trimming { !$0.isLetter && !$0.isNumber }
    }

    /// "is", "is:" or ":".
    private var isCopula: Bool { ["", "is", "は", "が"].contains(trimming(\.isColonLike)) }

    /// Several sentences.
    private var isDivided: Bool { contains { ".!?。！？".contains($0) } }

    /// Without quotes and brackets.
    private var bareWords: [String] {
        split { $0.isWhitespace || "\"'“”‘’「」【】『』()（）".contains($0) }.map(String.init)
    }
}

extension Character {
    fileprivate var isColonLike: Bool { ":：=＝-–—".contains(self) }
}
