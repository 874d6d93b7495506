internal import ExtensionWire
public import Foundation

open class CXProvider: NSObject {
    /// Hands an encrypted push over to the app as a VoIP push; the system starts the app for it.
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
