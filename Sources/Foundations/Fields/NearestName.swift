package enum NearestName {
    /// Longer texts are no typos, and comparing them takes time: a peer may send many.
    private static let maximumByteCount = 64

    /// The most similar name, also from another section; nil when none is close enough to be a typo.
    package static func of(_ text: String, among names: [String]) -> String? {
        guard text.utf8.count <= maximumByteCount else { return nil }
        let wanted = text.lowercased()
        let lastWanted = last(wanted)
        // For words of up to three letters, two differences make another word.
        let limit = lastWanted.count < 4 ? 1 : max(2, lastWanted.count / 3)
        func distance(_ first: Substring, _ second: Substring) -> Int {
            // At least the difference of their lengths.
            abs(first.count - second.count) > limit ? .max - 1 : Self.distance(first, second)
        }
        var best: (name: String, distance: Int)?
        for name in names where name.utf8.count <= maximumByteCount {
            let known = name.lowercased()
            let found = min(distance(wanted[...], known[...]), distance(lastWanted, last(known)) + 1)
            if found <= limit, found < best?.distance ?? .max { best = (name, found) }
        }
        return best?.name
    }

    private static func last(_ name: String) -> Substring { name.split(separator: ".").last ?? "" }

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
