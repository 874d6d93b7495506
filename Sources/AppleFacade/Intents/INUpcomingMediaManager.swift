internal import ExtensionWire
public import Foundation

public enum INUpcomingMediaPredictionMode: Int, Sendable, CaseIterable { case `default`, onlyPredictSuggestedIntents }

open class INUpcomingMediaManager: NSObject {
    // `nonisolated(unsafe)`: immutable and without state.
    private nonisolated(unsafe) static let manager = INUpcomingMediaManager()

    open class var shared: INUpcomingMediaManager { manager }

    /// Replaces those that the app has set before.
    /// - Parameter intents: Each an `INPlayMediaIntent`; others are skipped.
    open func setSuggestedMediaIntents(_ intents: NSOrderedSet) {
        let intents = intents.array.compactMap { ($0 as? INPlayMediaIntent)?.json }
        HostConnection.shared.call("setSuggestedMediaIntents", ["intents": .array(intents)])
    }

    open func setPredictionMode(_ mode: INUpcomingMediaPredictionMode, for type: INMediaItemType) {
        HostConnection.shared.call(
            "setPredictionMode", ["mode": .string("\(mode)"), "mediaType": .string("\(type)")])
    }
}
