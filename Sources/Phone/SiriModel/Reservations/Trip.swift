package import Fields

/// `INTrainTrip`, `INBusTrip` or `INBoatTrip`: the same under different names.
package struct Trip<Vehicle: TripVehicle>: Sendable, Hashable {
    package var details = TripDetails()

    package init() {}

    package init(_ details: TripDetails) { self.details = details }
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

    package init() {}
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
