internal import DeviceModel
internal import JSON
internal import RequestWire
internal import Time

/// Inputs of a device and their effects, in order. A push's delivery events come from its `InboxEntry`.
struct EventLog: Equatable {
    struct Entry: Equatable, Codable {
        var number: UInt64
        /// Not an `Instant`, because a snapshot must hold any instant.
        var milliseconds: Int64
        var content: Content

        var at: Instant { Instant(milliseconds: milliseconds) }

        init(number: UInt64, at: Instant, content: consuming Content) {
            self.number = number
            milliseconds = at.milliseconds
            self.content = content
        }

        private enum CodingKeys: String, CodingKey {
            case number, content
            case milliseconds = "at"
        }
    }

    enum Content: Equatable, Codable {
        case act(DeviceAct)
        case conditions(Shared<DeviceConditions>, changed: [String])
        /// An input; nil restores the app's own settings.
        case settings(Shared<NotificationSettings>?, app: String)
        case extended(UInt64, Shared<ExtensionRecord>)
        /// A broadcast and its outcome.
        case broadcast(Shared<BroadcastMark>, BroadcastMark.Fate)
        /// The result of an input or of time.
        case effect(DeviceEvent.Kind, notification: UInt64?, app: String?, details: JSONObject)
    }

    private(set) var entries: ContiguousArray<Entry> = []
    /// The newest evicted entry.
    private(set) var lastDropped: UInt64 = 0

    static let capacity = 2000

    init() {}

    init(_ entries: [Entry], lastDropped: UInt64) {
        self.entries = ContiguousArray(entries)
        self.lastDropped = lastDropped
    }

    mutating func append(_ entry: consuming Entry) {
        if entries.count >= Self.capacity {
            // Evicting a quarter at a time keeps appending to a full log cheap.
            let count = Self.capacity / 4
            lastDropped = entries[count - 1].number
            entries.removeFirst(count)
        }
        entries.append(entry)
    }

    /// Evicts a quarter, at least one, if all of it is older: removing each entry by itself would cost more.
    mutating func evict(before instant: Instant) {
        let last = entries.count / 4
        guard last < entries.count, isAged(last, before: instant) else { return }
        lastDropped = entries[last].number
        entries.removeFirst(last + 1)
    }

    /// Whether an entry is older: it arrived no later than those after it, whose dates are earlier if the clock went back.
    private func isAged(_ index: Int, before instant: Instant) -> Bool {
        if entries[index].at < instant { return true }
        // In a long log, looking at every new entry would cost more than the entry.
        guard entries.count < 64 || entries.count.isMultiple(of: 64) else { return false }
        return entries[index...].contains { $0.at < instant }
    }

    func entries(after number: UInt64) -> ArraySlice<Entry> {
        entries[entries.indices.partitionPoint { entries[$0].number <= number }...]
    }
}
