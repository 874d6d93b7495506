public import CoreLocation
package import ExtensionWire

/// When the device enters or leaves a region.
open class UNLocationNotificationTrigger: UNNotificationTrigger {
    public let region: CLRegion

    public init(region: CLRegion, repeats: Bool) {
        self.region = region
        super.init(repeats: repeats)
    }

    package override var json: WireValue {
        var members: [String: WireValue] = [
            "type": .string("location"), "repeats": .bool(repeats), "identifier": .string(region.identifier),
            "notifyOnEntry": .bool(region.notifyOnEntry), "notifyOnExit": .bool(region.notifyOnExit),
        ]
        if let circle = region as? CLCircularRegion {
            members["latitude"] = .number(circle.center.latitude)
            members["longitude"] = .number(circle.center.longitude)
            members["radius"] = .number(circle.radius)
        }
        return .object(members)
    }
}
