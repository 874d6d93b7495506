/// A regular expression that is matched in linear time, so that no pattern can stall the gateway: characters, `.`,
/// classes such as `[a-z]`, `\d \w \s`, groups, `|`, `* + ? {2,5}`, `^` and `$`. It matches anywhere in a text.
package struct TextPattern: Hashable, Sendable {
    package let source: String
    private let program: [Step]

    /// The parser calls itself for every `|`.
    package static let maximumCharacterCount = 4096
    package static let maximumStepCount = 500
    package static let maximumNesting = 32

    package struct Problem: Error, Hashable, Sendable {
        /// In the pattern, counted from 0 in characters.
        package var place: Int
        package var message: String
    }

    /// A text costs at most this times its length: with 500 steps, 4 KiB take 15 ms, and 60 if no character is ASCII.
    package var stepCount: Int { program.count }

    fileprivate enum Step: Hashable, Sendable {
        case character(CharacterSet)
        /// Continues at both without consuming a character.
        case split(Int, Int)
        case jump(Int)
        case start, end
        case match
    }

    package init(_ source: String) throws(Problem) {
        self.source = source
        var parser = try Parser(source)
        let tree = try parser.pattern()
        var program: [Step] = []
        try Self.compile(tree, into: &program)
        program.append(.match)
        self.program = program
    }

    package func matches(_ text: String) -> Bool {
        let characters = Array(text)
        // Reused, so that a character allocates nothing.
        var (current, next) = (Threads(count: program.count), Threads(count: program.count))
        for place in 0...characters.count {
            // A match may begin at every place.
            if add(0, to: &current, place, characters.count) { return true }
            guard place < characters.count else { break }
            let character = characters[place]
            let ascii = character.utf8.count == 1 ? character.utf8.first : nil
            next.begin(at: place + 1)
            for step in current.steps {
                guard case .character(let set) = program[step], set.contains(character, ascii) else { continue }
                if add(step + 1, to: &next, place + 1, characters.count) { return true }
            }
            swap(&current, &next)
        }
        return false
    }

    private struct Threads {
        var steps: [Int] = []
        var open: [Int] = []
        /// The last place at which each step was reached.
        private var reached: [Int]
        private var place = 0

        init(count: Int) { reached = [Int](repeating: -1, count: count) }

        mutating func begin(at place: Int) {
            self.place = place
            steps.removeAll(keepingCapacity: true)
        }

        /// False when it was reached before.
        mutating func reach(_ step: Int) -> Bool {
            guard reached[step] != place else { return false }
            reached[step] = place
            return true
        }
    }

    /// Follows the steps that consume no character; true at a match.
    private func add(_ first: Int, to threads: inout Threads, _ place: Int, _ count: Int) -> Bool {
        threads.open.append(first)
        while let step = threads.open.popLast() {
            guard threads.reach(step) else { continue }
            switch program[step] {
            case .match: return true
            case .character: threads.steps.append(step)
            case .jump(let target): threads.open.append(target)
            case .split(let first, let second):
                threads.open.append(second)
                threads.open.append(first)
            case .start: if place == 0 { threads.open.append(step + 1) }
            case .end: if place == count { threads.open.append(step + 1) }
            }
        }
        return false
    }

    // MARK: Compilation

    private static func compile(_ node: Node, into program: inout [Step]) throws(Problem) {
        guard program.count < maximumStepCount else {
            throw Problem(
                place: 0,
                message: "the pattern has over \(maximumStepCount) steps; a repetition counts as often as it repeats")
        }
        switch node {
        case .step(.character(var set)):
            set.indexASCII()
            program.append(.character(set))
        case .step(let step): program.append(step)
        case .sequence(let nodes): for node in nodes { try compile(node, into: &program) }
        case .choice(let first, let second):
            let split = program.count
            program.append(.split(split + 1, 0))
            try compile(first, into: &program)
            let jump = program.count
            program.append(.jump(0))
            program[split] = .split(split + 1, program.count)
            try compile(second, into: &program)
            program[jump] = .jump(program.count)
        case .repetition(let node, let least, let most):
            for _ in 0..<least {
                let start = program.count
                try compile(node, into: &program)
                // The program's size does not limit the repetition of nothing, such as `(){9999}`.
                if program.count == start { break }
            }
            guard let most else {
                let split = program.count
                program.append(.split(split + 1, 0))
                try compile(node, into: &program)
                program.append(.jump(split))
                program[split] = .split(split + 1, program.count)
                return
            }
            var splits: [Int] = []
            for _ in least..<max(least, most) {
                splits.append(program.count)
                program.append(.split(program.count + 1, 0))
                try compile(node, into: &program)
            }
            for split in splits { program[split] = .split(split + 1, program.count) }
        }
    }

    fileprivate indirect enum Node {
        case step(Step)
        case sequence([Node])
        case choice(Node, Node)
        /// nil repeats without end.
        case repetition(Node, Int, Int?)
    }

    package static func == (first: Self, second: Self) -> Bool { first.source == second.source }
    package func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

private struct CharacterSet: Hashable, Sendable {
    var ranges: [ClosedRange<Character>]
    var isInverted = false
    private var asciiLow: UInt64 = 0
    private var asciiHigh: UInt64 = 0

    /// - Parameter ascii: The character, if it is one of ASCII, which needs no comparison of Unicode.
    func contains(_ character: Character, _ ascii: UInt8?) -> Bool {
        let isIn = ascii.map(hasASCII) ?? ranges.contains { $0.contains(character) }
        return isIn != isInverted
    }

    private func hasASCII(_ code: UInt8) -> Bool {
        code < 64 ? asciiLow & 1 << code != 0 : asciiHigh & 1 << (code - 64) != 0
    }

    /// Computes the members below from the ranges.
    mutating func indexASCII() {
        for code in 0..<128 as Range<UInt8> {
            let character = Character(UnicodeScalar(code))
            guard ranges.contains(where: { $0.contains(character) }) else { continue }
            if code < 64 { asciiLow |= 1 << code } else { asciiHigh |= 1 << (code - 64) }
        }
    }

    static let any = CharacterSet(ranges: [], isInverted: true)

    /// Of `\d`, `\w` and `\s`; nil for another letter.
    init?(escape: Character) {
        switch escape {
        case "d", "D": ranges = ["0"..."9"]
        case "w", "W": ranges = ["0"..."9", "A"..."Z", "a"..."z", "_"..."_"]
        case "s", "S": ranges = [" "..." ", "\t"..."\t", "\n"..."\n", "\r"..."\r"]
        default: return nil
        }
        isInverted = escape.isUppercase
    }

    init(ranges: [ClosedRange<Character>], isInverted: Bool = false) {
        (self.ranges, self.isInverted) = (ranges, isInverted)
    }
}

private struct Parser {
    private let characters: [Character]
    private var place = 0
    private var depth = 0

    init(_ source: String) throws(TextPattern.Problem) {
        characters = Array(source)
        guard characters.count <= TextPattern.maximumCharacterCount else {
            throw problem("a pattern has at most \(TextPattern.maximumCharacterCount) characters")
        }
    }

    private var current: Character? { place < characters.count ? characters[place] : nil }

    private func problem(_ message: String) -> TextPattern.Problem { .init(place: place, message: message) }

    private mutating func take(_ character: Character) -> Bool {
        guard current == character else { return false }
        place += 1
        return true
    }

    mutating func pattern() throws(TextPattern.Problem) -> TextPattern.Node {
        let node = try choice()
        guard current == nil else { throw problem("')' closes nothing; write \\) for the character") }
        return node
    }

    private mutating func choice() throws(TextPattern.Problem) -> TextPattern.Node {
        var nodes: [TextPattern.Node] = []
        while let character = current, character != "|", character != ")" { nodes.append(try repetition()) }
        let first = TextPattern.Node.sequence(nodes)
        return take("|") ? .choice(first, try choice()) : first
    }

    private mutating func repetition() throws(TextPattern.Problem) -> TextPattern.Node {
        var node = try item()
        while let character = current {
            switch character {
            case "*": node = .repetition(node, 0, nil)
            case "+": node = .repetition(node, 1, nil)
            case "?": node = .repetition(node, 0, 1)
            case "{":
                node = try counted(node)
                continue
            default: return node
            }
            place += 1
        }
        return node
    }

    private mutating func counted(_ node: TextPattern.Node) throws(TextPattern.Problem) -> TextPattern.Node {
        let start = place
        place += 1
        let least = number()
        var most = least
        if take(",") { most = number() }
        guard let least, take("}"), most.map({ $0 >= least }) ?? (characters[place - 2] == ",") else {
            place = start
            throw problem("'{' begins a repetition such as {2}, {2,} or {2,5}; write \\{ for the character")
        }
        return .repetition(node, least, most)
    }

    private mutating func number() -> Int? {
        var value: Int?
        while let digit = current?.wholeNumberValue, value ?? 0 < 1000 {
            value = (value ?? 0) * 10 + digit
            place += 1
        }
        return value
    }

    private mutating func item() throws(TextPattern.Problem) -> TextPattern.Node {
        guard let character = current else { throw problem("the pattern ends early") }
        switch character {
        case "(": return try group()
        case "[": return .step(.character(try characterClass()))
        case "*", "+", "?", "{":
            throw problem("'\(character)' repeats nothing; write \\\(character) for the character")
        case "\\": return .step(.character(try escape()))
        default:
            place += 1
            switch character {
            case ".": return .step(.character(.any))
            case "^": return .step(.start)
            case "$": return .step(.end)
            default: return .step(.character(CharacterSet(ranges: [character...character])))
            }
        }
    }

    private mutating func group() throws(TextPattern.Problem) -> TextPattern.Node {
        guard depth < TextPattern.maximumNesting else {
            throw problem("groups nest at most \(TextPattern.maximumNesting) deep")
        }
        let start = place
        place += 1
        if current == "?" {
            place = start
            throw problem("'(?' is not supported: there are no flags, look-arounds or named groups; write (…)")
        }
        depth += 1
        defer { depth -= 1 }
        let node = try choice()
        guard take(")") else {
            place = start
            throw problem("the group has no end; close it with ')'")
        }
        return node
    }

    private static let controls: [Character: Character] = ["n": "\n", "r": "\r", "t": "\t"]

    private mutating func escape() throws(TextPattern.Problem) -> CharacterSet {
        place += 1
        guard let character = current else { throw problem("'\\' needs a character after it") }
        place += 1
        if let set = CharacterSet(escape: character) { return set }
        if let plain = Self.controls[character] { return CharacterSet(ranges: [plain...plain]) }
        guard !character.isASCII || !(character.isLetter || character.isNumber) else {
            place -= 2
            throw problem(
                "'\\\(character)' is not supported; of letters and digits only \\d, \\w, \\s, \\n, \\r, \\t "
                    + "and their inverses \\D, \\W, \\S are")
        }
        return CharacterSet(ranges: [character...character])
    }

    private mutating func characterClass() throws(TextPattern.Problem) -> CharacterSet {
        let start = place
        place += 1
        var set = CharacterSet(ranges: [], isInverted: take("^"))
        while let character = current, character != "]" || place == start + 1 {
            if character == "\\" {
                let escaped = try escape()
                guard !escaped.isInverted else { throw problem("a class inside [ ] cannot be inverted") }
                set.ranges += escaped.ranges
                continue
            }
            place += 1
            if current == "-", place + 1 < characters.count, characters[place + 1] != "]" {
                let last = characters[place + 1]
                guard character <= last else { throw problem("the range '\(character)-\(last)' is reversed") }
                set.ranges.append(character...last)
                place += 2
            } else {
                set.ranges.append(character...character)
            }
        }
        guard take("]") else {
            place = start
            throw problem("the class has no end; close it with ']'")
        }
        return set
    }
}
