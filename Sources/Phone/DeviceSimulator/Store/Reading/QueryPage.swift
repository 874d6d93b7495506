/// An item with a number for cursors.
package protocol Numbered: Sendable {
    var number: UInt64 { get }
}

/// A page of matches, oldest or newest first.
package struct QueryPage<Item: Numbered>: Sendable {
    package var items: [Item] = []
    /// The cursor of the next page: only later items, or earlier ones if the newest come first.
    package var next: UInt64
    /// How many items were compared with the query.
    package var scannedCount = 0
    /// Whether more matches are available now.
    package var hasMore = false
    /// How many were ever evicted: on the device, on all devices, or from the log.
    package var droppedCount = 0
    /// Whether something between the query's cursor and the list's end is lost.
    package var hasGap = false
    /// The newest number when a list of the newest began: the cursor for what comes later.
    package var newest: UInt64?
    /// Of the events' device, or of the state. A cursor means nothing in another.
    var life = DeviceLife()

    package init(next: UInt64, droppedCount: Int = 0, hasGap: Bool = false) {
        self.next = next
        self.droppedCount = droppedCount
        self.hasGap = hasGap
    }

    /// Returns false if the page is full, so there are more matches.
    mutating func add(_ item: Item, limit: Int) -> Bool {
        hasMore = items.count >= limit
        guard !hasMore else { return false }
        items.append(item)
        next = item.number
        return true
    }

    /// Adds matches until the page is full or there are no more; `next` is the first cursor to read from.
    ///
    /// - Parameter read: receives a cursor and how many items the page still holds.
    package mutating func fill(
        upTo limit: Int, where matches: (Item) -> Bool, read: (UInt64, Int) -> QueryBatch<Item>
    ) {
        var cursor = next
        while true {
            let batch = read(cursor, limit - items.count)
            scannedCount += batch.examinedCount
            for item in batch.items where matches(item) {
                guard add(item, limit: limit) else { return }
            }
            cursor = batch.cursor
            guard !batch.isAtEnd else {
                next = cursor
                return
            }
        }
    }
}

/// The items read under one acquisition of the lock; short, because writers wait for it.
package struct QueryBatch<Item: Numbered>: Sendable {
    package var items: [Item] = []
    /// Where the next batch begins.
    package var cursor: UInt64
    package var examinedCount = 0
    package var isAtEnd = true

    package init(cursor: UInt64) { self.cursor = cursor }
}

package struct MatchCount: Sendable, Hashable {
    package var count: Int
    /// False when older items were not examined: at least `count` match.
    package var isExact: Bool

    package init(_ count: Int) { (self.count, isExact) = (count, true) }

    /// Counts from the newest item on.
    /// - Parameter budget: how many items to examine. Browsers poll counts, so they must be cheap.
    package init<Item>(
        examining budget: Int, where matches: (Item) -> Bool, read: (UInt64, Int) -> QueryBatch<Item>
    ) {
        (count, isExact) = (0, false)
        var (cursor, budget) = (UInt64.max, budget)
        while budget > 0, !isExact {
            let batch = read(cursor, budget)
            count += batch.items.count(where: matches)
            (cursor, isExact) = (batch.cursor, batch.isAtEnd)
            budget -= batch.examinedCount
        }
    }
}
