package enum NearestName {
    /// Longer texts are no typos, and comparing them takes memory and time.
    private static let maximumByteCount = 256

    /// The most similar name, also from another section; nil when none is close enough to be a typo.
    package static func of(_ text: String, among names: [String]) -> String? {
        guard text.utf8.count <= maximumByteCount else { return nil }
        let names = names.filter { $0.utf8.count <= maximumByteCount }
        let wanted = text.lowercased()
        let scored = names.map { name in
            let name = name.lowercased()
            return min(distance(wanted, name), distance(last(wanted), last(name)) + 1)
        }
        // For words of up to three letters, two differences make another word.
        let limit = last(wanted).count < 4 ? 1 : max(2, last(wanted).count / 3)
        guard let best = scored.min(), best <= limit else { return nil }
        return scored.firstIndex(of: best).map { names[$0] }
    }

    private static func last(_ name: String) -> String { String(name.split(separator: ".").last ?? "") }

    /// Optimal string alignment: insertions, deletions, replacements and swaps of neighbours.
    package static func distance(_ first: some StringProtocol, _ second: some StringProtocol) -> Int {
        let first = Array(first)
        let second = Array(second)
        guard !first.isEmpty, !second.isEmpty else { return max(first.count, second.count) }
        var rows = [Array(0...second.count)]
        for (i, left) in first.enumerated() {
            var row = [i + 1]
            for (j, right) in second.enumerated() {
                var cost = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (left == right ? 0 : 1))
                if i > 0, j > 0, left == second[j - 1], first[i - 1] == right {
                    cost = min(cost, rows[i - 1][j - 1] + 1)
                }
                row.append(cost)
            }
            rows.append(row)
        }
        return rows[first.count][second.count]
    }
}
