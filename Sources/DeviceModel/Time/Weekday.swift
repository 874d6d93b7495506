/// A day of the week.
package enum Weekday: Int, CaseIterable, Sendable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// Of a day counted from 1970-01-01, which was a Thursday.
    init(ofDay day: Int64) {
        let remainder = Int((day + 3) % 7)
        self = Self.allCases[remainder < 0 ? remainder + 7 : remainder]
    }

    package var isWeekend: Bool { self == .saturday || self == .sunday }
}
