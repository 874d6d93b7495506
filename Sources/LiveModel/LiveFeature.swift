package import DeviceModel

/// A feature that older versions of iOS lack (live.md L1.6).
package enum LiveFeature: CaseIterable, Sendable {
    case activities
    /// Stale dates, relevance scores and frequent updates.
    case refinements
    case pushToStart, channels, watch, schedule, carPlay

    package var since: OSVersion {
        switch self {
        case .activities: OSVersion(16, 1)
        case .refinements: OSVersion(16, 2)
        case .pushToStart: OSVersion(17, 2)
        case .channels, .watch: OSVersion(18)
        case .schedule, .carPlay: OSVersion(26)
        }
    }
}

extension LiveContext {
    func has(_ feature: LiveFeature) -> Bool { device.osVersion >= feature.since }

    /// - Throws: `unsupported` with the version that has the feature.
    func require(_ feature: LiveFeature, _ name: String) throws(LiveError) {
        guard !has(feature) else { return }
        throw ActivityAuthorizationError.unsupported(
            "\(name) need iOS \(feature.since), and the device has iOS \(device.osVersion); change its osVersion")
    }
}

/// What `Activity.request` throws.
enum ActivityAuthorizationError: String {
    case unsupported, denied, visibility, targetMaximumExceeded, globalMaximumExceeded, attributesTooLarge

    func callAsFunction(_ message: String) -> LiveError {
        LiveError(
            self == .attributesTooLarge ? .invalid : .conflict, "ActivityAuthorizationError.\(rawValue): \(message)")
    }
}
