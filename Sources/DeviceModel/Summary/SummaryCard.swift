/// A scheduled summary as it is shown: featured notifications, then the rest by app.
package struct SummaryCard: Sendable, Hashable {
    /// By number, the best first.
    package var featured: [UInt64]
    /// The app with the best one first.
    package var groups: [Group]

    package struct Group: Sendable, Hashable {
        /// A bundle identifier.
        package var app: String
        /// By number: the best first, those of its thread right after it.
        package var items: [UInt64]
    }

    package var order: [UInt64] { featured + groups.flatMap(\.items) }

    /// Assumption: a notification's rank is its relevance plus `summaryMediaWeight` for media, then its age (H.5).
    ///
    /// - Returns: nil without notifications: then there is no summary (H.4).
    package init?(of items: [SummaryItem], assumptions: Assumptions) {
        guard !items.isEmpty else { return nil }
        let ranked = items.sorted {
            ($0.score(assumptions), $0.sequence) > ($1.score(assumptions), $1.sequence)
        }
        let featured = Self.featured(of: ranked, count: max(0, assumptions.summaryFeaturedCount))
        self.featured = featured
        let rest = ranked.filter { !featured.contains($0.sequence) }
        groups = rest.grouped(by: \.app).map { items in
            Group(app: items[0].app, items: items.grouped(by: \.thread).flatMap { $0.map(\.sequence) })
        }
    }

    /// The best of each app, then the best of the others; the best first.
    private static func featured(of ranked: [SummaryItem], count: Int) -> [UInt64] {
        let leaders = ranked.grouped(by: \.app).map { $0[0].sequence }
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

/// What the scheduled summary depends on in a notification.
package struct SummaryItem: Sendable, Hashable, Codable {
    /// Newer ones have higher numbers.
    package var sequence: UInt64
    /// A bundle identifier.
    package var app: String
    package var relevanceScore = 0.0
    /// Whether it has an attachment.
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
