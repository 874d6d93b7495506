import APNs
import DeviceModel
import Testing

extension Instant {
    /// Reads a text of a test; a wrong one ends the test.
    static func reading(_ text: String) throws -> Instant { try #require(Instant(text: text), "\(text)") }
}

extension WallTime {
    /// Reads a text of a test; a wrong one ends the test.
    static func reading(_ text: String) throws -> WallTime { try #require(WallTime(text: text), "\(text)") }
}
