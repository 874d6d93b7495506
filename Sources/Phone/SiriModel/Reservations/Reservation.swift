package import DeviceModel
package import Fields
package import Time

/// `INReservation`: a booked flight, stay, ride, table or seat.
package struct Reservation: FieldDescribed, Hashable {
    var statedKind: ReservationKind?
    package var itemReference = SpokenReference()
    package var reservationNumber: String?
    package var bookingTime: Instant?
    package var status = ReservationStatus.unknown
    package var holder: String?
    package var url: String?
    package var actions: [ReservationAction] = []
    package var seat: Seat?
    package var flight: Flight?
    package var duration: LocalTimeRange?
    package var lodgingLocation: Placemark?
    package var adults: Int?
    package var children: Int?
    package var rentalCar: RentalCar?
    package var rentalDuration: LocalTimeRange?
    package var pickupLocation: Placemark?
    package var dropOffLocation: Placemark?
    package var partySize: Int?
    package var restaurantLocation: Placemark?
    package var event: TicketedEvent?
    package var trainTrip: Trip<Train>?
    package var busTrip: Trip<Bus>?
    package var boatTrip: Trip<Boat>?

    package init() {}

    package init(_ kind: ReservationKind) { statedKind = kind }

    package var kind: ReservationKind { statedKind ?? .flight }
    package var type: ReservationType { .of(kind) }

    var trip: TripDetails? { trainTrip?.details ?? busTrip?.details ?? boatTrip?.details }

    package var times: LocalTimeRange { type.times(self) ?? LocalTimeRange() }
    package var place: EventPlace? { type.place(self) }

    package var start: Instant? { times.start?.instant }

    /// As given, else the default of its type (S4-21).
    package var end: Instant? { times.end?.instant ?? start?.advanced(by: type.defaultLength) }

    package static let fields: [Field<Reservation>] = common + own

    private static let common: [Field<Reservation>] = [
        Field("class", \.statedKind, .optional(.word()), "Its type.").required,
        Field("itemReference", \.itemReference, .object, "Its permanent identifier."),
        Field("reservationNumber", \.reservationNumber, .optional(.name), "The booking's number; items may share it."),
        Field("bookingTime", \.bookingTime, .optional(.instant), "When it was booked."),
        Field("reservationStatus", \.status, .word(), "Only confirmed reservations become events."),
        Field("reservationHolderName", \.holder, .optional(.text), "The person it is for."),
        Field("url", \.url, .optional(.text), "A page about it, for devices without the app."),
        Field("URL", \.url, .optional(.text), "The same as url.").readOnly,
        Field(
            "actions", \.actions, .list(.object, count: (0...10, "at most 10")),
            "What the person can do with it in the app."),
    ]

    private static let own: [Field<Reservation>] = [
        Field("reservedSeat", \.seat, .optional(.object), "The seat, if known."),
        Field("flight", \.flight, .optional(.object), "The flight."),
        Field("reservationDuration", \.duration, .optional(.object), "Check-in and check-out, or the time of a table."),
        Field("lodgingBusinessLocation", \.lodgingLocation, .optional(.object), "Where the lodging is."),
        Field("numberOfAdults", \.adults, .optional(.integer(in: 0...1000)), "Adults."),
        Field("numberOfChildren", \.children, .optional(.integer(in: 0...1000)), "Children."),
        Field("rentalCar", \.rentalCar, .optional(.object), "The car."),
        Field("rentalDuration", \.rentalDuration, .optional(.object), "Pick-up and return."),
        Field("pickupLocation", \.pickupLocation, .optional(.object), "Where the car is."),
        Field("dropOffLocation", \.dropOffLocation, .optional(.object), "Where the car is returned."),
        Field("partySize", \.partySize, .optional(.integer(in: 0...1000)), "Guests."),
        Field("restaurantLocation", \.restaurantLocation, .optional(.object), "Where the restaurant is."),
        Field("event", \.event, .optional(.object), "The event."),
        Field("trainTrip", \.trainTrip, .optional(.object), "The trip."),
        Field("busTrip", \.busTrip, .optional(.object), "The trip."),
        Field("boatTrip", \.boatTrip, .optional(.object), "The trip."),
    ]

    package static let checks: [FieldCheck<Reservation>] = [
        FieldCheck(
            at: "itemReference", found: "is missing",
            remedy: "accepted: \(FieldFormat<SpokenReference>.object.accepted)",
            isRequired: true
        ) { $0.itemReference.key.isEmpty },
        FieldCheck { reservation in
            guard reservation.statedKind != nil else { return [] }
            return own.compactMap { field in
                let isPresent = field.write(reservation) != nil
                let place = FieldPath().member(field.name)
                if reservation.type.required.contains(field.name), !isPresent {
                    return FieldProblem(place, "is missing", "accepted: \(field.description.accepted)")
                }
                guard isPresent, !reservation.type.members.contains(field.name) else { return nil }
                let known = reservation.type.members.joined(separator: ", ")
                return FieldProblem(place, "is not a member of \(reservation.kind.rawValue)", "it has \(known)")
            }
        },
    ]
}

/// Apple's subclasses.
package enum ReservationKind: String, CaseIterable, Codable, Sendable {
    case flight = "INFlightReservation"
    case lodging = "INLodgingReservation"
    case rentalCar = "INRentalCarReservation"
    case restaurant = "INRestaurantReservation"
    case ticketedEvent = "INTicketedEventReservation"
    case train = "INTrainReservation"
    case bus = "INBusReservation"
    case boat = "INBoatReservation"
}

/// `INReservationStatus`.
package enum ReservationStatus: String, CaseIterable, Codable, Sendable {
    case unknown, canceled, pending, hold, confirmed
}

/// A donation of reservations: `INGetReservationDetailsIntent` and its response (S4-5).
package struct ReservationDonation: Hashable, Codable, Sendable {
    package static let intentClass = "INGetReservationDetailsIntent"
    /// Of one donation; not a limit of iOS.
    package static let limit = 100

    /// The whole reservation.
    package var container: SpokenReference?
    /// The system fills it when it launches the app (S4-13).
    package var itemReferences: [SpokenReference]?
    package var reservations: [Reservation] = []

    package init(_ reservations: [Reservation] = []) { self.reservations = reservations }

    /// nil for any other intent.
    package init?(_ donation: Donation) throws(FieldError) {
        guard donation.intentClass == Self.intentClass else { return nil }
        let intent = MemberReader(donation.intent, at: FieldPath().member("intent"))
        container = intent.value("reservationContainerReference", .object)
        itemReferences = intent.value("reservationItemReferences", .list(.object))
        try intent.finish()
        guard let response = donation.response else { return }
        let reader = MemberReader(response, at: FieldPath().member("response"))
        let format = FieldFormat<[Reservation]>.list(.object, count: (0...Self.limit, "at most \(Self.limit)"))
        reservations = reader.value("reservations", format) ?? []
        try reader.finish()
    }
}
