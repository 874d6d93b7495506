package import Fields
package import JSON

/// `INSpeakableString`.
package struct SpokenReference: FieldDescribed, Hashable {
    /// `vocabularyIdentifier`.
    package var id: String?
    package var spoken = ""
    package var hint: String?

    package init() {}

    package init(id: String, spoken: String) { (self.id, self.spoken) = (id, spoken) }

    /// What identifies it: the phrase if there is no identifier.
    package var key: String { id ?? spoken }

    package static let fields: [Field<SpokenReference>] = [
        Field("id", \.id, .optional(.name), "vocabularyIdentifier: its permanent identifier."),
        Field("spoken", \.spoken, .name, "spokenPhrase: what people see.").required,
        Field("hint", \.hint, .optional(.text), "pronunciationHint."),
    ]
}

/// `INSeat`.
package struct Seat: FieldDescribed, Hashable {
    package var section: String?
    package var row: String?
    package var number: String?
    package var type: String?

    package init() {}

    /// `A, 12C (window)`.
    var text: String? {
        let place = [section, [row, number].compactMap(\.self).joined()].compactMap(\.self).filter { !$0.isEmpty }
        let words = [place.joined(separator: ", "), type.map { "(\($0))" } ?? ""].filter { !$0.isEmpty }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    package static let fields: [Field<Seat>] = [
        Field("seatSection", \.section, .optional(.text), "The section."),
        Field("seatRow", \.row, .optional(.text), "The row."),
        Field("seatNumber", \.number, .optional(.text), "The seat in the row."),
        Field("seatingType", \.type, .optional(.text), "Such as window."),
    ]
}

/// `INAirline`.
package struct Airline: FieldDescribed, Hashable {
    package var name: String?
    package var iataCode: String?
    package var icaoCode: String?

    package init() {}

    package static let fields: [Field<Airline>] = [
        Field("name", \.name, .optional(.text), "The name."),
        Field("iataCode", \.iataCode, .optional(.name), "Two characters."),
        Field("icaoCode", \.icaoCode, .optional(.name), "Three letters."),
        Field("iata", \.iataCode, .optional(.name), "The same as iataCode.").readOnly,
        Field("icao", \.icaoCode, .optional(.name), "The same as icaoCode.").readOnly,
    ]
}

/// `INAirport`.
package struct Airport: FieldDescribed, Hashable {
    package var name: String?
    package var iataCode: String?
    package var icaoCode: String?

    package init() {}

    var code: String? { iataCode ?? icaoCode }
    /// nil for a code that the table does not have.
    package var known: KnownAirport? {
        [iataCode, icaoCode].lazy.compactMap { $0.flatMap(AirportTable.airport) }.first
    }

    package static let fields: [Field<Airport>] = [
        Field("name", \.name, .optional(.text), "The name."),
        Field("iataCode", \.iataCode, .optional(.name), "Three letters."),
        Field("icaoCode", \.icaoCode, .optional(.name), "Four letters."),
        Field("iata", \.iataCode, .optional(.name), "The same as iataCode.").readOnly,
        Field("icao", \.icaoCode, .optional(.name), "The same as icaoCode.").readOnly,
    ]
}

/// `INAirportGate`.
package struct AirportGate: FieldDescribed, Hashable {
    package var airport = Airport()
    package var terminal: String?
    package var gate: String?

    package init() {}

    package static let fields: [Field<AirportGate>] = [
        Field("airport", \.airport, .object, "The airport."),
        Field("terminal", \.terminal, .optional(.text), "The terminal, if known."),
        Field("gate", \.gate, .optional(.text), "The gate, if known."),
    ]
}

/// `INFlight`.
package struct Flight: FieldDescribed, Hashable {
    package var airline = Airline()
    package var flightNumber = ""
    package var boardingTime: LocalTimeRange?
    package var flightDuration = LocalTimeRange()
    package var departure = AirportGate()
    package var arrival = AirportGate()

    package init() {}

    /// `XX815`.
    var designator: String { (airline.iataCode ?? airline.icaoCode ?? "") + flightNumber }

    package static let fields: [Field<Flight>] = [
        Field("airline", \.airline, .object, "The airline."),
        Field("flightNumber", \.flightNumber, .name, "The number without the airline's code.").required,
        Field("boardingTime", \.boardingTime, .optional(.object), "When boarding starts, if known."),
        Field("flightDuration", \.flightDuration, .object, "The scheduled departure and arrival."),
        Field("departureAirportGate", \.departure, .object, "Where it starts."),
        Field("arrivalAirportGate", \.arrival, .object, "Where it lands."),
    ]
}

/// `INRentalCar`.
package struct RentalCar: FieldDescribed, Hashable {
    package var company = ""
    package var type: String?
    package var make: String?
    package var model: String?
    package var summary: String?

    package init() {}

    var text: String? {
        let words = [make, model, type].compactMap(\.self).joined(separator: " ")
        return summary ?? (words.isEmpty ? nil : words)
    }

    package static let fields: [Field<RentalCar>] = [
        Field("rentalCompanyName", \.company, .name, "The company.").required,
        Field("type", \.type, .optional(.text), "Such as compact."),
        Field("make", \.make, .optional(.text), "The manufacturer."),
        Field("model", \.model, .optional(.text), "The model."),
        Field("rentalCarDescription", \.summary, .optional(.text), "A description."),
    ]
}

/// `INTicketedEvent`.
package struct TicketedEvent: FieldDescribed, Hashable {
    package enum Category: String, CaseIterable, Sendable { case unknown, movie }

    package var category = Category.unknown
    package var name = ""
    package var eventDuration = LocalTimeRange()
    package var location: Placemark?

    package init() {}

    package static let fields: [Field<TicketedEvent>] = [
        Field("category", \.category, .word(), "The category."),
        Field("name", \.name, .name, "The name.").required,
        Field("eventDuration", \.eventDuration, .object, "When it takes place."),
        Field("location", \.location, .optional(.object), "Where it takes place."),
    ]
}

/// `NSUserActivity`, as an action continues it in the app.
package struct ReservationActivity: FieldDescribed, Hashable {
    package var activityType = ""
    package var title: String?
    package var userInfo = JSONValue.object([:])
    package var requiredUserInfoKeys: [String] = []
    package var webpageURL: String?
    package var persistentIdentifier: String?
    package var suggestedInvocationPhrase: String?

    package init() {}

    package static let fields: [Field<ReservationActivity>] = [
        Field("activityType", \.activityType, .name, "The type; the Info.plist's NSUserActivityTypes lists it.")
            .required,
        Field("title", \.title, .optional(.text), "What the suggestion says."),
        Field("userInfo", \.userInfo, .anyObject, "What the app needs to continue."),
        Field(
            "requiredUserInfoKeys", \.requiredUserInfoKeys, .list(.name), "The members of userInfo that are required."),
        Field("webpageURL", \.webpageURL, .optional(.text), "What a device without the app opens."),
        Field("persistentIdentifier", \.persistentIdentifier, .optional(.text), "Identifies it for deletion."),
        Field("suggestedInvocationPhrase", \.suggestedInvocationPhrase, .optional(.text), "A phrase for Siri."),
    ]
}

/// `INReservationAction`.
package struct ReservationAction: FieldDescribed, Hashable {
    package enum Kind: String, CaseIterable, Sendable { case unknown, checkIn }

    package var type = Kind.unknown
    package var validDuration = LocalTimeRange()
    package var userActivity = ReservationActivity()

    package init() {}

    package static let fields: [Field<ReservationAction>] = [
        Field("type", \.type, .word(), "What it does."),
        Field("validDuration", \.validDuration, .object, "When it is possible, both ends included."),
        Field("userActivity", \.userActivity, .object, "What the app continues."),
    ]
}

/// `INTrainTrip`, `INBusTrip` or `INBoatTrip`: the same under different names.
package struct Trip<Vehicle: TripVehicle>: Sendable, Hashable {
    package var details: TripDetails
}

package struct TripDetails: Sendable, Hashable, Codable {
    package var provider: String?
    package var name: String?
    package var number: String?
    package var tripDuration = LocalTimeRange()
    package var departure: Placemark?
    package var departurePlatform: String?
    package var arrival: Placemark?
    package var arrivalPlatform: String?
}

/// The prefix of Apple's member names.
package protocol TripVehicle: Sendable, Hashable {
    static var name: String { get }
    static var stop: String { get }
    static var hasPlatforms: Bool { get }
}

package enum Train: TripVehicle {
    package static let (name, stop, hasPlatforms) = ("train", "StationLocation", true)
}

package enum Bus: TripVehicle {
    package static let (name, stop, hasPlatforms) = ("bus", "BusStopLocation", true)
}

package enum Boat: TripVehicle {
    package static let (name, stop, hasPlatforms) = ("boat", "BoatTerminalLocation", false)
}

extension Trip: FieldDescribed {
    package init() { self.init(details: TripDetails()) }

    package static var fields: [Field<Trip>] {
        let platforms: [Field<Trip>] = [
            Field("departurePlatform", \.details.departurePlatform, .optional(.text), "Where it departs, if known."),
            Field("arrivalPlatform", \.details.arrivalPlatform, .optional(.text), "Where it arrives, if known."),
        ]
        return [
            Field("provider", \.details.provider, .optional(.text), "The company."),
            Field("\(Vehicle.name)Name", \.details.name, .optional(.text), "The name."),
            Field("\(Vehicle.name)Number", \.details.number, .optional(.text), "The number."),
            Field("tripDuration", \.details.tripDuration, .object, "Departure and arrival."),
            Field("departure\(Vehicle.stop)", \.details.departure, .optional(.object), "Where it starts."),
            Field("arrival\(Vehicle.stop)", \.details.arrival, .optional(.object), "Where it ends."),
        ] + (Vehicle.hasPlatforms ? platforms : [])
    }
}
