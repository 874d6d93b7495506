/// The donations of all apps on a device, oldest first (F.1).
package struct DonationStore: Equatable, Codable, Sendable {
    /// Not a limit of iOS.
    package static let limit = 1000
    /// Of all donations' JSON; not a limit of iOS.
    package static let byteLimit = 4 << 20

    package private(set) var entries: [DonationEntry] = []
    /// How many gave way to newer ones.
    package private(set) var evictedCount = 0
    private var lastNumber: UInt64 = 0
    private var byteCount = 0

    package init() {}

    package var isEmpty: Bool { lastNumber == 0 }

    mutating func append(_ entry: DonationEntry) {
        var entry = entry
        lastNumber += 1
        entry.number = lastNumber
        entries.append(entry)
        byteCount += entry.byteCount
        while entries.count > Self.limit || byteCount > Self.byteLimit, entries.count > 1 {
            byteCount -= entries.removeFirst().byteCount
            evictedCount += 1
        }
    }

    /// Unknown identifiers are no error.
    mutating func remove(_ scope: DonationScope, of app: String) {
        entries.removeAll { entry in
            guard entry.app == app, scope.contains(entry.donation) else { return false }
            byteCount -= entry.byteCount
            return true
        }
    }
}
