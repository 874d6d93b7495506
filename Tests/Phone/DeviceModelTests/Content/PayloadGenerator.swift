import TestSupport

/// Generates payloads of all known keys with valid, odd and wrongly typed values; keys may repeat or be escaped.
struct PayloadGenerator {
    private var random: SplitMix

    init(seed: UInt64) { random = SplitMix(state: seed) }

    private mutating func pick(_ choices: [String]) -> String {
        choices[Int.random(in: 0..<choices.count, using: &random)]
    }

    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

    mutating func payload() -> [UInt8] {
        var text = chance(8) ? "{\"a\":{\"aps\":1}," : "{"
        text += "\"aps\":" + (chance(40) ? odd() : aps())
        if chance(3) { text += ",\"id\":{\"k\":[1,\"}\"]}" }
        if chance(60) { text += ",\"aps\":" + aps() }
        return Array((text + (chance(50) ? "" : "}")).utf8)
    }

    private mutating func aps() -> String { object(of: Self.keys) { $0.value(of: $1) } }

    private static let keys = [
        "alert", "badge", "sound", "category", "filter-criteria", "interruption-level", "relevance-score",
        "mutable-content", "content-available", "thread-id", "target-content-id", "summary-arg", "event", "colour", "",
    ]

    private mutating func value(of key: String) -> String {
        if chance(6) { return odd() }
        return switch key {
        case "alert": chance(3) ? string() : alert()
        case "badge": pick(["0", "1", "12", "3.0", "1e2", "-1", "1.5", "123456789012345678", "9223372036854775808"])
        case "sound": chance(2) ? string() : sound()
        case "interruption-level":
            pick([
                "\"passive\"", "\"active\"", "\"time-sensitive\"", "\"critical\"", "\"timeSensitive\"",
                #""time\u002dsensitive""#,
            ])
        case "relevance-score": pick(["0", "1", "0.5", "100", "-3", "1e-2", "1e999", "-1e999"])
        case "mutable-content", "content-available": flag()
        default: string()
        }
    }

    private mutating func alert() -> String {
        let keys = [
            "title", "subtitle", "body", "title-loc-key", "subtitle-loc-key", "loc-key", "loc-args", "title-loc-args",
            "launch-image", "sound", "action", "name", "x",
        ]
        return object(of: keys) { generator, key in
            if generator.chance(8) { return generator.odd() }
            switch key {
            case "sound": return generator.sound()
            case "loc-args", "title-loc-args": return "[\(generator.string()),\(generator.odd())]"
            case "title", "subtitle", "body":
                guard generator.chance(3) else { break }
                return generator.object(of: ["loc-key", "loc-args", "y"]) { generator, _ in
                    generator.pick([generator.string(), generator.odd()])
                }
            default: break
            }
            return generator.string()
        }
    }

    private mutating func sound() -> String {
        object(of: ["name", "critical", "volume", "z"]) { generator, key in
            switch key {
            case _ where generator.chance(6): generator.odd()
            case "critical": generator.flag()
            case "volume": generator.pick(["0.5", "2", "-1"])
            default: generator.string()
            }
        }
    }

    private mutating func object(of keys: [String], value: (inout Self, String) -> String) -> String {
        var members: [String] = []
        for _ in 0..<Int.random(in: 0..<7, using: &random) {
            let key = pick(keys)
            let spelled = chance(20) ? key.map { "\\u00" + String($0.asciiValue ?? 0, radix: 16) }.joined() : key
            members.append(
                pick(["", " ", "\n"]) + "\"\(spelled)\"" + pick([":", " : "]) + value(&self, key) + pick(["", "\t"]))
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    private mutating func flag() -> String { pick(["1", "0", "1.0", "10e-1", "2", "true", "false", "\"1\"", "0.5"]) }

    private mutating func string() -> String {
        pick([
            "\"\"", "\"a\"", "\"Grüße 通知\"", #""a\"b""#, #""\\""#, #""😀""#, "\"default\"",
            "\"an identifier of more than fifteen bytes\"", #""\n\u0041""#, "\"12345678\"", "\"{[,:\"",
        ])
    }

    private mutating func odd() -> String {
        pick(["null", "true", "[]", "{}", "[1,{\"a\":\"]\"}]", "{\"alert\":\"x\"}", "-0.5e3", "\"odd\"", "\"\"", "17"])
    }
}
