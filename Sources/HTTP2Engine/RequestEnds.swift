/// Tracks the streams that a client has ended, by END_STREAM or RST_STREAM.
///
/// DATA and HEADERS on such a stream are an error whenever they arrive (RFC 9113 §5.1). On any other stream they
/// may have crossed our RST_STREAM and are ignored. Nearly all streams end, so only the open ones are stored.
struct RequestEnds {
    enum Verdict: Equatable {
        case admitted
        /// The client reset the stream: a stream error. nghttp2 gets the frame and ignores it.
        case isReset
        /// The client ended the stream: a connection error.
        case isEnded
    }

    /// Twice the open streams of a connection: those that we reset and the client never ends count, too.
    static let capacity = 2000
    /// Resets to remember, to tell them from ended streams.
    private static let rememberedResets = 16

    /// Begun and not ended by the client, ascending.
    private var open: [Int32] = []
    private var highest: Int32 = 0
    /// The oldest open streams were evicted: whether streams up to this one ended is unknown.
    private var forgotten: Int32 = 0
    private var resets: [Int32] = []

    /// Records DATA or HEADERS. Streams that the client cannot have begun are left to nghttp2.
    mutating func record(stream: Int32, isHeaders: Bool, endsStream: Bool) -> Verdict {
        // Client streams are odd (RFC 9113 §5.1.1).
        guard stream & 1 == 1 else { return .admitted }
        if stream > highest {
            if isHeaders { begin(stream, endsStream: endsStream) }
            return .admitted
        }
        if let place = place(of: stream) {
            if endsStream { open.remove(at: place) }
            return .admitted
        }
        if resets.contains(stream) { return .isReset }
        return stream <= forgotten ? .admitted : .isEnded
    }

    mutating func recordReset(stream: Int32) {
        if let place = place(of: stream) { open.remove(at: place) }
        if resets.count == Self.rememberedResets { resets.removeFirst() }
        resets.append(stream)
    }

    private mutating func begin(_ stream: Int32, endsStream: Bool) {
        highest = stream
        guard !endsStream else { return }
        if open.count == Self.capacity { forgotten = open.removeFirst() }
        open.append(stream)
    }

    /// The index in `open`, mostly the last.
    private func place(of stream: Int32) -> Int? {
        if open.last == stream { return open.count - 1 }
        var (low, high) = (0, open.count)
        while low < high {
            let middle = (low + high) / 2
            if open[middle] < stream { low = middle + 1 } else { high = middle }
        }
        return low < open.count && open[low] == stream ? low : nil
    }
}
