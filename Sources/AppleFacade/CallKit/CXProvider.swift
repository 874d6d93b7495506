internal import ExtensionWire
public import Foundation

open class CXProvider: NSObject {
    /// Delivers a call in an encrypted push to the app as a VoIP push, and launches the app.
    @preconcurrency
    open class func reportNewIncomingVoIPPushPayload(
        _ dictionaryPayload: [AnyHashable: Any], completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        let payload = WireValue(foundationObject: dictionaryPayload)
        HostConnection.shared.call("reportNewIncomingVoIPPushPayload", ["payload": payload]) { _ in completion?(nil) }
    }

    open class func reportNewIncomingVoIPPushPayload(_ dictionaryPayload: [AnyHashable: Any]) async throws {
        let payload = WireValue(foundationObject: dictionaryPayload)
        _ = await HostConnection.shared.reply(to: "reportNewIncomingVoIPPushPayload", ["payload": payload])
    }
}
