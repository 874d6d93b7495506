internal import JSON
internal import Time

/// Reads one reservation in schema.org's vocabulary.
struct MarkupReader {
    private let node: MarkupNode
    private let type: ReservationType
    private(set) var notes: [(id: String, detail: String)] = []

    init(_ node: MarkupNode, _ type: ReservationType) { (self.node, self.type) = (node, type) }

    /// The booked object.
    private var subject: MarkupNode { node["reservationFor"] ?? MarkupNode(.null) }

    var reservation: Reservation {
        mutating get {
            var reservation = Reservation(type.kind)
            reservation.reservationNumber = node[text: "reservationId", "reservationNumber"]
            if reservation.reservationNumber == nil { notes.append(("markup.reservationId.missing", "")) }
            reservation.status = status
            reservation.holder = node[text: "underName"]
            reservation.bookingTime = node[text: "bookingTime", "bookingDate"].flatMap { Instant(text: $0) }
            reservation.url = node[text: "url"]
            if let url = reservation.url, !url.hasPrefix("https://") { notes.append(("markup.url.https", url)) }
            reservation.seat = seat
            readDetails(&reservation)
            let number = reservation.reservationNumber ?? type.markup
            let item = EventContent(reservation, locale: "en")
            let words = [number, subject[text: "flightNumber", "trainNumber", "busNumber"]].compactMap(\.self)
            reservation.itemReference = SpokenReference(id: words.joined(separator: "-"), spoken: item.title)
            return reservation
        }
    }

    private var status: ReservationStatus {
        mutating get {
            switch node[text: "reservationStatus"]?.name {
            case "ReservationConfirmed", "Confirmed": return .confirmed
            case "ReservationCancelled", "Cancelled": return .canceled
            case let other:
                notes.append(("markup.status.unknown", other ?? "it is missing"))
                return .unknown
            }
        }
    }

    private var seat: Seat? {
        let ticket = node["reservedTicket"]?["ticketedSeat"]
        guard let number = ticket?[text: "seatNumber"] ?? node[text: "airplaneSeat"] else { return nil }
        var seat = Seat()
        (seat.number, seat.row) = (number, ticket?[text: "seatRow"])
        (seat.section, seat.type) = (ticket?[text: "seatSection"], ticket?[text: "seatingType"])
        return seat
    }

    private mutating func readDetails(_ reservation: inout Reservation) {
        switch type.kind {
        case .flight: reservation.flight = flight()
        case .lodging:
            reservation.duration = range(
                node[text: "checkinTime", "checkinDate", "checkInTime"],
                node[text: "checkoutTime", "checkoutDate", "checkOutTime"])
            reservation.lodgingLocation = place(subject)
            reservation.adults = node[number: "numAdults"].flatMap { Int(exactly: $0) }
            reservation.children = node[number: "numChildren"].flatMap { Int(exactly: $0) }
        case .rentalCar:
            var car = RentalCar()
            car.company = subject[text: "rentalCompany"] ?? node[text: "provider"] ?? ""
            (car.make, car.model) = (subject[text: "brand"], subject[text: "model"])
            car.summary = subject[text: "name"]
            reservation.rentalCar = car
            reservation.rentalDuration = range(node[text: "pickupTime"], node[text: "dropoffTime"])
            reservation.pickupLocation = node["pickupLocation"].flatMap { place($0) }
            reservation.dropOffLocation = node["dropoffLocation"].flatMap { place($0) }
        case .restaurant:
            reservation.duration = range(node[text: "startTime"], node[text: "endTime"])
            reservation.restaurantLocation = place(subject)
            reservation.partySize = node[number: "partySize"].flatMap { Int(exactly: $0) }
        case .ticketedEvent:
            var event = TicketedEvent()
            event.category = subject.type == "ScreeningEvent" || subject.type == "Movie" ? .movie : .unknown
            event.name = subject[text: "name"] ?? ""
            event.eventDuration = range(subject[text: "startDate"], subject[text: "endDate"])
            event.location = subject["location"].flatMap { place($0) }
            reservation.event = event
        case .train: reservation.trainTrip = Trip(details: trip("train", "Station"))
        case .bus: reservation.busTrip = Trip(details: trip("bus", "BusStop"))
        case .boat: reservation.boatTrip = Trip(details: trip("boat", "BoatTerminal"))
        }
    }

    private mutating func flight() -> Flight {
        var flight = Flight()
        flight.flightNumber = subject[text: "flightNumber"] ?? ""
        let airline = subject["airline", "provider", "carrier"]
        (flight.airline.name, flight.airline.iataCode) = (airline?[text: "name"], airline?[text: "iataCode"])
        flight.departure = gate("departure")
        flight.arrival = gate("arrival")
        flight.flightDuration = LocalTimeRange(
            time(subject[text: "departureTime"], in: flight.departure.airport.known?.timeZone),
            time(subject[text: "arrivalTime"], in: flight.arrival.airport.known?.timeZone))
        if let boarding = time(subject[text: "boardingTime"], in: flight.departure.airport.known?.timeZone) {
            flight.boardingTime = LocalTimeRange(boarding, nil)
        }
        return flight
    }

    private func gate(_ end: String) -> AirportGate {
        var gate = AirportGate()
        let airport = subject["\(end)Airport"]
        (gate.airport.name, gate.airport.iataCode) = (airport?[text: "name"], airport?[text: "iataCode"])
        gate.airport.icaoCode = airport?[text: "icaoCode"]
        (gate.terminal, gate.gate) = (subject[text: "\(end)Terminal"], subject[text: "\(end)Gate"])
        return gate
    }

    private mutating func trip(_ vehicle: String, _ stop: String) -> TripDetails {
        var trip = TripDetails()
        trip.provider = subject[text: "provider"]
        (trip.name, trip.number) = (subject[text: "\(vehicle)Name", "name"], subject[text: "\(vehicle)Number"])
        trip.tripDuration = range(subject[text: "departureTime"], subject[text: "arrivalTime"])
        trip.departure = subject["departure\(stop)"].flatMap { place($0) }
        trip.arrival = subject["arrival\(stop)"].flatMap { place($0) }
        trip.departurePlatform = subject[text: "departurePlatform"]
        trip.arrivalPlatform = subject[text: "arrivalPlatform"]
        return trip
    }

    // MARK: Places and times

    private func place(_ node: MarkupNode) -> Placemark? {
        var place = Placemark()
        place.name = node[text: "name"]
        (place.latitude, place.longitude) = (node["geo"]?[number: "latitude"], node["geo"]?[number: "longitude"])
        if let address = node["address"] {
            var postal = PostalAddress()
            postal.street = address[text: "streetAddress"] ?? node[text: "address"]
            (postal.city, postal.state) = (address[text: "addressLocality"], address[text: "addressRegion"])
            (postal.postalCode, postal.country) = (address[text: "postalCode"], address[text: "addressCountry"])
            place.address = postal
        }
        return place == Placemark() ? nil : place
    }

    private mutating func range(_ start: String?, _ end: String?) -> LocalTimeRange {
        LocalTimeRange(time(start), time(end))
    }

    /// - Parameter timeZone: the place's; without it, the offset counts.
    private mutating func time(_ text: String?, in timeZone: String? = nil) -> LocalTime? {
        guard var text else { return nil }
        // Seconds may be missing.
        if let minutes = text.wholeMatch(of: /(.{10}T[0-9]{2}:[0-9]{2})(Z|[+-][0-9]{2}:?[0-9]{2})/) {
            text = "\(minutes.1):00\(minutes.2)"
        }
        if let instant = Instant(text: text) {
            let offset = text.hasSuffix("Z") ? "UTC" : "GMT\(text.suffix(6))"
            return LocalTime(instant, in: timeZone ?? offset)
        }
        guard let wall = Instant(wall: text) ?? Instant(wall: "\(text)T00:00") else {
            notes.append(("markup.time.invalid", text))
            return nil
        }
        notes.append(("markup.time.offset", text))
        var time = LocalTime()
        time.wall = wall
        return time
    }
}
