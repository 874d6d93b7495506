internal import APNs
internal import DeviceModel
internal import JSON

/// What people, apps and time did on a device, and what followed, in order. The events of a push's delivery come from its
/// `InboxEntry`.
struct EventLog: Equatable {
    struct Entry: Equatable, Codable {
        var number: UInt64
        /// A number, as a snapshot must hold any instant.
        var milliseconds: Int64
        var content: Content

        var at: Instant { Instant(milliseconds: milliseconds) }

        init(number: UInt64, at: Instant, content: Content) {
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
        /// An input.
        case act(DeviceAct)
        /// An input, with the names of what changed.
        case conditions(Shared<DeviceConditions>, changed: [String])
        /// An input; nil restores the app's own settings.
        case settings(Shared<NotificationSettings>?, app: String)
        /// An input: the service extension has finished with a push.
        case extended(UInt64, Shared<ExtensionRecord>)
        /// What followed from an input or from time.
        case effect(DeviceEvent.Kind, notification: UInt64?, app: String?, details: JSONObject)
    }

    private(set) var entries: ContiguousArray<Entry> = []
    /// The number of the newest entry that was evicted.
    private(set) var lastDropped: UInt64 = 0

    static let capacity = 2000

    init() {}

    init(_ entries: [Entry], lastDropped: UInt64) {
        self.entries = ContiguousArray(entries)
        self.lastDropped = lastDropped
    }

    mutating func append(_ entry: Entry) {
        if entries.count >= Self.capacity {
            // Evicting a quarter at a time keeps appending to a full log cheap.
            let count = Self.capacity / 4
            lastDropped = entries[count - 1].number
            entries.removeFirst(count)
        }
        entries.append(entry)
    }

    /// The entries after an event, oldest first.
    func entries(after number: UInt64) -> ArraySlice<Entry> {
        entries[entries.indices.partitionPoint { entries[$0].number <= number }...]
    }
}
