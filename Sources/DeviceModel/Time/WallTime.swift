/// A time of day on the device's clock.
package struct WallTime: Sendable, Hashable, Comparable {
    /// 0…23.
    package var hour: Int
    /// 0…59.
    package var minute: Int

    package init(hour: Int, minute: Int) {
        self.hour = hour
        self.minute = minute
    }

    /// Reads `09:30`; nil for anything but a time of day.
    package init?(text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.count == 2 && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        self.init(hour: hour, minute: minute)
    }

    package var text: String { [hour, minute].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":") }

    package static func < (left: Self, right: Self) -> Bool { (left.hour, left.minute) < (right.hour, right.minute) }
}

package enum Weekday: Int, CaseIterable, Sendable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// - Parameter day: Counts from 1970-01-01, a Thursday.
    init(ofDay day: Int64) {
        let remainder = Int((day + 3) % 7)
        self = Self.allCases[(remainder + 7) % 7]
    }

    package var isWeekend: Bool { self == .saturday || self == .sunday }
}
