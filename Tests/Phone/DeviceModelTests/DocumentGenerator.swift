import TestSupport

/// Generates JSON documents, corrupted ones and noise, reproducibly from a seed.
struct DocumentGenerator {
    private var random: SplitMix

    init(seed: UInt64) { random = SplitMix(state: seed) }

    mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

    private mutating func pick(_ choices: [String]) -> String { choices[below(choices.count)] }

    mutating func document() -> [UInt8] {
        var text = "{\"aps\":"
        value(into: &text, depth: 0)
        text += ",\"custom\":"
        value(into: &text, depth: 0)
        text += "}"
        return Array(text.utf8)
    }

    private mutating func value(into text: inout String, depth: Int) {
        switch below(depth > 4 ? 5 : 9) {
        case 0: text += pick(["true", "false", "null"])
        case 1: text += pick(["0", "-1", "1.5", "12e3", "-0.25E-2", "17", "1e+5"])
        case 2...4: text += string()
        case 5, 6: list(into: &text, depth: depth, open: "[", close: "]") { _ in "" }
        default: list(into: &text, depth: depth, open: "{", close: "}") { $0.string() + $0.pick([":", " : "]) }
        }
    }

    private mutating func list(
        into text: inout String, depth: Int, open: String, close: String, key: (inout Self) -> String
    ) {
        text += open + pick(["", " ", "\n"])
        for index in 0..<below(4) {
            if index > 0 { text += pick([",", ", ", "\n,\t"]) }
            // Keys are unique, because no standard says which duplicate wins.
            text += key(&self).replacing("\":", with: "\(index)\":").replacing("\" :", with: "\(index)\" :")
            value(into: &text, depth: depth + 1)
        }
        text += pick(["", " "]) + close
    }

    private mutating func string() -> String {
        var text = "\""
        for _ in 0..<below(12) {
            text += pick([
                "a", "Zz", " ", "é", "通知", "😀", "\\n", "\\\"", "\\\\", "\\/", "\\u00e9", "\\ud83d\\ude00", "alert",
                "x1-_",
            ])
        }
        return text + "\""
    }

    /// One to three edits: drop, repeat, or replace a byte, or cut the rest.
    mutating func mutate(_ bytes: inout [UInt8]) {
        let interesting = Array("{}[]\",:\\ u1e-.+tfn\u{0}\t\n'é/".utf8)
        for _ in 0...below(3) where !bytes.isEmpty {
            let index = below(bytes.count)
            switch below(8) {
            case 0...2: bytes.remove(at: index)
            case 3: bytes.insert(bytes[index], at: index)
            case 4...6: bytes[index] = interesting[below(interesting.count)]
            default: bytes.removeSubrange(index...)
            }
        }
    }

    /// Bytes that mostly occur in JSON, so that parsing gets far.
    mutating func noise() -> [UInt8] {
        let alphabet = Array("{}[]\",:\\u01e-.tfnaps \n".utf8)
        var bytes = Array((below(3) == 0 ? "" : "{\"aps\":{\"alert\":").utf8)
        for _ in 0..<below(40) {
            bytes.append(below(6) == 0 ? UInt8(truncatingIfNeeded: random.next()) : alphabet[below(alphabet.count)])
        }
        return bytes
    }
}
