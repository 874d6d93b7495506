import DeviceModel
import Fields
package import JSON
import LiveModel
import Time

@testable import SiriModel

/// A device's calendar, updated as by the simulator.
struct Calendar {
    var table = CalendarTable()
    var device = DeviceConditions()
    var place = DevicePlace()
    var assumptions = Assumptions()
    var isInstalled = true
    var now: Instant
    /// Of the latest change.
    var effects = DeviceEffects()

    init(at now: String = "2026-01-01T09:00:00Z") { self.now = Instant(text: now) ?? Instant(milliseconds: 0) }

    var context: DeviceContext {
        let isInstalled = isInstalled
        return DeviceContext(
            now: now, device: device, assumptions: assumptions, place: place, isInstalled: { _ in isInstalled }
        ) { bundleID in
            var app = App(bundleID: bundleID)
            app.userActivityTypes = ["INGetReservationDetailsIntent", "com.example.checkin"]
            return (app, NotificationSettings(), false)
        }
    }

    var events: [DeviceEffect] { effects.events.filter { $0.kind == .calendarEvent } }

    var notifications: [LocalNotification] {
        effects.requests.compactMap { if case .present(let notification) = $0 { notification } else { nil } }
    }

    mutating func donate(_ reservations: [JSONValue], inForeground: Bool = true) throws {
        var donation = try ReservationDonation(reservations.map { try Reservation(json: $0) })
        donation.container = SpokenReference(id: "B9C8", spoken: "Paris")
        take(donation, from: .app("com.example.flights"), inForeground: inForeground)
    }

    mutating func take(_ donation: ReservationDonation, from source: ReservationSource, inForeground: Bool = false) {
        effects = DeviceEffects()
        table.take(donation, from: source, isForeground: inForeground, context, &effects)
    }

    mutating func uninstall() {
        isInstalled = false
        table.uninstall("com.example.flights", context)
    }

    mutating func perform(_ input: CalendarInput) throws {
        effects = DeviceEffects()
        try table.reduce(input, context, &effects)
    }

    /// Applies everything due until then.
    mutating func advance(to time: String) {
        guard let end = Instant(text: time) else { return }
        effects = DeviceEffects()
        while let due = table.due(after: now), due <= end {
            now = due
            table.advance(context, &effects)
        }
        now = end
    }

    var suggestions: Set<ReservationSuggestion.Kind> { Set(table.suggestions(context).map(\.kind)) }
}

/// The seed's flight: XX 815 from San Francisco to Paris, with check-in 24 h to 1 h before departure (S4-30).
enum Flights {
    static let outbound = flight(
        "815", ("SFO", "2026-01-05T10:00:00", "America/Los_Angeles"), ("CDG", "2026-01-06T05:50:00", "Europe/Paris"),
        checkIn: ("2026-01-04T10:00:00", "2026-01-05T09:00:00"))
    static let inbound = flight(
        "816", ("CDG", "2026-01-12T13:00:00", "Europe/Paris"), ("SFO", "2026-01-12T15:40:00", "America/Los_Angeles"),
        checkIn: ("2026-01-11T13:00:00", "2026-01-12T12:00:00"))

    static func flight(
        _ number: String, _ from: (code: String, time: String, zone: String),
        _ to: (code: String, time: String, zone: String), checkIn: (String, String)
    ) -> JSONValue {
        [
            "class": "INFlightReservation", "itemReference": reference("B9C8-XX\(number)", "Flight XX \(number)"),
            "reservationNumber": "B9C8", "reservationStatus": "confirmed", "reservationHolderName": "Maria Ruiz",
            "url": "https://flights.example/B9C8", "reservedSeat": .null,
            "flight": [
                "airline": ["name": "Example Air", "iataCode": "XX"], "flightNumber": .string(number),
                "boardingTime": .null,
                "flightDuration": range(time(from.time, from.zone), time(to.time, to.zone)),
                "departureAirportGate": gate(from.code, terminal: "1", gate: "B4"),
                "arrivalAirportGate": gate(to.code, terminal: nil, gate: nil),
            ],
            "actions": [
                [
                    "type": "checkIn",
                    "validDuration": range(time(checkIn.0, from.zone), time(checkIn.1, from.zone)),
                    "userActivity": [
                        "activityType": "com.example.checkin", "title": .string("Check in for Flight XX \(number)"),
                        "userInfo": ["flight": .string(number)], "requiredUserInfoKeys": ["flight"],
                        "webpageURL": "https://flights.example/checkin",
                    ],
                ]
            ],
        ]
    }

    static func reference(_ id: String, _ spoken: String) -> JSONValue {
        ["id": .string(id), "spoken": .string(spoken)]
    }

    static func time(_ local: String, _ zone: String?) -> JSONValue {
        ["local": .string(local), "tz": zone.map { .string($0) }]
    }

    static func range(_ start: JSONValue, _ end: JSONValue?) -> JSONValue { ["start": start, "end": end] }

    private static func gate(_ code: String, terminal: String?, gate: String?) -> JSONValue {
        [
            "airport": ["iataCode": .string(code)], "terminal": terminal.map { .string($0) },
            "gate": gate.map { .string($0) },
        ]
    }
}

/// One reservation of every type.
enum Bookings {
    static let placemark: JSONValue = [
        "name": "Ginza", "latitude": 35.67, "longitude": 139.76,
        "address": ["street": "1-1 Ginza", "city": "Chuo", "country": "Japan"],
    ]

    static func booking(_ kind: String, _ members: JSONValue, end: JSONValue? = nil) -> JSONValue {
        let common: JSONValue = [
            "class": .string(kind), "itemReference": Flights.reference("R1", "Booking"),
            "reservationStatus": "confirmed",
        ]
        return common.adding(members)
    }

    static let evening = Flights.range(Flights.time("2026-01-05T19:00:00", "Asia/Tokyo"), nil)

    static let restaurant = booking(
        "INRestaurantReservation",
        ["reservationDuration": evening, "restaurantLocation": placemark, "partySize": 4])

    static let all: [JSONValue] = [
        Flights.outbound, restaurant,
        booking(
            "INLodgingReservation",
            [
                "reservationDuration": evening, "lodgingBusinessLocation": placemark, "numberOfAdults": 2,
                "numberOfChildren": 1,
            ]),
        booking(
            "INRentalCarReservation",
            [
                "rentalDuration": evening, "pickupLocation": placemark,
                "rentalCar": ["rentalCompanyName": "Wheels", "make": "Yamada", "model": "Neko"],
            ]),
        booking(
            "INTicketedEventReservation",
            [
                "event": ["category": "movie", "name": "Neko", "eventDuration": evening, "location": placemark],
                "reservedSeat": ["seatSection": "A", "seatRow": "12", "seatNumber": "C", "seatingType": "window"],
            ]),
        booking(
            "INTrainReservation",
            [
                "trainTrip": [
                    "trainName": "Nozomi 1", "tripDuration": evening, "departureStationLocation": ["name": "Tokyo"],
                    "arrivalStationLocation": ["name": "Osaka"], "departurePlatform": "14",
                ]
            ]),
        booking(
            "INBusReservation",
            [
                "busTrip": [
                    "busNumber": "7", "tripDuration": evening, "departureBusStopLocation": ["name": "A"],
                    "arrivalBusStopLocation": ["name": "B"],
                ]
            ]),
        booking(
            "INBoatReservation",
            [
                "boatTrip": [
                    "boatName": "Maru", "tripDuration": evening, "departureBoatTerminalLocation": ["name": "A"],
                    "arrivalBoatTerminalLocation": ["name": "B"],
                ]
            ]),
    ]
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByArrayLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int) { self = .integer(value) }
    package init(floatLiteral value: Double) { self = .number(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}
