internal import RequestWire

/// The state of one open stream.
struct StreamSlot {
    /// 0 when the slot is free.
    var stream: Int32 = 0
    /// When the request or its answer began, in milliseconds of the caller's clock.
    var since: Int64 = 0
    /// Only while its body arrives.
    var request: RequestBlock?
    /// The header list is over the limit; its fields were dropped.
    var isOversized = false
    /// `RequestFields.unique` of the request.
    var uniqueNames: UInt32 = 0
    /// The value of `content-length`, and the body bytes received.
    var contentLength: Int?
    var bodyByteCount = 0
    var isDispatched = false
    var isAnswered = false
    /// The client sent END_STREAM.
    var isComplete = false
    /// The answer's HPACK fields until they are sent; copied, so that answers and slots keep their own memory.
    var unsentFields: [UInt8] = []
    var unsentBody: ArraySlice<UInt8> = []
    var frameByteCount = Int.max
    /// DATA frames that may be sent; `nil` for any number.
    var releasedFrames: Int?

    mutating func clear() {
        stream = 0
        request = nil
        isOversized = false
        bodyByteCount = 0
        isDispatched = false
        isAnswered = false
        isComplete = false
        if !unsentFields.isEmpty { unsentFields.removeAll(keepingCapacity: true) }
        if !unsentBody.isEmpty { unsentBody = [] }
        frameByteCount = .max
        releasedFrames = nil
    }
}

/// Stream slots in an array; nghttp2 stores the index as the stream's user data, which is cheaper than a dictionary.
struct StreamSlots {
    /// Includes free slots. Not behind an accessor, which would allocate each time it yields.
    var all: [StreamSlot] = []
    private var free: [Int] = []
    private(set) var count = 0
    /// Slots from this index on release the memory of their fields.
    private static let retainedFieldsCount = 128

    var latest = 0

    var indices: Range<Int> { all.indices }

    func recent(_ stream: Int32) -> Int? { latest < all.count && all[latest].stream == stream ? latest : nil }

    /// Creates the slot in place, because it is large to copy.
    mutating func open(stream: Int32, since: Int64) -> Int {
        count += 1
        let index = free.popLast() ?? all.count
        if index == all.count { all.append(StreamSlot()) }
        all[index].stream = stream
        all[index].since = since
        latest = index
        return index
    }

    mutating func remove(_ index: Int) {
        all[index].clear()
        if index >= Self.retainedFieldsCount { all[index].unsentFields = [] }
        free.append(index)
        count -= 1
    }
}
