package import APNs
package import DeviceModel
package import JSON

package struct ServiceTable: Equatable, Codable, Sendable {
    package init() {}

    package var isEmpty: Bool { true }

    package func due(after now: Instant) -> Instant? { nil }

    package mutating func performDue(_ context: LiveContext, _ effects: inout LiveEffects) {}

    package mutating func reduce(
        _ input: ServiceInput, _ context: LiveContext, _ effects: inout LiveEffects
    ) throws(LiveError) {}

    package mutating func take(_ token: DeviceToken, for use: TokenUse) -> JSONObject { [:] }

    package mutating func uninstall(_ bundleID: String, _ context: LiveContext, _ effects: inout LiveEffects) {}
}

package enum ServiceInput: Hashable, Codable, Sendable {
    case none
}
