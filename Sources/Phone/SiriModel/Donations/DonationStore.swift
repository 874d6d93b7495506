package import DeviceModel
internal import Fields
internal import JSON
package import Time

/// The donations of all apps on a device, oldest first (F.1), with relevant shortcuts and upcoming media.
package struct DonationStore: Equatable, Codable, Sendable {
    /// Not a limit of iOS.
    package static let limit = 1000
    /// Of all donations' JSON; not a limit of iOS.
    package static let byteLimit = 4 << 20
    /// With relevant shortcuts or upcoming media; not a limit of iOS.
    package static let appLimit = 200

    package private(set) var entries: [DonationEntry] = []
    /// By app.
    package private(set) var shortcuts: [String: [RelevantShortcut]] = [:]
    /// By app.
    package private(set) var media: [String: UpcomingMedia] = [:]
    /// How many were evicted.
    package private(set) var evictedCount = 0
    /// Of the newest donation, even if it was deleted.
    package private(set) var lastNumber: UInt64 = 0
    private var byteCount = 0

    var sums: [(name: String, value: Int)] {
        let own = [
            (name: "lastNumber of donations", value: Int(clamping: lastNumber)),
            ("evictedCount of donations", evictedCount), ("byteCount of donations", byteCount),
        ]
        return entries.reduce(into: own) { sums, entry in
            sums += [
                ("byteCount", entry.byteCount), ("minuteOfDay", entry.context.minuteOfDay),
                ("sinceWake", entry.context.sinceWake ?? 0),
            ]
        }
    }

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

    /// An app's donations shortly before an instant, which may be for the same action.
    package func recent(of app: String, before now: Instant) -> [Donation] {
        entries.lazy.filter { $0.app == app && (0...Self.sameAction).contains(now.milliseconds(since: $0.at)) }
            .map(\.donation)
    }

    private static let sameAction: Int64 = 5000

    /// Unknown identifiers are no error.
    mutating func remove(_ scope: DonationScope, of app: String) {
        removeAll { $0.app == app && scope.contains($0.donation) }
    }

    private mutating func removeAll(where isUnwanted: (DonationEntry) -> Bool) {
        entries.removeAll { entry in
            guard isUnwanted(entry) else { return false }
            byteCount -= entry.byteCount
            return true
        }
    }

    /// nil for all of the app's.
    mutating func removeActivities(_ identifiers: [String]?, of app: String) {
        removeAll { entry in
            entry.app == app && entry.donation.intentClass == UserActivity.className
                && identifiers?.contains(entry.donation.identifier) ?? true
        }
    }

    mutating func uninstall(_ app: String) {
        remove(.all, of: app)
        shortcuts[app] = nil
        media[app] = nil
    }

    mutating func set(shortcuts list: [RelevantShortcut], of app: String) throws(DeviceError) {
        try checkRoom(for: app, in: shortcuts)
        try check(list.reduce(0) { $0 + $1.json.bytes.count })
        shortcuts[app] = list.isEmpty ? nil : list
    }

    mutating func set(media new: UpcomingMedia, of app: String) throws(DeviceError) {
        try checkRoom(for: app, in: media)
        try check(new.json.bytes.count)
        for (name, count) in [("intents", new.intents.count), ("predictionModes", new.predictionModes.count)]
        where count > UpcomingMedia.limit {
            throw DeviceError(.invalid, "\(name) has \(count) elements; accepted are at most \(UpcomingMedia.limit)")
        }
        guard new.intents.allSatisfy({ $0.intentClass == UpcomingMedia.intentClass }) else {
            throw DeviceError(.invalid, "an element of intents is not of class \(UpcomingMedia.intentClass)")
        }
        media[app] = new == UpcomingMedia() ? nil : new
    }

    private func check(_ byteCount: Int) throws(DeviceError) {
        let limit = DonationCall.byteLimit
        guard byteCount <= limit else {
            throw DeviceError(.invalid, "the list has \(byteCount) bytes of JSON; accepted are at most \(limit)")
        }
    }

    private func checkRoom(for app: String, in lists: [String: some Any]) throws(DeviceError) {
        guard lists[app] == nil, lists.count >= Self.appLimit else { return }
        throw DeviceError(
            .conflict, "\(Self.appLimit) apps have such a list, which is the limit; empty one of them first")
    }
}
