public import Time

/// `apns-expiration`: how long APNs stores a push for an unreachable device.
public enum Expiration: Hashable, Sendable {
    /// No header: stored for at most 30 days.
    case unspecified
    /// `0`: one attempt, never stored.
    case immediate
    /// Stored until then; a past instant is legal.
    case at(Instant)

    /// - Parameter bytes: Seconds since 1970, UTC, as a whole number without a sign.
    public init?(_ bytes: RawSpan) {
        guard (1...16).contains(bytes.byteCount) else { return nil }
        var seconds: Int64 = 0
        for offset in 0..<bytes.byteCount {
            let digit = bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self) &- 0x30
            guard digit < 10 else { return nil }
            seconds = seconds &* 10 &+ Int64(digit)
        }
        self = seconds == 0 ? .immediate : .at(Instant(milliseconds: min(seconds, .max / 2000) * 1000))
    }

    /// As in the header, in seconds since 1970: 0 for one attempt; nil when it was absent.
    package init(seconds: Int64?) {
        switch seconds {
        case nil: self = .unspecified
        case 0: self = .immediate
        case let seconds?: self = .at(Instant(seconds: Double(seconds)))
        }
    }

    /// As in the header, in seconds since 1970: 0 for one attempt; nil when it was absent.
    package var seconds: Int64? {
        switch self {
        case .unspecified: nil
        case .immediate: 0
        case .at(let instant): instant.milliseconds / 1000
        }
    }

    /// The header's value; empty for `unspecified`.
    var text: String {
        seconds.map { String($0) } ?? ""
    }

    /// Compares with `text`: false for leading zeros or an out-of-range number.
    func isSpelled(_ text: RawSpan) -> Bool {
        guard (1...15).contains(text.byteCount), Expiration(text) == self else { return false }
        return text.byteCount == 1 || text.unsafeLoad(fromByteOffset: 0, as: UInt8.self) != 0x30
    }
}
