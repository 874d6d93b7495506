/// Finds sensitive data that no notification should show.
enum SensitiveText {
    enum Kind: String, CaseIterable {
        case cardNumber = "a card number"
        case bankAccount = "a bank account number"
        case personalNumber = "a government ID number"
        case password = "a password"
        case oneTimeCode = "a one-time code"
        case diagnosis = "a diagnosis"
        case emailAddress = "an e-mail address"
        case phoneNumber = "a phone number"

        /// Reported as an error instead of a warning.
        var isGrave: Bool { self != .emailAddress && self != .phoneNumber }
    }

    static func kinds(in text: String) -> [Kind] {
        let folded = text.lowercased()
        let hasDigits = text.utf8.contains { 0x30...0x39 ~= $0 }
        let numbers = hasDigits ? NumberRun.all(in: text) : []
        var kinds = Set(numbers.compactMap(kind))
        if hasDigits, hasBankAccount(text) { kinds.insert(.bankAccount) }
        if hasDigits, SecretValue.hasPassword(folded) { kinds.insert(.password) }
        if diagnoses.contains(where: { folded.containsWord($0) }) { kinds.insert(.diagnosis) }
        if text.utf8.contains(UInt8(ascii: "@")), hasEmailAddress(text) { kinds.insert(.emailAddress) }
        if hasDigits, SecretValue.hasCode(folded) { kinds.insert(.oneTimeCode) }
        return Kind.allCases.filter(kinds.contains)
    }

    private static let diagnoses = [
        "diagnosis", "diagnosed", "hiv", "cancer", "chemotherapy", "pregnancy test", "診断", "陽性", "癌",
    ]

    private static func kind(of number: NumberRun) -> Kind? {
        let digits = number.digits
        if 13...19 ~= digits.count, 2...6 ~= digits[0], passesLuhn(digits) { return .cardNumber }
        // Area numbers 000, 666 and 900…999 are not assigned (United States, Social Security Administration).
        if number.shape == [3, 2, 4], number.separator == "-", digits[0] != 9,
            ![[0, 0, 0], [6, 6, 6]].contains(digits[..<3])
        {
            return .personalNumber
        }
        if digits.count == 12, number.shape == [12] || number.shape == [4, 4, 4], passesMyNumber(digits) {
            return .personalNumber
        }
        let isInternational = number.hasPlus && 8...15 ~= digits.count
        let isNational = digits[0] == 0 && 10...11 ~= digits.count
        return isInternational || isNational || number.shape == [3, 3, 4] ? .phoneNumber : nil
    }

    /// ISO/IEC 7812-1, annex B.
    private static func passesLuhn(_ digits: [Int]) -> Bool {
        let sum = digits.reversed().enumerated().reduce(0) { sum, digit in
            let value = digit.offset % 2 == 0 ? digit.element : digit.element * 2
            return sum + (value > 9 ? value - 9 : value)
        }
        return sum % 10 == 0
    }

    /// The check digit of a Japanese individual number (Ordinance of the Ministry of Internal Affairs 85 of 2014, § 5).
    private static func passesMyNumber(_ digits: [Int]) -> Bool {
        let sum = digits.dropLast().reversed().enumerated().reduce(0) { sum, digit in
            sum + digit.element * (digit.offset < 6 ? digit.offset + 2 : digit.offset - 4)
        }
        return digits.last == (sum % 11 <= 1 ? 0 : 11 - sum % 11)
    }

    /// Finds an IBAN (ISO 13616), contiguous or in groups of four.
    private static func hasBankAccount(_ text: String) -> Bool {
        let words = text.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
        return words.indices.contains { start in
            let head = words[start].utf8.prefix(4).map { UInt32($0) }
            guard head.count == 4, head[..<2].allSatisfy({ 0x41...0x5A ~= $0 }),
                head[2...].allSatisfy({ 0x30...0x39 ~= $0 })
            else { return false }
            var number = ""
            for word in words[start...].prefix(9) {
                number += word
                if 15...34 ~= number.count, passesModulo97(number) { return true }
            }
            return false
        }
    }

    /// ISO/IEC 7064, MOD 97-10.
    private static func passesModulo97(_ number: String) -> Bool {
        let bytes = Array(number.uppercased().utf8)
        let remainder = (bytes[4...] + bytes[..<4]).reduce(0) { remainder, byte in
            byte < 0x3A ? (remainder * 10 + Int(byte) - 0x30) % 97 : (remainder * 100 + Int(byte) - 0x37) % 97
        }
        return remainder == 1
    }

    private static func hasEmailAddress(_ text: String) -> Bool {
        text.split { $0.isWhitespace || "<>()[],;:\"「」（）、。".contains($0) }.contains { word in
            let parts = word.split(separator: "@", omittingEmptySubsequences: false)
            guard parts.count == 2, let last = parts[0].last, last.isASCII else { return false }
            let labels = parts[1].split(separator: ".")
            return labels.count > 1
                && labels.allSatisfy { $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") } }
                && labels[1].contains(where: \.isLetter)
        }
    }
}

/// Digits in groups with one kind of separator, or both kinds after `+`.
struct NumberRun {
    /// In the text's characters.
    var range = 0..<0
    var digits: [Int] = []
    /// Digits per group.
    var shape: [Int] = []
    /// A space or hyphen; nil for one group.
    var separator: Character?
    var hasPlus = false

    /// Numbers that are not part of a word such as `A4` or `3rd`.
    static func all(in text: String) -> [NumberRun] {
        let characters = Array(text)
        var runs: [NumberRun] = []
        var index = 0
        while index < characters.count {
            guard characters[index].digit != nil else {
                index += 1
                continue
            }
            let start = index
            let before = start > 0 ? characters[start - 1] : " "
            var run = NumberRun(characters, &index, hasPlus: before == "+")
            let after = index < characters.count ? characters[index] : " "
            if before.isPlainLetter || after.isPlainLetter { continue }
            run.range = start..<index
            runs.append(run)
        }
        return runs
    }

    private init(_ characters: [Character], _ index: inout Int, hasPlus: Bool) {
        self.hasPlus = hasPlus
        var group = 0
        while index < characters.count {
            if let digit = characters[index].digit {
                digits.append(digit)
                group += 1
            } else if index + 1 < characters.count, characters[index + 1].digit != nil,
                separator == nil || hasPlus ? " -".contains(characters[index]) : characters[index] == separator
            {
                separator = characters[index]
                shape.append(group)
                group = 0
            } else {
                break
            }
            index += 1
        }
        shape.append(group)
    }
}

extension Character {
    fileprivate var digit: Int? { isASCII ? wholeNumberValue : nil }
    fileprivate var isPlainLetter: Bool { isASCII && isLetter }
}
