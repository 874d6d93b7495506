import Fields
import JSON
import Queries

extension FuzzTarget {
    /// A condition; the document it is compared with on a second line.
    static let query = FuzzTarget("query") { input in
        guard let input = ControlledInput(input) else { return }
        let lines = input.bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        let text = String(decoding: lines[0], as: UTF8.self)
        let document = lines.count > 1 ? JSONValue(Array(lines[1]).span.bytes) : nil
        let query: Query
        if input.has(0) {
            guard let json = JSONValue(Array(lines[0]).span.bytes) else { return }
            do throws(FieldError) {
                query = try Query(json, at: FieldPath().member("where"), roots: nil)
            } catch {
                return precondition(!error.problems.isEmpty, "refused without a reason")
            }
        } else {
            do throws(QueryError) {
                let condition = try Condition(text, roots: nil)
                let again = try? Condition(condition.text, roots: nil)
                precondition(again?.text == condition.text, "a condition is read otherwise than written")
                query = Query([condition])
            } catch {
                let column = error.column ?? 1
                return precondition((1...text.count + 1).contains(column), "the column is outside the text")
            }
        }
        for condition in query.conditions {
            let path = try? Condition(condition.path.text, roots: nil).path
            precondition(path == condition.path, "a path is read that is written otherwise")
        }
        let matches = query.matches { document?[$0] }
        precondition(matches == query.mismatches { document?[$0] }.isEmpty, "a mismatch that matches")
    }
}
