internal import DeviceModel
package import Fields
internal import JSON

/// Where a reservation takes place (`CLPlacemark`).
package struct Placemark: FieldDescribed, Hashable {
    package var name: String?
    package var latitude: Double?
    package var longitude: Double?
    package var address: PostalAddress?

    package init() {}

    package static let fields: [Field<Placemark>] = [
        Field("name", \.name, .optional(.text), "The place's name."),
        Field("latitude", \.latitude, .optional(.latitude), "In degrees; 0 with longitude 0 if unknown."),
        Field("longitude", \.longitude, .optional(.longitude), "In degrees."),
        Field("address", \.address, .optional(.object), "The postal address."),
    ]
}

/// `CNPostalAddress`.
package struct PostalAddress: FieldDescribed, Hashable {
    package var street: String?
    package var city: String?
    package var state: String?
    package var postalCode: String?
    package var country: String?

    package init() {}

    /// On one line.
    var text: String {
        let region = [state, postalCode].compactMap(\.self).joined(separator: " ")
        return [street, city, region, country].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ")
    }

    package static let fields: [Field<PostalAddress>] = [
        Field("street", \.street, .optional(.text), "Street and number."),
        Field("city", \.city, .optional(.text), "City."),
        Field("state", \.state, .optional(.text), "State or prefecture."),
        Field("postalCode", \.postalCode, .optional(.text), "Postal code."),
        Field("country", \.country, .optional(.text), "Country."),
    ]
}

/// The location of a calendar event.
package struct EventPlace: Sendable, Hashable, Codable {
    package var name: String?
    package var address: String?
    /// nil if only the address is known.
    package var latitude: Double?
    package var longitude: Double?

    /// Coordinates of 0, 0 mean that they are unknown (S4-20).
    init?(_ placemark: Placemark?) {
        guard let placemark else { return nil }
        name = placemark.name
        address = placemark.address?.text.ifAny
        guard placemark.latitude != 0 || placemark.longitude != 0 else { return }
        (latitude, longitude) = (placemark.latitude, placemark.longitude)
    }

    init(_ airport: Airport) {
        name = airport.name ?? airport.known?.name ?? airport.iataCode ?? airport.icaoCode
        guard let known = airport.known else { return }
        (latitude, longitude) = (known.latitude, known.longitude)
    }

    /// Name and address on one line.
    package var text: String { [name, address].compactMap(\.self).joined(separator: ", ") }

    /// Meters from a device; nil if either position is unknown.
    func distance(from device: DevicePlace) -> Double? {
        var region = Region()
        (region.latitude, region.longitude, region.radius) = (latitude, longitude, 0)
        return device.distance(outside: region)
    }
}
