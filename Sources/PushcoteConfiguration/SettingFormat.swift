internal import APNs
internal import DeviceModel
internal import Fields

/// How the values of a setting are written, and what they mean.
package struct SettingFormat<Value: Sendable>: Sendable {
    /// What may be written, for people: `true or false`.
    var accepted: String
    var isList = false
    /// Whether JSON writes the value without quotes.
    var isLiteral = false
    /// The value; `nil` when the text is none. Relative paths are relative to the second argument, a folder.
    var read: @Sendable (SettingText, String) -> Value?
    var show: @Sendable (Value) -> SettingText
}

extension SettingFormat {
    /// A format of one word or number.
    private init(
        scalar accepted: String, isLiteral: Bool = false, read: @escaping @Sendable (String) -> Value?,
        show: @escaping @Sendable (Value) -> String
    ) {
        self.init(
            accepted: accepted, isLiteral: isLiteral,
            read: { text, _ in if case .scalar(let text) = text { read(text) } else { nil } },
            show: { .scalar(show($0)) })
    }

    /// `true` or `false`.
    static var bool: SettingFormat<Bool> {
        SettingFormat<Bool>(
            scalar: "true or false", isLiteral: true, read: { ["true": true, "false": false][$0] }, show: { String($0) }
        )
    }

    /// A whole number in a range.
    static func number<Number: FixedWidthInteger & Sendable>(_ range: ClosedRange<Number>) -> SettingFormat<Number> {
        let bounds =
            range.upperBound == .max ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
        return SettingFormat<Number>(
            scalar: "a whole number, \(bounds)", isLiteral: true,
            read: { Number($0).flatMap { range.contains($0) ? $0 : nil } }, show: { String($0) })
    }

    /// A whole number that every reader of JSON keeps exactly (RFC 8259 §6), or `random` for none.
    static var seed: SettingFormat<UInt64?> {
        let number = number(0...UInt64(1) << 53)
        return SettingFormat<UInt64?>(
            accepted: "\(number.accepted), or random", isLiteral: true,
            read: { text, base in text == .scalar("random") ? .some(nil) : number.read(text, base).map { .some($0) } },
            show: { $0.map { number.show($0) } ?? .scalar("random") })
    }

    /// One of a few words.
    static func word<Word: RawRepresentable<String> & CaseIterable & Sendable>(
        _: Word.Type = Word.self
    ) -> SettingFormat<Word> {
        let words = Word.allCases.map(\.rawValue)
        return SettingFormat<Word>(
            scalar: words.dropLast().joined(separator: ", ") + " or " + (words.last ?? ""),
            read: { Word(rawValue: $0) },
            show: { $0.rawValue })
    }

    /// `30s` or `PT30S`.
    static var duration: SettingFormat<Duration> {
        SettingFormat<Duration>(
            scalar: "a duration such as 30s, 20m, 1h or PT30S", read: { DurationText.duration($0) },
            show: { DurationText.text($0) })
    }

    /// A duration that is kept as a number.
    static var milliseconds: SettingFormat<Int64> {
        let duration = SettingFormat<Duration>.duration
        return SettingFormat<Int64>(
            accepted: duration.accepted, read: { duration.read($0, $1).map { Int64($0 / .milliseconds(1)) } },
            show: { duration.show(.milliseconds($0)) })
    }

    /// A number from 0 to 1.
    static var fraction: SettingFormat<Double> {
        SettingFormat<Double>(
            scalar: "a number, 0 to 1", isLiteral: true,
            read: { Double($0).flatMap { (0...1).contains($0) ? $0 : nil } }, show: { String($0) })
    }

    /// A file or a folder.
    static var path: SettingFormat<String> {
        SettingFormat<String>(
            accepted: "a path",
            read: { text, base in if case .scalar(let path) = text { resolve(path, in: base) } else { nil } },
            show: { .scalar($0) })
    }

    /// A file or a folder, or none.
    static var optionalPath: SettingFormat<String?> {
        SettingFormat<String?>(
            accepted: "a path, or null",
            read: { text, base in
                switch text {
                case .absent: .some(nil)
                case .scalar(let path): resolve(path, in: base)
                case .list: nil
                }
            },
            show: { $0.map { .scalar($0) } ?? .absent })
    }

    /// Any text but an empty one, or none.
    static var optionalText: SettingFormat<String?> {
        SettingFormat<String?>(
            accepted: "a text that is not empty, or null for none",
            read: { text, _ in
                switch text {
                case .absent: .some(nil)
                case .scalar(let text): text.isEmpty ? nil : .some(text)
                case .list: nil
                }
            },
            show: { $0.map { .scalar($0) } ?? .absent })
    }

    /// A list; one element may stand alone.
    private static func list<Element: Sendable>(
        _ accepted: String, read: @escaping @Sendable (String, String) -> Element?,
        show: @escaping @Sendable (Element) -> String
    ) -> SettingFormat<[Element]> {
        SettingFormat<[Element]>(
            accepted: accepted, isList: true,
            read: { text, base in
                switch text {
                case .absent: return nil
                case .scalar(let element): return read(element, base).map { [$0] }
                case .list(let texts):
                    let elements = texts.compactMap { read($0, base) }
                    return elements.count == texts.count ? elements : nil
                }
            },
            show: { .list($0.map(show)) })
    }

    static var addresses: SettingFormat<[ListenAddress]> {
        list("a list of HOST:PORT such as \"127.0.0.1:2197\" or \"[::1]:2197\" (port 0: any free one), or []") {
            text, _ in
            ListenAddress(text)
        } show: {
            $0.text
        }
    }

    /// Names of hosts and the like.
    static var names: SettingFormat<[String]> {
        list("a list of names, or []") { text, _ in
            text.isEmpty ? nil : text
        } show: {
            $0
        }
    }

    /// Files.
    static var paths: SettingFormat<[String]> {
        list("a list of paths, or []") { text, base in
            resolve(text, in: base)
        } show: {
            $0
        }
    }

    /// A path as seen from the working folder; `nil` when it is empty.
    static func resolve(_ path: String, in base: String) -> String? {
        guard !path.isEmpty else { return nil }
        return base.isEmpty || path.hasPrefix("/") ? path : base + "/" + path
    }
}
