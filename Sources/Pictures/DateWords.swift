internal import DeviceModel

/// The parts of a date, and their English names.
struct DateWords {
    let year: Int
    let month: Int
    let day: Int
    private let weekday: Weekday

    /// - Parameter text: Begins as ISO 8601 does, such as 2026-11-23.
    init?(_ text: String, _ weekday: Weekday) {
        let parts = text.prefix(10).split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, 1...12 ~= parts[1] else { return nil }
        (year, month, day, self.weekday) = (parts[0], parts[1], parts[2], weekday)
    }

    var weekdayName: String { Self.weekdays[weekday.rawValue] }
    var monthName: String { Self.months[month - 1] }

    private static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
}
