public import CoreLocation
public import Foundation

open class INLodgingReservation: INReservation {
    public let lodgingBusinessLocation: CLPlacemark
    public let reservationDuration: INDateComponentsRange
    public let numberOfAdults: Int?
    public let numberOfChildren: Int?

    public init(
        itemReference: INSpeakableString, reservationNumber: String? = nil, bookingTime: Date? = nil,
        reservationStatus: INReservationStatus, reservationHolderName: String? = nil,
        actions: [INReservationAction]? = nil, url: URL? = nil, lodgingBusinessLocation: CLPlacemark,
        reservationDuration: INDateComponentsRange, numberOfAdults: Int? = nil, numberOfChildren: Int? = nil
    ) {
        (self.lodgingBusinessLocation, self.reservationDuration) = (lodgingBusinessLocation, reservationDuration)
        (self.numberOfAdults, self.numberOfChildren) = (numberOfAdults, numberOfChildren)
        super.init(
            itemReference, reservationNumber, bookingTime, reservationStatus, reservationHolderName, actions, url)
    }
}

open class INRestaurantReservation: INReservation {
    public let reservationDuration: INDateComponentsRange
    public let partySize: Int?
    public let restaurantLocation: CLPlacemark

    public init(
        itemReference: INSpeakableString, reservationNumber: String? = nil, bookingTime: Date? = nil,
        reservationStatus: INReservationStatus, reservationHolderName: String? = nil,
        actions: [INReservationAction]? = nil, url: URL? = nil, reservationDuration: INDateComponentsRange,
        partySize: Int? = nil, restaurantLocation: CLPlacemark
    ) {
        (self.reservationDuration, self.partySize) = (reservationDuration, partySize)
        self.restaurantLocation = restaurantLocation
        super.init(
            itemReference, reservationNumber, bookingTime, reservationStatus, reservationHolderName, actions, url)
    }
}

open class INRentalCar: NSObject, StoredAsJSON {
    public let rentalCompanyName: String
    public let type: String?
    public let make: String?
    public let model: String?
    public let rentalCarDescription: String?

    public init(
        rentalCompanyName: String, type: String?, make: String?, model: String?, rentalCarDescription: String?
    ) {
        (self.rentalCompanyName, self.type, self.make, self.model) = (rentalCompanyName, type, make, model)
        self.rentalCarDescription = rentalCarDescription
    }
}

open class INRentalCarReservation: INReservation {
    public let rentalCar: INRentalCar
    public let rentalDuration: INDateComponentsRange
    public let pickupLocation: CLPlacemark?
    public let dropOffLocation: CLPlacemark?

    public init(
        itemReference: INSpeakableString, reservationNumber: String? = nil, bookingTime: Date? = nil,
        reservationStatus: INReservationStatus, reservationHolderName: String? = nil,
        actions: [INReservationAction]? = nil, url: URL? = nil, rentalCar: INRentalCar,
        rentalDuration: INDateComponentsRange, pickupLocation: CLPlacemark? = nil, dropOffLocation: CLPlacemark? = nil
    ) {
        (self.rentalCar, self.rentalDuration, self.pickupLocation) = (rentalCar, rentalDuration, pickupLocation)
        self.dropOffLocation = dropOffLocation
        super.init(
            itemReference, reservationNumber, bookingTime, reservationStatus, reservationHolderName, actions, url)
    }
}

public enum INTicketedEventCategory: Int, Sendable, CaseIterable { case unknown, movie }

open class INTicketedEvent: NSObject, StoredAsJSON {
    public let category: INTicketedEventCategory
    public let name: String
    public let eventDuration: INDateComponentsRange
    public let location: CLPlacemark?

    public init(
        category: INTicketedEventCategory, name: String, eventDuration: INDateComponentsRange, location: CLPlacemark?
    ) {
        (self.category, self.name, self.eventDuration, self.location) = (category, name, eventDuration, location)
    }
}

open class INTicketedEventReservation: INReservation {
    public let reservedSeat: INSeat?
    public let event: INTicketedEvent

    public init(
        itemReference: INSpeakableString, reservationNumber: String? = nil, bookingTime: Date? = nil,
        reservationStatus: INReservationStatus, reservationHolderName: String? = nil,
        actions: [INReservationAction]? = nil, url: URL? = nil, reservedSeat: INSeat? = nil, event: INTicketedEvent
    ) {
        (self.reservedSeat, self.event) = (reservedSeat, event)
        super.init(
            itemReference, reservationNumber, bookingTime, reservationStatus, reservationHolderName, actions, url)
    }
}

open class INTrainTrip: NSObject, StoredAsJSON {
    public let provider: String?
    public let trainName: String?
    public let trainNumber: String?
    public let tripDuration: INDateComponentsRange
    public let departureStationLocation: CLPlacemark
    public let departurePlatform: String?
    public let arrivalStationLocation: CLPlacemark
    public let arrivalPlatform: String?

    public init(
        provider: String?, trainName: String?, trainNumber: String?, tripDuration: INDateComponentsRange,
        departureStationLocation: CLPlacemark, departurePlatform: String?, arrivalStationLocation: CLPlacemark,
        arrivalPlatform: String?
    ) {
        (self.provider, self.trainName, self.trainNumber) = (provider, trainName, trainNumber)
        (self.tripDuration, self.departureStationLocation) = (tripDuration, departureStationLocation)
        (self.departurePlatform, self.arrivalStationLocation) = (departurePlatform, arrivalStationLocation)
        self.arrivalPlatform = arrivalPlatform
    }
}

open class INTrainReservation: INReservation {
    public let reservedSeat: INSeat?
    public let trainTrip: INTrainTrip

    public init(
        itemReference: INSpeakableString, reservationNumber: String? = nil, bookingTime: Date? = nil,
        reservationStatus: INReservationStatus, reservationHolderName: String? = nil,
        actions: [INReservationAction]? = nil, url: URL? = nil, reservedSeat: INSeat? = nil, trainTrip: INTrainTrip
    ) {
        (self.reservedSeat, self.trainTrip) = (reservedSeat, trainTrip)
        super.init(
            itemReference, reservationNumber, bookingTime, reservationStatus, reservationHolderName, actions, url)
    }
}

open class INBusTrip: NSObject, StoredAsJSON {
    public let provider: String?
    public let busName: String?
    public let busNumber: String?
    public let tripDuration: INDateComponentsRange
    public let departureBusStopLocation: CLPlacemark
    public let departurePlatform: String?
    public let arrivalBusStopLocation: CLPlacemark
    public let arrivalPlatform: String?

    public init(
        provider: String?, busName: String?, busNumber: String?, tripDuration: INDateComponentsRange,
        departureBusStopLocation: CLPlacemark, departurePlatform: String?, arrivalBusStopLocation: CLPlacemark,
        arrivalPlatform: String?
    ) {
        (self.provider, self.busName, self.busNumber) = (provider, busName, busNumber)
        (self.tripDuration, self.departureBusStopLocation) = (tripDuration, departureBusStopLocation)
        (self.departurePlatform, self.arrivalBusStopLocation) = (departurePlatform, arrivalBusStopLocation)
        self.arrivalPlatform = arrivalPlatform
    }
}

open class INBusReservation: INReservation {
    public let reservedSeat: INSeat?
    public let busTrip: INBusTrip

    public init(
        itemReference: INSpeakableString, reservationNumber: String? = nil, bookingTime: Date? = nil,
        reservationStatus: INReservationStatus, reservationHolderName: String? = nil,
        actions: [INReservationAction]? = nil, url: URL? = nil, reservedSeat: INSeat? = nil, busTrip: INBusTrip
    ) {
        (self.reservedSeat, self.busTrip) = (reservedSeat, busTrip)
        super.init(
            itemReference, reservationNumber, bookingTime, reservationStatus, reservationHolderName, actions, url)
    }
}

open class INBoatTrip: NSObject, StoredAsJSON {
    public let provider: String?
    public let boatName: String?
    public let boatNumber: String?
    public let tripDuration: INDateComponentsRange
    public let departureBoatTerminalLocation: CLPlacemark
    public let arrivalBoatTerminalLocation: CLPlacemark

    public init(
        provider: String?, boatName: String?, boatNumber: String?, tripDuration: INDateComponentsRange,
        departureBoatTerminalLocation: CLPlacemark, arrivalBoatTerminalLocation: CLPlacemark
    ) {
        (self.provider, self.boatName, self.boatNumber) = (provider, boatName, boatNumber)
        (self.tripDuration, self.departureBoatTerminalLocation) = (tripDuration, departureBoatTerminalLocation)
        self.arrivalBoatTerminalLocation = arrivalBoatTerminalLocation
    }
}

open class INBoatReservation: INReservation {
    public let reservedSeat: INSeat?
    public let boatTrip: INBoatTrip

    public init(
        itemReference: INSpeakableString, reservationNumber: String? = nil, bookingTime: Date? = nil,
        reservationStatus: INReservationStatus, reservationHolderName: String? = nil,
        actions: [INReservationAction]? = nil, url: URL? = nil, reservedSeat: INSeat? = nil, boatTrip: INBoatTrip
    ) {
        (self.reservedSeat, self.boatTrip) = (reservedSeat, boatTrip)
        super.init(
            itemReference, reservationNumber, bookingTime, reservationStatus, reservationHolderName, actions, url)
    }
}

open class INAirline: NSObject, StoredAsJSON {
    public let name: String?
    public let iataCode: String?
    public let icaoCode: String?

    public init(name: String?, iataCode: String?, icaoCode: String?) {
        (self.name, self.iataCode, self.icaoCode) = (name, iataCode, icaoCode)
    }
}

open class INAirport: NSObject, StoredAsJSON {
    public let name: String?
    public let iataCode: String?
    public let icaoCode: String?

    public init(name: String?, iataCode: String?, icaoCode: String?) {
        (self.name, self.iataCode, self.icaoCode) = (name, iataCode, icaoCode)
    }
}

open class INAirportGate: NSObject, StoredAsJSON {
    public let airport: INAirport
    public let terminal: String?
    public let gate: String?

    public init(airport: INAirport, terminal: String?, gate: String?) {
        (self.airport, self.terminal, self.gate) = (airport, terminal, gate)
    }
}

open class INFlight: NSObject, StoredAsJSON {
    public let airline: INAirline
    public let flightNumber: String
    public let boardingTime: INDateComponentsRange?
    public let flightDuration: INDateComponentsRange
    public let departureAirportGate: INAirportGate
    public let arrivalAirportGate: INAirportGate

    public init(
        airline: INAirline, flightNumber: String, boardingTime: INDateComponentsRange?,
        flightDuration: INDateComponentsRange, departureAirportGate: INAirportGate, arrivalAirportGate: INAirportGate
    ) {
        (self.airline, self.flightNumber, self.boardingTime) = (airline, flightNumber, boardingTime)
        (self.flightDuration, self.departureAirportGate) = (flightDuration, departureAirportGate)
        self.arrivalAirportGate = arrivalAirportGate
    }
}

open class INFlightReservation: INReservation {
    public let reservedSeat: INSeat?
    public let flight: INFlight

    public init(
        itemReference: INSpeakableString, reservationNumber: String? = nil, bookingTime: Date? = nil,
        reservationStatus: INReservationStatus, reservationHolderName: String? = nil,
        actions: [INReservationAction]? = nil, url: URL? = nil, reservedSeat: INSeat? = nil, flight: INFlight
    ) {
        (self.reservedSeat, self.flight) = (reservedSeat, flight)
        super.init(
            itemReference, reservationNumber, bookingTime, reservationStatus, reservationHolderName, actions, url)
    }
}
