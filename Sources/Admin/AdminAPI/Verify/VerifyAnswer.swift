internal import DeviceModel
internal import Fields
internal import JSON
internal import Queries

/// Whether a verification passed, with the evidence.
struct VerifyAnswer: APIShape {
    var verified: Bool
    var outcome: Outcome
    /// What was expected and found, on one line.
    var message: String
    /// 406 for a failed verification, as in other errors.
    var status: Int
    /// How many documents were compared.
    var scanned: Int
    /// The numbers of the first matches.
    var matched: [UInt64]
    var matchCount: Int
    /// The nearest misses of a failed verification, the nearest first.
    var nearest: [Miss]?
    /// How many others arrived.
    var otherCount: Int
    /// For people: what the text answer says.
    var report: String

    static let shape = Shape(
        name: "Verdict",
        [
            "status": .type("enum: [200, 406]"),
            "scanned": "How many were compared.",
            "matched": .type(
                ##"type: array, maxItems: 100, items: {$ref: "#/components/schemas/Number"}"##,
                "The numbers of the first matches."),
            "nearest": .with(
                "maxItems: 5", "If too few matched, what differs least; if too many, what is not settled yet."),
            "otherCount": "How many did not match.",
            "report": "The text answer.",
        ])

    enum Outcome: String, CaseIterable, Codable, Sendable { case passed, tooFew, tooMany }

    struct Miss: APIShape {
        var number: UInt64
        var differences: [Difference]
        /// As in a list; absent if it no longer exists.
        var document: JSONValue?

        static let shape = Shape([
            "number": .ref("Number"),
            "document": .type("type: object", "As in a list."),
        ])
    }

    struct Difference: APIShape {
        var path: String
        var expected: String
        var got: JSONValue?
    }

    private static let maximumMatchCount = 100

    /// What is known about a document.
    struct Evidence {
        /// As in a list.
        var document: JSONValue
        /// Why the notification is in its state.
        var why = ""
        var problems: [Finding] = []
    }

    /// - Parameter evidence: Of a document by number.
    init(_ wanted: Verification, _ tally: Tally, evidence: (UInt64) -> Evidence?) {
        verified = tally.isMet
        status = tally.isMet ? 200 : 406
        scanned = tally.scannedCount
        matchCount = tally.matched.count
        matched = Array(tally.matched.prefix(Self.maximumMatchCount))
        otherCount = tally.otherCount
        message = Self.message(wanted, tally)
        outcome = tally.isMet ? .passed : tally.hasTooMany ? .tooMany : .tooFew
        let misses =
            switch outcome {
            case .passed: [NearMiss]()
            case .tooFew: tally.nearMisses
            case .tooMany: tally.nearMisses.filter(\.isUnsettled)
            }
        let shown = tally.isMet ? [] : tally.matched.suffix(Self.shownMatchCount)
        let known = misses.map { (miss: $0, evidence: evidence($0.number)) }
        nearest =
            misses.isEmpty
            ? nil
            : known.map { miss, evidence in
                Miss(
                    number: miss.number,
                    differences: miss.mismatches.map {
                        Difference(path: $0.path, expected: $0.expected, got: $0.got)
                    }, document: evidence?.document)
            }
        report = ""
        report = text(
            wanted, known.map { Self.lines($0, $1, wanted) }, shown.map { Self.line($0, evidence($0)?.document) },
            tally.early)
    }

    /// The newest matches that a failure's report shows, each on a line.
    private static let shownMatchCount = 10

    /// Such as `17  2026-11-23T10:00:00.000Z  Order 7`.
    private static func line(_ number: UInt64, _ document: JSONValue?) -> String {
        let texts = ["title", "body", "summary", "event"].map { document?[$0]?.string }
        let time = document?["receivedAt"]?.string ?? document?["at"]?.string
        return ([String(number), time, texts.compactMap(\.self).first] as [String?]).compactMap(\.self)
            .joined(separator: "  ")
    }

    /// What differs, and what the push's own mistakes are.
    private static func lines(_ miss: NearMiss, _ evidence: Evidence?, _ wanted: Verification) -> [String] {
        let differences = miss.mismatches.map { mismatch in
            guard let evidence, wanted.expectation.settled.conditions.contains(where: { $0.path.text == mismatch.path })
            else { return mismatch.sentence }
            return "not settled: \(evidence.why)"
        }
        let problems = (evidence?.problems ?? []).prefix(shownProblemCount).map {
            "\($0.severity.rawValue): \($0.path.isEmpty ? "" : "\($0.path): ")\($0.message)"
        }
        return (differences + problems).enumerated().map { index, text in
            let number = index == 0 ? String(miss.number) : String(repeating: " ", count: "\(miss.number)".count)
            return "  \(number)  \(text)"
        }
    }

    private static let shownProblemCount = 3

    private static func message(_ wanted: Verification, _ tally: Tally) -> String {
        let expectation = wanted.expectation
        let what = wanted.kind.rawValue
        let time = wanted.within > .zero ? " within \(DurationText.text(wanted.within))" : ""
        guard expectation.queries.count == 1 else {
            return "\(tally.matched.count) of \(expectation.queries.count) \(what) arrived in the given order\(time)."
        }
        let found = "\(tally.matched.count) \(tally.matched.count == 1 ? String(what.dropLast()) : what)"
        let unsettled = tally.unsettledCount > 0 ? " and \(tally.unsettledCount) not settled yet" : ""
        return "\(found) matched\(unsettled)\(time), expected \(expectation.words)."
    }

    private func text(
        _ wanted: Verification, _ misses: [[String]], _ shown: [String], _ early: [Int: UInt64]
    ) -> String {
        var lines = ["Verification \(verified ? "passed" : "failed"): \(message)"]
        let queries = wanted.expectation.queries
        for (index, query) in queries.enumerated() {
            let words = query.conditions.map(\.text).joined(separator: " and ")
            let mark = queries.count == 1 ? "" : index < matchCount ? "arrived: " : "missing: "
            let remark = index < matchCount ? nil : early[index].map { "  (\($0) came before its turn)" }
            lines.append("  \(mark)\(words.isEmpty ? "anything" : words)\(remark ?? "")")
        }
        if shown.isEmpty, !matched.isEmpty {
            lines.append("Matched: \(matched.map(String.init).joined(separator: ", "))")
        } else if !shown.isEmpty {
            let rest = matchCount - shown.count
            lines.append("Matched:\(rest > 0 ? " the last of \(matchCount):" : "")")
            lines += shown.map { "  \($0)" }
        }
        if !misses.isEmpty { lines.append(outcome == .tooMany ? "Not settled yet:" : "Nearest:") }
        lines += misses.joined()
        let named = Set((nearest ?? []).map(\.number) + early.filter { $0.key >= matchCount }.values)
        let rest = otherCount - named.count
        if outcome == .tooFew, rest > 0 { lines.append("\(rest) more arrived that differ as much or more.") }
        if !verified, scanned == 0 { lines.append("Nothing arrived.") }
        return lines.joined(separator: "\n")
    }
}
