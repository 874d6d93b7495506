public import CoreLocation
public import Foundation

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
