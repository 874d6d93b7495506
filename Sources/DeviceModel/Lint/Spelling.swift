/// Finds what a mistyped word was meant to be.
enum Spelling {
    /// The word with the fewest differences, of equally near ones the first; nil when more than a third is different.
    static func nearest(to text: String, among words: [String]) -> String? {
        let wanted = Array(text.lowercased())
        let scored = words.map { (distance(wanted, Array($0.lowercased())), $0) }
        guard let best = scored.min(by: { $0.0 < $1.0 }), best.0 <= max(2, wanted.count / 3) else { return nil }
        return best.1
    }

    /// How many characters to insert, delete or replace.
    private static func distance(_ first: [Character], _ second: [Character]) -> Int {
        var row = Array(0...second.count)
        for (i, left) in first.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, right) in second.enumerated() {
                let cost = min(row[j] + 1, row[j + 1] + 1, diagonal + (left == right ? 0 : 1))
                diagonal = row[j + 1]
                row[j + 1] = cost
            }
        }
        return row[second.count]
    }
}
