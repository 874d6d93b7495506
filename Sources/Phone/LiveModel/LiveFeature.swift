package import DeviceModel

/// A feature that older versions of iOS lack (live.md L1.6).
package enum LiveFeature: CaseIterable, Sendable {
    case activities
    /// Stale dates, relevance scores and frequent updates.
    case refinements
    case pushToStart, channels, transient, watch, schedule, carPlay
    case controls, widgetPushes, pushToTalk
    /// `PKVoIPPushMetadata`.
    case callMetadata

    package var since: OSVersion {
        switch self {
        case .pushToTalk: OSVersion(16)
        case .activities: OSVersion(16, 1)
        case .refinements: OSVersion(16, 2)
        case .pushToStart: OSVersion(17, 2)
        case .channels, .transient, .watch, .controls: OSVersion(18)
        case .schedule, .carPlay, .widgetPushes: OSVersion(26)
        case .callMetadata: OSVersion(26, 4)
        }
    }
}

extension DeviceConditions {
    func has(_ feature: LiveFeature) -> Bool { osVersion >= feature.since }
}

extension DeviceContext {
    package func has(_ feature: LiveFeature) -> Bool { device.has(feature) }

    /// - Throws: `unsupported` with the version that has the feature.
    func require(_ feature: LiveFeature, _ name: String) throws(DeviceError) {
        guard !has(feature) else { return }
        throw ActivityAuthorizationError.unsupported(
            "\(name) need iOS \(feature.since), and the device has iOS \(device.osVersion); change its osVersion")
    }
}

/// What `Activity.request` throws.
enum ActivityAuthorizationError: String {
    case unsupported, denied, visibility, targetMaximumExceeded, globalMaximumExceeded, attributesTooLarge

    func callAsFunction(_ message: String) -> DeviceError {
        DeviceError(
            self == .attributesTooLarge ? .invalid : .conflict, "ActivityAuthorizationError.\(rawValue): \(message)")
    }
}
