internal import Wire

/// `apns-priority`.
public enum Priority: UInt8, CaseIterable, Codable, Hashable, Sendable {
    /// Delivered at once; the default without a header.
    case immediate = 10
    case powerConserving = 5
    /// Never wakes the device.
    case lowPower = 1

    public init?(_ bytes: RawSpan) {
        if bytes.equals("10") {
            self = .immediate
        } else if bytes.equals("5") {
            self = .powerConserving
        } else if bytes.equals("1") {
            self = .lowPower
        } else {
            return nil
        }
    }
}
