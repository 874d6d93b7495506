package import Fields
internal import Foundation

/// Where a device is: its position, and regions that it is in whatever its position, such as a beacon's.
package struct DevicePlace: FieldDescribed, Hashable {
    package var latitude: Double?
    package var longitude: Double?
    package var regions: [String] = []

    package init() {}

    package static let fields: [Field<DevicePlace>] = [
        Field("latitude", \.latitude, .optional(.latitude), "In degrees, north is positive; absent if unknown."),
        Field("longitude", \.longitude, .optional(.longitude), "In degrees, east is positive; absent if unknown."),
        Field(
            "regions", \.regions, .list(.name, count: (0...100, "at most 100")),
            "Regions that it is in besides those around its position, by identifier."),
    ]

    package static let checks: [FieldCheck<DevicePlace>] = [
        FieldCheck(at: "longitude", found: "is missing", remedy: "accepted: latitude and longitude, or neither") {
            $0.latitude != nil && $0.longitude == nil
        },
        FieldCheck(at: "latitude", found: "is missing", remedy: "accepted: latitude and longitude, or neither") {
            $0.latitude == nil && $0.longitude != nil
        },
    ]
}

/// A region that a location trigger watches (`CLCircularRegion`, or `CLBeaconRegion` without a circle).
package struct Region: FieldDescribed, Hashable {
    package var identifier = ""
    package var latitude: Double?
    package var longitude: Double?
    /// In meters.
    package var radius: Double?
    package var notifyOnEntry = true
    package var notifyOnExit = true

    package init() {}

    package static let fields: [Field<Region>] = [
        Field("identifier", \.identifier, .name, "Its name among the app's regions.").required,
        Field("latitude", \.latitude, .optional(.latitude), "Of the center; absent for a beacon."),
        Field("longitude", \.longitude, .optional(.longitude), "Of the center; absent for a beacon."),
        Field("radius", \.radius, .optional(.number(in: 0...1_000_000)), "In meters; absent for a beacon."),
        Field("notifyOnEntry", \.notifyOnEntry, .flag, "Whether it fires when the device enters."),
        Field(
            "notifyOnExit", \.notifyOnExit, .flag,
            "Whether it fires when the device leaves; true by default, as on iOS."),
    ]

    package static let checks: [FieldCheck<Region>] = [
        FieldCheck(
            at: "radius", found: "or the center is incomplete",
            remedy: "accepted: latitude, longitude and radius, or none of them"
        ) { region in ![0, 3].contains([region.latitude, region.longitude, region.radius].count { $0 != nil }) }
    ]
}

extension DevicePlace {
    /// How far a device is outside a region, in meters; 0 at its edge, negative inside, nil when it is elsewhere.
    package func distance(outside region: Region) -> Double? {
        if regions.contains(region.identifier) { return -.infinity }
        guard let latitude, let longitude, let there = region.latitude, let along = region.longitude,
            let radius = region.radius
        else { return nil }
        // The haversine formula on a sphere of the Earth's mean radius.
        let degree = Double.pi / 180
        let north = sin((there - latitude) * degree / 2)
        let east = sin((along - longitude) * degree / 2)
        let chord = north * north + cos(latitude * degree) * cos(there * degree) * east * east
        return 2 * 6_371_009 * asin(min(1, chord.squareRoot())) - radius
    }
}

extension FieldFormat {
    package static var latitude: FieldFormat<Double> { .number(in: -90...90) }
    package static var longitude: FieldFormat<Double> { .number(in: -180...180) }
}
