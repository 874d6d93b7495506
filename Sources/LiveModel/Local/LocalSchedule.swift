package import APNs
package import DeviceModel

package struct LocalSchedule: Equatable, Codable, Sendable {
    package init() {}

    package var isEmpty: Bool { true }

    package func due(after now: Instant) -> Instant? { nil }

    package mutating func performDue(_ context: LiveContext, _ effects: inout LiveEffects) {}

    package mutating func reduce(
        _ input: LocalInput, _ context: LiveContext, _ effects: inout LiveEffects
    ) throws(LiveError) {}

    package mutating func uninstall(_ bundleID: String, _ context: LiveContext, _ effects: inout LiveEffects) {}
}

package enum LocalInput: Hashable, Codable, Sendable {
    case none
}

/// A local notification that has fired.
package struct LocalNotification: Hashable, Codable, Sendable {
    package var bundleID: String
    package var identifier: String
    package var firedAt: Instant

    package init(bundleID: String, identifier: String, firedAt: Instant) {
        self.bundleID = bundleID
        self.identifier = identifier
        self.firedAt = firedAt
    }
}
