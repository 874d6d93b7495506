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
