internal import DeviceModel
internal import Time

/// The properties of each type of reservation (D.3, G.3, G.8), one row each.
package struct ReservationType: Sendable {
    package let kind: ReservationKind
    /// schema.org's type.
    package let markup: String
    /// Besides those that all have. Apple's initializers require the first ones.
    package let members: [String]
    private let requiredCount: Int
    /// When an event without an end is over, in milliseconds after its start.
    let defaultLength: Int64
    let times: @Sendable (Reservation) -> LocalTimeRange?
    let place: @Sendable (Reservation) -> EventPlace?
    /// In front of the title (S4-19).
    let label: @Sendable (Reservation) -> (english: String, japanese: String)
    /// The rest of the title.
    let title: @Sendable (Reservation, SystemLanguage) -> [String?]

    package var required: [String] { Array(members.prefix(requiredCount)) }

    package static func of(_ kind: ReservationKind) -> ReservationType {
        guard let type = all.first(where: { $0.kind == kind }) else { preconditionFailure("\(kind) has no row") }
        return type
    }

    package static let all: [ReservationType] = [
        ReservationType(
            kind: .flight, markup: "FlightReservation", members: ["flight", "reservedSeat"], requiredCount: 1,
            defaultLength: 2 * .hour, times: { $0.flight?.flightDuration },
            place: { ($0.flight?.departure.airport).map { EventPlace($0) } },
            label: { _ in ("Flight", "フライト") },
            title: { reservation, _ in
                let flight = reservation.flight
                let codes = [flight?.departure.airport.code, flight?.arrival.airport.code].compactMap(\.self)
                return [flight?.designator, codes.joined(separator: "–")]
            }),
        ReservationType(
            kind: .lodging, markup: "LodgingReservation",
            members: ["lodgingBusinessLocation", "reservationDuration", "numberOfAdults", "numberOfChildren"],
            requiredCount: 2, defaultLength: 24 * .hour, times: \.duration, place: { EventPlace($0.lodgingLocation) },
            label: { _ in ("Stay", "宿泊") }, title: { reservation, _ in [reservation.lodgingLocation?.name] }),
        ReservationType(
            kind: .rentalCar, markup: "RentalCarReservation",
            members: ["rentalCar", "rentalDuration", "pickupLocation", "dropOffLocation"], requiredCount: 2,
            defaultLength: 24 * .hour, times: \.rentalDuration, place: { EventPlace($0.pickupLocation) },
            label: { _ in ("Car rental", "レンタカー") }, title: { reservation, _ in [reservation.rentalCar?.company] }),
        ReservationType(
            kind: .restaurant, markup: "FoodEstablishmentReservation",
            members: ["reservationDuration", "restaurantLocation", "partySize"], requiredCount: 2,
            defaultLength: 2 * .hour, times: \.duration, place: { EventPlace($0.restaurantLocation) },
            label: { _ in ("Reservation", "予約") },
            title: { reservation, _ in [reservation.restaurantLocation?.name] }),
        ReservationType(
            kind: .ticketedEvent, markup: "EventReservation", members: ["event", "reservedSeat"], requiredCount: 1,
            defaultLength: 2 * .hour, times: { $0.event?.eventDuration }, place: { EventPlace($0.event?.location) },
            label: { $0.event?.category == .movie ? ("Movie", "映画") : ("Event", "イベント") },
            title: { reservation, _ in [reservation.event?.name] }),
        trip(.train, "TrainReservation", "trainTrip", ("Train", "列車")),
        trip(.bus, "BusReservation", "busTrip", ("Bus", "バス")),
        trip(.boat, "BoatReservation", "boatTrip", ("Boat", "船")),
    ]

    private static func trip(
        _ kind: ReservationKind, _ markup: String, _ member: String, _ label: (String, String)
    ) -> ReservationType {
        ReservationType(
            kind: kind, markup: markup, members: [member, "reservedSeat"], requiredCount: 1, defaultLength: 2 * .hour,
            times: { $0.trip?.tripDuration }, place: { EventPlace($0.trip?.departure) }, label: { _ in label },
            title: { reservation, language in
                let trip = reservation.trip
                let words = language == .japanese ? ("から", "まで") : (" to ", "")
                let ends = [trip?.departure?.name, trip?.arrival?.name].compactMap(\.self)
                return [
                    trip?.name ?? trip?.number, ends.count < 2 ? ends.first : ends[0] + words.0 + ends[1] + words.1,
                ]
            })
    }
}
