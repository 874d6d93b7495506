package import Fields
package import JSON

extension Query {
    /// A condition in its short form, a list of them, or an object of tests by path: `{"topic": "com.example.app",
    /// "payload.aps.badge": {">": 2}}`.
    ///
    /// - Parameter roots: The names that a path may begin with; nil for any.
    package init(_ json: JSONValue, at path: FieldPath, roots: QueryRoots?) throws(FieldError) {
        var problems: [FieldProblem] = []
        var conditions: [Condition] = []
        switch json {
        case .string(let text): conditions.append(contentsOf: Self.read(text, at: path, roots, &problems))
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                let path = path.element(index)
                if case .string(let text) = element {
                    conditions += Self.read(text, at: path, roots, &problems)
                } else {
                    problems.append(.wrong(element, at: path, accepted: "a condition such as \"title~Hello\""))
                }
            }
        case .object(let members):
            for (name, test) in members { conditions += Self.tests(test, of: name, at: path, roots, &problems) }
        default:
            problems.append(
                .wrong(json, at: path, accepted: "a condition, a list of conditions, or an object of tests by path"))
        }
        if conditions.count > Self.maximumConditionCount {
            problems.append(
                FieldProblem(
                    path, "has \(conditions.count) conditions", "at most \(Self.maximumConditionCount) are accepted"))
        }
        guard problems.isEmpty else { throw FieldError(problems: problems) }
        self.init(conditions)
    }

    private static func read(
        _ text: String, at path: FieldPath, _ roots: QueryRoots?, _ problems: inout [FieldProblem]
    ) -> [Condition] {
        do throws(QueryError) {
            return [try Condition(text, roots: roots)]
        } catch {
            let place = error.column.map { " at column \($0)" } ?? ""
            problems.append(FieldProblem(path, "is \"\(text.prefix(60))\", which is wrong\(place)", error.message))
            return []
        }
    }

    /// The tests of one path.
    private static func tests(
        _ json: JSONValue, of name: String, at path: FieldPath, _ roots: QueryRoots?, _ problems: inout [FieldProblem]
    ) -> [Condition] {
        guard let target = read(name, at: path, roots, &problems).first else { return [] }
        let place = path.member(name)
        guard target.test == .exists else {
            problems.append(FieldProblem(place, "has an operator in its name", "give it as {\"<operator>\": value}"))
            return []
        }
        guard case .object(let members) = json, let first = members.keys.first, Operator.all[first] != nil else {
            // An object without operators must be contained in the document.
            if case .object = json {
                let condition = Condition(target.path, .compares(.contains, Operand(json)))
                return [checked(condition, at: place, roots, &problems)]
            }
            guard let test = try? Operator.all["equals"]?.test(json) else {
                problems.append(.wrong(json, at: place, accepted: "a value, or {\"exists\": false} for none"))
                return []
            }
            return [checked(Condition(target.path, test), at: place, roots, &problems)]
        }
        return members.compactMap { name, value in
            guard let read = Operator.all[name] else {
                problems.append(.unknown(name, at: place, known: Operator.names))
                return nil
            }
            do throws(TextPattern.Problem) {
                if let test = try read.test(value) {
                    return checked(Condition(target.path, test), at: place, roots, &problems)
                }
                problems.append(.wrong(value, at: place.member(name), accepted: read.accepted))
            } catch {
                let found = "is \"\((value.string ?? "").prefix(60))\", which is wrong at column \(error.place + 1)"
                problems.append(FieldProblem(place.member(name), found, error.message))
            }
            return nil
        }
    }

    private static func checked(
        _ condition: Condition, at place: FieldPath, _ roots: QueryRoots?, _ problems: inout [FieldProblem]
    ) -> Condition {
        if let problem = roots?.problem(condition) {
            problems.append(FieldProblem(place, "is wrong", problem))
        }
        return roots?.prepared(condition) ?? condition
    }
}

/// A query with its original text, for display.
package struct WrittenQuery: Hashable, Sendable {
    package let json: JSONValue
    package let query: Query

    package func matches(_ document: Document) -> Bool { query.matches(document) }
}

extension FieldFormat {
    /// - Parameter roots: The names that a path may begin with.
    package static func query(roots: QueryRoots) -> FieldFormat<WrittenQuery> {
        FieldFormat<WrittenQuery>(
            accepted: "conditions such as \"title~Hello\"", schema: .any,
            read: { json, _, path, problems in
                do throws(FieldError) {
                    return WrittenQuery(json: json, query: try Query(json, at: path, roots: roots))
                } catch {
                    problems += error.problems
                    return nil
                }
            }, write: \.json)
    }
}

/// An operator by its name in JSON.
private struct Operator: Sendable {
    let accepted: String
    /// nil for a value of another kind.
    let test: @Sendable (JSONValue) throws(TextPattern.Problem) -> Condition.Test?

    /// In the order of messages.
    private static let list: [(name: String, read: Operator)] =
        [
            ("equals", comparing(.equals)), ("not", comparing(.differs)), ("contains", comparing(.contains)),
            ("like", comparing(.contains)), ("matches", pattern), ("exists", presence(.exists, otherwise: .absent)),
            ("absent", presence(.absent, otherwise: .exists)), ("before", comparing(.less)),
            ("after", comparing(.greater)), ("oneOf", oneOf),
        ] + Comparison.allCases.map { ($0.rawValue, comparing($0)) } + [("=~", pattern)]

    static let names = list.map(\.name)
    static let all = Dictionary(uniqueKeysWithValues: list.map { ($0.name, $0.read) })

    private static let pattern = Operator(accepted: "a regular expression such as \"^Order [0-9]+\"") {
        json throws(TextPattern.Problem) in
        guard let source = json.string else { return nil }
        return .matches(try TextPattern(source))
    }

    private static let oneOf = Operator(accepted: "a list of at least one value, none of them null") { json in
        guard case .array(let values) = json, !values.isEmpty, !values.contains(.null) else { return nil }
        return .oneOf(values.map { Operand($0) })
    }

    private static func presence(_ test: Condition.Test, otherwise: Condition.Test) -> Operator {
        Operator(accepted: "true or false") { json in
            if case .bool(let isTrue) = json { isTrue ? test : otherwise } else { nil }
        }
    }

    private static func comparing(_ comparison: Comparison) -> Operator {
        Operator(accepted: "a value that is not null") { $0 == .null ? nil : .compares(comparison, Operand($0)) }
    }
}
