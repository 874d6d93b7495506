internal import Wire

/// What the session remembers of one open stream.
struct StreamSlot {
    /// 0 while nothing is here.
    var stream: Int32 = 0
    /// When the request or its answer began, in milliseconds of the caller's clock.
    var since: Int64 = 0
    /// The request while its body arrives; handed on at its end.
    var request: RequestBlock?
    /// The header list is over the limit; its fields were dropped.
    var isOversized = false
    /// `RequestFields.unique` of the request.
    var uniqueNames: UInt32 = 0
    /// The number in `content-length`, and how many bytes of the body have come.
    var contentLength: Int?
    var bodyByteCount = 0
    /// The request went to the caller; an answer is due or has left.
    var isDispatched = false
    /// The answer was submitted.
    var isAnswered = false
    /// The client ended its side.
    var isComplete = false
    /// The answer's header fields, until they leave, as HPACK has them; copied, so that answers and slots keep their own room.
    var unsentFields: [UInt8] = []
    /// The part of the answer's body that is not sent yet.
    var unsentBody: ArraySlice<UInt8> = []
    /// How many bytes of it one DATA frame takes.
    var frameByteCount = Int.max
    /// DATA frames that may leave; `nil` for any number.
    var releasedFrames: Int?

    /// Makes the slot new again, in place.
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

/// Stream slots in an array; nghttp2 keeps the index as the stream's user data, which is cheaper than a dictionary.
struct StreamSlots {
    /// By index, free ones too. Bare, as what an accessor of ours yields to callers costs an allocation each time.
    var all: [StreamSlot] = []
    private var free: [Int] = []
    private(set) var count = 0
    /// So many slots keep the room for an answer's fields.
    private static let keptRoom = 128

    /// The slot that was asked for last.
    var latest = 0

    var indices: Range<Int> { all.indices }

    /// The slot that was asked for last, if it is this stream's.
    func recent(_ stream: Int32) -> Int? { latest < all.count && all[latest].stream == stream ? latest : nil }

    /// Takes a slot for a new stream; made in place, as a slot is large to copy.
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
        if index >= Self.keptRoom { all[index].unsentFields = [] }
        free.append(index)
        count -= 1
    }
}
