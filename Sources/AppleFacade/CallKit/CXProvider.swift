internal import ExtensionWire
public import Foundation

open class CXProvider: NSObject {
    /// Delivers a call in an encrypted push to the app as a VoIP push, and launches the app.
    @preconcurrency
    open class func reportNewIncomingVoIPPushPayload(
        _ dictionaryPayload: [AnyHashable: Any], completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        Wire.shared.call(
            "reportNewIncomingVoIPPushPayload", ["payload": WireValue(foundationObject: dictionaryPayload)]
        ) { _ in completion?(nil) }
    }

    open class func reportNewIncomingVoIPPushPayload(_ dictionaryPayload: [AnyHashable: Any]) async throws {
        await withCheckedContinuation { continuation in
            reportNewIncomingVoIPPushPayload(dictionaryPayload) { _ in continuation.resume() }
        }
    }
}
