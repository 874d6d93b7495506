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

open class CNMutablePostalAddress: CNPostalAddress {
    open override var street: String {
        get { super.street }
        set { super.street = newValue }
    }
    open override var subLocality: String {
        get { super.subLocality }
        set { super.subLocality = newValue }
    }
    open override var city: String {
        get { super.city }
        set { super.city = newValue }
    }
    open override var subAdministrativeArea: String {
        get { super.subAdministrativeArea }
        set { super.subAdministrativeArea = newValue }
    }
    open override var state: String {
        get { super.state }
        set { super.state = newValue }
    }
    open override var postalCode: String {
        get { super.postalCode }
        set { super.postalCode = newValue }
    }
    open override var country: String {
        get { super.country }
        set { super.country = newValue }
    }
    open override var isoCountryCode: String {
        get { super.isoCountryCode }
        set { super.isoCountryCode = newValue }
    }
}
