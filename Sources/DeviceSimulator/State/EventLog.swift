internal import APNs
internal import DeviceModel
internal import JSON

/// What happened on a device beside the plain course of its pushes, in order.
///
/// The events of a push itself are told by its `InboxEntry`; here is what people, apps and time did, and what followed.
struct EventLog: Equatable {
    struct Entry: Equatable, Codable {
        var number: UInt64
        /// In a snapshot as a number, as it may be any instant.
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
        /// An input: somebody did something.
        case act(DeviceAct)
        /// An input: the device is in another condition; the words are what changed.
        case conditions(Shared<DeviceConditions>, changed: [String])
        /// An input: an app's settings; nil goes back to the app's own.
        case settings(Shared<NotificationSettings>?, app: String)
        /// An input: the service extension is done with a push.
        case extended(UInt64, Shared<ExtensionRecord>)
        /// What followed from an input or from time.
        case effect(DeviceEvent.Kind, notification: UInt64?, app: String?, details: [String: JSONValue])
    }

    private(set) var entries: ContiguousArray<Entry> = []
    /// The number of the newest entry that had to go.
    private(set) var lastDropped: UInt64 = 0

    /// How many entries are kept.
    static let capacity = 2000

    init() {}

    /// Entries that were kept elsewhere, oldest first.
    init(_ entries: [Entry], lastDropped: UInt64) {
        self.entries = ContiguousArray(entries)
        self.lastDropped = lastDropped
    }

    mutating func append(_ entry: Entry) {
        if entries.count >= Self.capacity {
            // A quarter at a time, so that a full diary stays cheap.
            let count = Self.capacity / 4
            lastDropped = entries[count - 1].number
            entries.removeFirst(count)
        }
        entries.append(entry)
    }

    /// The entries after an event, oldest first.
    func entries(after number: UInt64) -> ArraySlice<Entry> {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = low + (high - low) / 2
            if entries[middle].number <= number { low = middle + 1 } else { high = middle }
        }
        return entries[low...]
    }
}
