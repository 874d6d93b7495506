/// Which streams a client has ended itself, by END_STREAM or RST_STREAM, as its own frames show.
///
/// DATA and HEADERS on such a stream are the client's own mistake, whenever they come (RFC 9113 §5.1). On a stream that it has
/// *not* ended they are none, whatever became of the stream here: they may have crossed a RST_STREAM of ours, and are ignored.
/// Streams that have ended, which are nearly all, leave nothing behind; only the others are remembered.
struct RequestEnds {
    enum Verdict: Equatable {
        case admitted
        /// The client has reset the stream: an error of the stream. nghttp2 gets the frame, and ignores it.
        case isReset
        /// The client has ended the stream: an error of the connection.
        case isEnded
    }

    /// Twice as many as a connection may have open: those that we reset and the client never ends stay, too.
    static let capacity = 2000
    /// So many of the streams that the client reset are told from ended ones.
    private static let keptResets = 16

    /// Streams that the client began and did not end, ascending.
    private var open: [Int32] = []
    private var highest: Int32 = 0
    /// Of streams up to this one it is not known any more whether they ended: the oldest had to make room.
    private var forgotten: Int32 = 0
    /// Streams that the client reset last.
    private var resets: [Int32] = []

    /// Takes note of DATA or HEADERS. Streams that the client cannot have begun are left to nghttp2.
    mutating func note(stream: Int32, isHeaders: Bool, endsStream: Bool) -> Verdict {
        // The client's streams are odd (RFC 9113 §5.1.1).
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

    /// The client resets a stream.
    mutating func noteReset(stream: Int32) {
        if let place = place(of: stream) { open.remove(at: place) }
        if resets.count == Self.keptResets { resets.removeFirst() }
        resets.append(stream)
    }

    private mutating func begin(_ stream: Int32, endsStream: Bool) {
        highest = stream
        guard !endsStream else { return }
        if open.count == Self.capacity { forgotten = open.removeFirst() }
        open.append(stream)
    }

    /// Where a stream stands among the open ones; mostly it is the last.
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
