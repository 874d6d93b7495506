internal import DeviceModel
internal import FoundationEssentials

/// The state at one moment as JSON, encoded while it is written: neither its values nor its text are ever complete in
/// memory.
package struct SavedState: Sendable {
    private let image: StoreImage
    private let devices: CollectedDevices

    fileprivate init(_ image: StoreImage, _ devices: CollectedDevices) { (self.image, self.devices) = (image, devices) }

    /// - Parameter write: Gets the text in parts, none of which ends inside a string or number.
    package func write(_ write: ([UInt8]) async throws -> Void) async throws {
        var (contexts, distinct) = (PolicyContextIndex(), [PolicyInputs]())
        image.forEachNotification(of: devices, after: 0) { notification in
            for context in notification.contexts { _ = contexts.place(of: context) { distinct.append($0) } }
            return true
        }
        var text = StateText()
        // Members are in alphabetical order, so its long lists come in this order, too.
        var frame = StateFrame(try text.encoder.encode(image.header.state))
        text.begin(frame.start(of: .circumstances))
        try await text.append(distinct, write)
        text.begin(frame.start(of: .devices))
        let sorted = devices.images.sorted { $0.device.name < $1.device.name }
        try await text.append(sorted.lazy.map(image.snapshot), write)
        text.begin(frame.start(of: .notifications))
        var last: UInt64? = 0
        while let sequence = last {
            last = nil
            try image.forEachNotification(of: devices, after: sequence) { notification in
                try text.append(notification.snapshot { contexts.place(of: $0) { _ in } })
                guard text.isFull else { return true }
                last = notification.item.sequence
                return false
            }
            if last != nil { try await write(text.take()) }
        }
        try await write(text.bytes + frame.rest)
    }
}

/// The text of a state whose long lists are empty, cut where their elements belong.
private struct StateFrame {
    private(set) var rest: ArraySlice<UInt8>
    private var depth = 0

    init(_ text: Data) { rest = Array(text)[...] }

    /// The text up to the first element of a list.
    mutating func start(of list: SimulatorSnapshot.LongList) -> ArraySlice<UInt8> {
        let name = Array("\"\(list.rawValue)\":[".utf8)
        guard let place = member(name) else { preconditionFailure("a state has \(list.rawValue)") }
        defer {
            rest = rest[(place + name.count)...]
            // Inside the list.
            depth = 2
        }
        return rest[..<(place + name.count)]
    }

    /// Where a member of the state begins; parts of it may have members of that name, too.
    private func member(_ name: [UInt8]) -> Int? {
        var (depth, isText) = (depth, false)
        var place = rest.startIndex
        while place < rest.endIndex {
            switch rest[place] {
            case UInt8(ascii: "\\"): place += 1
            case UInt8(ascii: "\""):
                if depth == 1, !isText, rest[place...].starts(with: name) { return place }
                isText.toggle()
            case UInt8(ascii: "{") where !isText, UInt8(ascii: "[") where !isText: depth += 1
            case UInt8(ascii: "}") where !isText, UInt8(ascii: "]") where !isText: depth -= 1
            default: break
            }
            place += 1
        }
        return nil
    }
}

/// A part of the text.
private struct StateText {
    /// A part is a little longer than this, or as long as one device or notification.
    private static let fullByteCount = 64 << 10

    let encoder = JSONEncoder()
    private(set) var bytes: [UInt8] = []
    /// Whether a list's next element is its first.
    private var isFirst = true

    init() { encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes] }

    var isFull: Bool { bytes.count >= Self.fullByteCount }

    /// - Parameter start: The text up to a list's first element.
    mutating func begin(_ start: ArraySlice<UInt8>) {
        bytes += start
        isFirst = true
    }

    mutating func append(
        _ elements: some Sequence<some Encodable>, _ write: ([UInt8]) async throws -> Void
    ) async throws {
        for element in elements {
            try append(element)
            if isFull { try await write(take()) }
        }
    }

    mutating func append(_ element: some Encodable) throws {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        bytes += try encoder.encode(element)
    }

    mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }
}

extension NotificationImage {
    /// In the order in which `snapshot(place:)` numbers them.
    fileprivate var contexts: [PolicyContext] { [item.context] + (extended.map { [$0.context] } ?? []) }
}

extension DeviceSimulator {
    package func saveState() -> SavedState {
        let image = takeImage { _ in }.image
        return SavedState(image, image.collect(store))
    }
}
