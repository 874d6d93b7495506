public import Contacts
public import Foundation

public typealias CLLocationDegrees = Double
/// Meters.
public typealias CLLocationDistance = Double

public struct CLLocationCoordinate2D: Sendable {
    public var latitude: CLLocationDegrees
    public var longitude: CLLocationDegrees

    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

open class CLLocation: NSObject {
    public let coordinate: CLLocationCoordinate2D

    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        coordinate = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
    }
}

open class CLRegion: NSObject {
    public let identifier: String
    open var notifyOnEntry = true
    open var notifyOnExit = true

    init(identifier: String) { self.identifier = identifier }
}

open class CLCircularRegion: CLRegion {
    public let center: CLLocationCoordinate2D
    public let radius: CLLocationDistance

    public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
        self.center = center
        self.radius = radius
        super.init(identifier: identifier)
    }
}

/// Only what an app or extension gives a reservation.
open class CLPlacemark: NSObject {
    /// 0, 0 if the app knows only the address.
    public let location: CLLocation?
    public let name: String?
    public let postalAddress: CNPostalAddress?

    public init(location: CLLocation, name: String?, postalAddress: CNPostalAddress?) {
        (self.location, self.name, self.postalAddress) = (location, name, postalAddress)
    }
}
