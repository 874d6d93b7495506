import DeviceModel
import JSON
import SiriModel
import TestSupport
import Testing
import Time

/// Random donations, mails, acts and clock advances.
@Suite struct CalendarHistoryTests {
    @Test(
        "one event per item, none suggested once canceled, and a stored calendar continues identically",
        arguments: 0..<40)
    func holds(_ seed: UInt64) throws {
        var generator = SplitMix(state: seed)
        var calendar = Calendar(at: "2026-01-03T00:00:00Z")
        (calendar.place.latitude, calendar.place.longitude) = (35.6, 139.7)
        for _ in 0..<60 {
            try step(&calendar, &generator)
            let keys = calendar.table.items.map { "\($0.source.app ?? "") \($0.reservation.itemReference.key)" }
            #expect(Set(keys).count == keys.count)
            #expect(calendar.table.items.map(\.number) == calendar.table.items.map(\.number).sorted())
            for suggestion in calendar.table.suggestions(calendar.context) {
                let item = try #require(calendar.table.item(suggestion.event))
                #expect(item.state == .inbox || item.state == .added)
                #expect(item.reservation.status == .confirmed)
                #expect(suggestion.from <= calendar.now && calendar.now <= suggestion.to)
            }
            if let due = calendar.table.due(after: calendar.now) { #expect(due > calendar.now) }
        }
        var restored = calendar
        restored.table = try JSONTextDecoder.decode(CalendarTable.self, from: JSONValue(encoding: calendar.table).bytes)
        #expect(restored.table == calendar.table)
        calendar.advance(to: "2026-02-01T00:00:00Z")
        restored.advance(to: "2026-02-01T00:00:00Z")
        #expect(restored.table == calendar.table)
        #expect(restored.effects.requests == calendar.effects.requests)
    }

    private func step(_ calendar: inout Calendar, _ generator: inout SplitMix) throws {
        let statuses = ReservationStatus.allCases.map(\.rawValue) + ["confirmed", "confirmed"]
        let status = statuses.randomElement(using: &generator) ?? "confirmed"
        let booking = (Bookings.all + [Flights.inbound]).randomElement(using: &generator) ?? .null
        let number = Int.random(in: 1...4, using: &generator)
        switch Int.random(in: 0..<10, using: &generator) {
        case 0...4:
            let seat: JSONValue = ["seatNumber": .string("\(number)")]
            var reservation = booking.adding(["reservationStatus": .string(status)])
            if booking["flight"] != nil { reservation = reservation.adding(["reservedSeat": seat]) }
            try calendar.donate([reservation], inForeground: number < 3)
        case 5:
            let text = MarkupTests.flight.replacing("Confirmed", with: number == 1 ? "Cancelled" : "Confirmed")
            calendar.take(ReservationDonation(Markup(Array(text.utf8)).reservations), from: .mail)
        case 6: try? calendar.perform(.add(UInt64(number)))
        case 7: try? calendar.perform(.ignore(UInt64(number)))
        default: calendar.advance(to: calendar.now.advanced(by: Int64(number) * 3_600_000).text)
        }
    }
}
