import AdminAPI

extension FuzzTarget {
    /// The request of an event stream's reader, and the ring that its position is looked up in.
    static let stream = FuzzTarget("stream") { input in
        guard let input = ControlledInput(input) else { return }
        let text = String(decoding: input.bytes, as: UTF8.self)
        switch input.control % 3 {
        case 0:
            guard let position = FeedPosition(text) else { return }
            precondition(position.description == text, "an id is read that is written otherwise")
        case 1:
            // The query; the header on a second line.
            let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            let header = lines.count > 1 ? String(lines[1]) : nil
            guard let query = StreamQuery.read(String(lines[0]), lastEventID: header) else { return }
            if let header, !header.isEmpty {
                precondition(query.position?.description == header, "the header does not win")
            }
        default: checkRing(input.bytes)
        }
    }

    /// Each byte clears the ring or appends a message, whose content is its number.
    private static func checkRing(_ steps: UnsafeRawBufferPointer) {
        var ring = FeedRing<UInt64>()
        var cleared: UInt64 = 0
        for step in steps {
            let before = ring.last
            if step == 0 {
                ring.clear()
                cleared = ring.last
            } else {
                ring.append(before + 1, byteCount: Int(step) << 14)
                guard case .message(before + 1) = ring.next(after: before) else {
                    preconditionFailure("the newest message is not there")
                }
            }
            precondition(ring.last == before + 1, "a number is missing")
            guard case .upToDate = ring.next(after: ring.last), case .gap = ring.next(after: ring.last + 1) else {
                preconditionFailure("a message is there that never was")
            }
            let place = ring.last * UInt64(step) / 256
            switch ring.next(after: place) {
            case .message(let number): precondition(number == place + 1 && place >= cleared, "the wrong message")
            case .upToDate: preconditionFailure("a message is overlooked")
            case .gap: break
            }
        }
    }
}
