internal import ExtensionWire
public import Foundation

open class CXProvider: NSObject {
    /// On iOS, delivers the call as a VoIP push; here the call is recorded with the run.
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
