import Testing
import Time

@testable import DeviceModel

@Suite("H.4 clock changes give the same times as reading the clock every 15 minutes") struct ClockChangeTests {
    /// Zones and a day shortly before a clock change: by half an hour, at midnight, by a whole day, or none.
    static let changes = [
        ("America/New_York", "2026-03-05"), ("America/New_York", "2026-10-29"), ("Europe/Berlin", "2026-03-26"),
        ("Europe/Berlin", "2026-10-22"), ("Australia/Lord_Howe", "2026-04-02"), ("Australia/Lord_Howe", "2026-10-01"),
        ("Africa/Cairo", "2026-04-21"), ("Africa/Cairo", "2026-10-27"), ("Pacific/Apia", "2011-12-28"),
        ("Asia/Tokyo", "2026-03-26"), ("America/Phoenix", "2026-03-05"), ("America/Sao_Paulo", "2018-11-02"),
        ("Asia/Beirut", "2026-10-22"), ("Pacific/Kiritimati", "2026-03-05"), ("Pacific/Pago_Pago", "2026-03-05"),
    ]

    @Test("H.4 a wall time is reached when the clock first shows it or a later time of that day", arguments: changes)
    func first(zone: String, from: String) throws {
        let calendar = try #require(LocalCalendar(timeZone: zone))
        let start = try Instant.reading("\(from)T00:00:00Z")
        let quarters = (0..<(6 * 96)).map { start.advanced(by: .seconds($0 * 900)) }
        let shown = quarters.map { $0.milliseconds / 1000 + calendar.offset(at: $0) }  // as seconds of the local clock
        let firstDay = calendar.day(at: start) + 1
        var reading = 0
        var wrong: [String] = []
        for wall in stride(from: firstDay * 86400, to: (firstDay + 4) * 86400, by: 900) {
            let (day, second) = wall.quotientAndRemainder(dividingBy: 86400)
            let time = WallTime(hour: Int(second / 3600), minute: Int(second / 60 % 60))
            while shown[reading] < wall { reading += 1 }
            if calendar.instant(of: time, onDay: day) != quarters[reading] {
                wrong.append("\(time.text) on day \(day)")
            }
        }
        #expect(wrong.isEmpty)
    }
}
