import DeviceModel
import Testing
import Time

extension Instant {
    /// Parses a test's text; an invalid one fails the test.
    static func reading(_ text: String) throws -> Instant { try #require(Instant(text: text), "\(text)") }
}

extension WallTime {
    /// Parses a test's text; an invalid one fails the test.
    static func reading(_ text: String) throws -> WallTime { try #require(WallTime(text: text), "\(text)") }
}
