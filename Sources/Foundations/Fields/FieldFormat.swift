package import JSON

package struct FieldFormat<Value: Sendable>: Sendable {
    /// For messages: `true or false`.
    package var accepted: String
    package var schema: FieldSchema
    package var isOptional = false
    /// Returns nil after adding a problem. The second argument is the current value, for objects to merge into.
    package var read: @Sendable (JSONValue, Value?, FieldPath, inout [FieldProblem]) -> Value?
    /// nil omits the member.
    package var write: @Sendable (Value) -> JSONValue?

    package init(
        accepted: String, schema: FieldSchema, isOptional: Bool = false,
        read: @escaping @Sendable (JSONValue, Value?, FieldPath, inout [FieldProblem]) -> Value?,
        write: @escaping @Sendable (Value) -> JSONValue?
    ) {
        (self.accepted, self.schema, self.isOptional, self.read, self.write) = (
            accepted, schema, isOptional, read, write
        )
    }

    /// Another value with the same JSON form, which takes its name in documentation.
    package func converted<Other: Sendable>(
        to read: @escaping @Sendable (Value) -> Other?, from write: @escaping @Sendable (Other) -> Value
    ) -> FieldFormat<Other> {
        var schema = schema
        if case .object(_, let members) = schema { schema = .object("\(Other.self)", members) }
        return FieldFormat<Other>(
            accepted: accepted, schema: schema,
            read: { json, current, path, problems in
                self.read(json, current.map(write), path, &problems).flatMap(read)
            }, write: { self.write(write($0)) })
    }

    /// Parses unquoted text from a path or a query parameter.
    package func value(of text: String, at name: String) throws(FieldError) -> Value {
        var problems: [FieldProblem] = []
        if let value = read(schema.json(of: text), nil, FieldPath().member(name), &problems) { return value }
        throw FieldError(problems: problems)
    }
}

// MARK: One value

extension FieldFormat {
    package static func custom<Custom: Sendable>(
        _ accepted: String, _ schema: FieldSchema, read: @escaping @Sendable (JSONValue) -> Custom?,
        write: @escaping @Sendable (Custom) -> JSONValue
    ) -> FieldFormat<Custom> {
        FieldFormat<Custom>(
            accepted: accepted, schema: schema,
            read: { json, _, path, problems in
                if let value = read(json) { return value }
                problems.append(.wrong(json, at: path, accepted: accepted))
                return nil
            }, write: { write($0) })
    }

    package static var flag: FieldFormat<Bool> {
        custom(
            "true or false", .flag, read: { if case .bool(let value) = $0 { value } else { nil } },
            write: { .bool($0) })
    }

    package static func text<Text: Sendable>(
        _ accepted: String, form: TextForm = .any, read: @escaping @Sendable (String) -> Text?,
        write: @escaping @Sendable (Text) -> String
    ) -> FieldFormat<Text> {
        custom(
            accepted, .text(form), read: { if case .string(let text) = $0 { read(text) } else { nil } },
            write: { .string(write($0)) })
    }

    package static func text(
        _ accepted: String, form: TextForm = .any, where accepts: @escaping @Sendable (String) -> Bool
    ) -> FieldFormat<String> {
        text(accepted, form: form, read: { accepts($0) ? $0 : nil }, write: { $0 })
    }

    package static var text: FieldFormat<String> { text("a text") { _ in true } }

    package static var name: FieldFormat<String> { text("a text that is not empty", form: .filled) { !$0.isEmpty } }

    /// What a header field can carry.
    package static var headerText: FieldFormat<String> {
        text("one line of text without spaces at its ends", form: .filled) { text in
            !text.isEmpty && !text.hasPrefix(" ") && !text.hasSuffix(" ")
                && !text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7f }
        }
    }

    /// Relative to the folder of the file that contains it.
    package static var path: FieldFormat<String> {
        custom(
            "a path", .path,
            read: { if case .string(let text) = $0, !text.isEmpty { text } else { nil } }, write: { .string($0) })
    }

    /// `5s`, `250ms` or `PT1H`.
    package static var duration: FieldFormat<Duration> {
        let form = TextForm(pattern: DurationText.pattern)
        return duration("a duration such as 5s, 250ms, 2m or PT1H", form: form) { _ in true }
    }

    package static func duration(atMost limit: Duration, _ words: String) -> FieldFormat<Duration> {
        duration("\(duration.accepted), at most \(words)", hasLimit: true) { $0 <= limit }
    }

    package static func duration(in range: ClosedRange<Duration>, _ words: String) -> FieldFormat<Duration> {
        duration("\(duration.accepted), \(words)", hasLimit: true) { range.contains($0) }
    }

    package static var positiveDuration: FieldFormat<Duration> {
        duration("a duration above 0 such as 5s, 250ms, 2m or PT1H") { $0 > .zero }
    }

    private static func duration(
        _ accepted: String, form: TextForm = .any, hasLimit: Bool = false,
        where accepts: @escaping @Sendable (Duration) -> Bool
    ) -> FieldFormat<Duration> {
        FieldFormat<Duration>(
            accepted: accepted, schema: .text(form),
            read: { json, _, path, problems in
                var limit = ""
                if case .string(let text) = json {
                    if let duration = Duration(written: text), accepts(duration) { return duration }
                    if !hasLimit, DurationText.isTooLong(text) { limit = ", at most \(DurationText.longest)" }
                }
                problems.append(.wrong(json, at: path, accepted: accepted + limit))
                return nil
            }, write: { .string(DurationText.text($0)) })
    }

    package static var integer: FieldFormat<Int> { integer(in: .min ... .max) }

    package static func number(
        _ accepted: String, _ schema: FieldSchema, where accepts: @escaping @Sendable (Double) -> Bool
    ) -> FieldFormat<Double> {
        custom(
            accepted, schema, read: { $0.double.flatMap { accepts($0) ? $0 : nil } }, write: { .number($0) })
    }

    package static func number(in range: ClosedRange<Double>) -> FieldFormat<Double> {
        let (least, most) = (Int(range.lowerBound), Int(range.upperBound))
        return number("a number from \(least) to \(most)", .number(minimum: least, maximum: most)) {
            range.contains($0)
        }
    }

    package static func number(atLeast minimum: Int) -> FieldFormat<Double> {
        number("a number, \(minimum) or more", .number(minimum: minimum)) {
            $0 >= Double(minimum) && $0.isFinite
        }
    }

    package static var share: FieldFormat<Double> { number("a number from 0 to 1", .share) { 0...1 ~= $0 } }

    /// For objects that the caller reads.
    package static var anyObject: FieldFormat<JSONValue> {
        custom("an object", .map(.any), read: { if case .object = $0 { $0 } else { nil } }, write: { $0 })
    }

    package static func integer(atLeast minimum: Int) -> FieldFormat<Int> { integer(in: minimum...Int.max) }

    /// `Int.max` or more as upper bound means none.
    package static func integer<Number: FixedWidthInteger & Sendable>(
        in range: ClosedRange<Number>
    ) -> FieldFormat<Number> {
        let isBounded = Int(clamping: range.upperBound) != .max
        let bounds =
            isBounded
            ? " from \(range.lowerBound) to \(range.upperBound)"
            : Number.isSigned && range.lowerBound == .min ? "" : ", \(range.lowerBound) or more"
        return custom(
            "a whole number" + bounds,
            .integer(
                minimum: Int(clamping: range.lowerBound), maximum: isBounded ? Int(clamping: range.upperBound) : nil),
            read: { json in
                guard case .integer(let number) = json else { return nil }
                return Number(exactly: number).flatMap { range.contains($0) ? $0 : nil }
            }, write: { .integer(Int(clamping: $0)) })
    }

    package static func word<Word: RawRepresentable<String> & CaseIterable & Sendable>(
        _: Word.Type = Word.self
    ) -> FieldFormat<Word> {
        let words = Word.allCases.map(\.rawValue)
        return word(
            words.dropLast().joined(separator: ", ") + " or " + (words.last ?? ""), among: words,
            read: { Word(rawValue: $0) }, write: \.rawValue)
    }

    package static func word<Word: Sendable>(
        _ accepted: String, among words: [String], read: @escaping @Sendable (String) -> Word?,
        write: @escaping @Sendable (Word) -> String
    ) -> FieldFormat<Word> {
        FieldFormat<Word>(
            accepted: accepted, schema: .word(words),
            read: { json, _, path, problems in
                var hint = ""
                if case .string(let text) = json {
                    if let word = read(text) { return word }
                    hint = NearestName.of(text, among: words).map { "; did you mean \($0)?" } ?? ""
                }
                problems.append(.wrong(json, at: path, accepted: accepted + hint))
                return nil
            }, write: { .string(write($0)) })
    }
}

// MARK: Values of values

extension FieldFormat {
    /// `accepted` omits `null`, which every member accepts.
    package static func optional<Wrapped>(_ format: FieldFormat<Wrapped>) -> Self where Value == Wrapped? {
        Self(
            accepted: format.accepted, schema: format.schema, isOptional: true,
            read: { json, current, path, problems in
                format.read(json, current ?? nil, path, &problems).map { .some($0) }
            }, write: { $0.flatMap(format.write) })
    }

    /// Replaced as a whole. `count` gives the accepted numbers and their description; `words` replaces `accepted`.
    package static func list<Element>(
        _ format: FieldFormat<Element>, count: (range: ClosedRange<Int>, words: String)? = nil, _ words: String? = nil
    ) -> Self where Value == [Element] {
        let number = count.map { "\($0.words) " } ?? ""
        let accepted = words ?? "a list of \(number)values, each \(format.accepted)"
        let range = count?.range
        return Self(
            accepted: accepted, schema: .list(format.schema, count: range),
            read: { json, _, path, problems in
                guard case .array(let elements) = json else {
                    problems.append(.wrong(json, at: path, accepted: accepted))
                    return nil
                }
                if let range, !range.contains(elements.count) {
                    let found = elements.count == 1 ? "has 1 value" : "has \(elements.count) values"
                    problems.append(FieldProblem(path, found, "accepted: \(accepted)"))
                    return nil
                }
                let values = elements.enumerated().compactMap { index, element in
                    format.read(element, nil, path.element(index), &problems)
                }
                return values.count == elements.count ? values : nil
            }, write: { .array($0.compactMap(format.write)) })
    }

    /// Entries are added or replaced; `null` removes one. Written in alphabetical order.
    package static func map<Element>(
        _ format: FieldFormat<Element>, of words: String
    ) -> Self where Value == [String: Element] {
        let accepted = "an object: \(words)"
        return Self(
            accepted: accepted, schema: .map(format.schema),
            read: { json, current, path, problems in
                guard case .object(let members) = json else {
                    problems.append(.wrong(json, at: path, accepted: accepted))
                    return nil
                }
                let count = problems.count
                var values = current ?? [:]
                for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                    values[name] = value == .null ? nil : format.read(value, values[name], path.member(name), &problems)
                }
                return problems.count == count ? values : nil
            },
            write: { values in
                .object(
                    JSONObject(
                        values.sorted { $0.key < $1.key }.compactMap { name, value in
                            format.write(value).map { (name, $0) }
                        }))
            })
    }
}

extension FieldFormat where Value: FieldDescribed {
    /// An object with its own table; objects merge.
    package static var object: Self {
        Self(
            accepted: "an object with \(Value.fieldNames.joined(separator: ", "))", schema: Value.schema,
            read: { json, current, path, problems in
                var value = current ?? Value()
                return value.read(json, at: path, &problems) ? value : nil
            }, write: { $0.json })
    }
}
