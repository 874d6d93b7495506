public import Foundation

/// The rest of Contacts is not available here.
open class CNPostalAddress: NSObject, NSCopying, NSMutableCopying {
    open internal(set) var street = ""
    open internal(set) var subLocality = ""
    open internal(set) var city = ""
    open internal(set) var subAdministrativeArea = ""
    open internal(set) var state = ""
    open internal(set) var postalCode = ""
    open internal(set) var country = ""
    open internal(set) var isoCountryCode = ""

    public override init() {}

    fileprivate func filled(from other: CNPostalAddress) -> Self {
        (street, subLocality, city, state) = (other.street, other.subLocality, other.city, other.state)
        (subAdministrativeArea, postalCode) = (other.subAdministrativeArea, other.postalCode)
        (country, isoCountryCode) = (other.country, other.isoCountryCode)
        return self
    }

    open func copy(with zone: NSZone? = nil) -> Any { CNPostalAddress().filled(from: self) }
    open func mutableCopy(with zone: NSZone? = nil) -> Any { CNMutablePostalAddress().filled(from: self) }
}

/// Overrides each property to make its setter public; an empty observer is the shortest way.
open class CNMutablePostalAddress: CNPostalAddress {
    open override var street: String { didSet {} }
    open override var subLocality: String { didSet {} }
    open override var city: String { didSet {} }
    open override var subAdministrativeArea: String { didSet {} }
    open override var state: String { didSet {} }
    open override var postalCode: String { didSet {} }
    open override var country: String { didSet {} }
    open override var isoCountryCode: String { didSet {} }
}
