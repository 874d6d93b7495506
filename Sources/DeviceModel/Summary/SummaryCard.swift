/// A scheduled summary as it is shown: what it features, then the rest by app.
package struct SummaryCard: Sendable, Hashable {
    /// The notifications at the top, by number, the best first.
    package var featured: [UInt64]
    /// The others; the app with the best one first.
    package var groups: [Group]

    /// What an app has in a summary beside what is featured.
    package struct Group: Sendable, Hashable {
        /// The app's bundle identifier.
        package var app: String
        /// Its notifications, by number: the best first, those of its thread right after it.
        package var items: [UInt64]
    }

    /// Every notification of the card, in the order shown.
    package var order: [UInt64] { featured + groups.flatMap(\.items) }

    /// Puts a card together.
    ///
    /// Assumption: a notification's rank is its relevance plus `summaryMediaWeight` for media, then its age (H.5).
    ///
    /// - Returns: nil when nothing waits: then there is no summary (H.4).
    package init?(of items: [SummaryItem], assumptions: Assumptions) {
        guard !items.isEmpty else { return nil }
        let ranked = items.sorted {
            ($0.score(assumptions), $0.sequence) > ($1.score(assumptions), $1.sequence)
        }
        let featured = Self.featured(of: ranked, count: max(0, assumptions.summaryFeaturedCount))
        self.featured = featured
        let rest = ranked.filter { !featured.contains($0.sequence) }
        groups = rest.gathered(by: \.app).map { items in
            Group(app: items[0].app, items: items.gathered(by: \.thread).flatMap { $0.map(\.sequence) })
        }
    }

    /// The best of each app as far as there are places, then the best of the others; the best first.
    private static func featured(of ranked: [SummaryItem], count: Int) -> [UInt64] {
        let leaders = ranked.gathered(by: \.app).map { $0[0].sequence }
        let others = ranked.map(\.sequence).filter { !leaders.contains($0) }
        let chosen = Set((leaders + others).prefix(count))
        return ranked.map(\.sequence).filter(chosen.contains)
    }
}

extension SummaryItem {
    fileprivate func score(_ assumptions: Assumptions) -> Double {
        relevanceScore + (hasMedia ? assumptions.summaryMediaWeight : 0)
    }
}

extension [SummaryItem] {
    /// Brings together what has the same key; groups and members keep the order in which they first come.
    fileprivate func gathered(by key: (SummaryItem) -> String) -> [[SummaryItem]] {
        var order: [String] = []
        var groups: [String: [SummaryItem]] = [:]
        for item in self {
            if groups[key(item)] == nil { order.append(key(item)) }
            groups[key(item), default: []].append(item)
        }
        return order.compactMap { groups[$0] }
    }
}

/// A notification that waits for the scheduled summary, as far as its place in it goes.
package struct SummaryItem: Sendable, Hashable, Codable {
    /// Its number on the device; newer ones have higher numbers.
    package var sequence: UInt64
    /// The bundle identifier of its app.
    package var app: String
    /// `relevance-score`, 0…1.
    package var relevanceScore = 0.0
    /// Whether it has an image, a sound or a film attached.
    package var hasMedia = false
    /// `thread-id`; empty when absent.
    package var thread = ""

    package init(sequence: UInt64, app: String, relevanceScore: Double = 0, hasMedia: Bool = false, thread: String = "")
    {
        self.sequence = sequence
        self.app = app
        self.relevanceScore = relevanceScore
        self.hasMedia = hasMedia
        self.thread = thread
    }
}
