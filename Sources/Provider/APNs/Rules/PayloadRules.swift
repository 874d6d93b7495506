/// The size of a payload; `PushType.maximumPayloadByteCount` has the limits.
public enum PayloadRules {
    public static func checkSize(byteCount: Int, pushType: PushType?, topic: String) throws(APNsRejection) {
        // Without `apns-push-type`, the topic identifies a VoIP push.
        let isVoIP = pushType == .voip || (pushType == nil && topic.hasSuffix(PushType.voip.topicSuffix))
        try checkSize(byteCount: byteCount, limit: (isVoIP ? PushType.voip : .alert).maximumPayloadByteCount)
    }

    public static func checkSize(byteCount: Int, limit: Int) throws(APNsRejection) {
        guard byteCount > 0 else {
            throw APNsRejection(.payloadEmpty, "payload.empty", "The request has no body; send the payload as JSON.")
        }
        guard byteCount > limit else { return }
        // The rest of a longer body is not awaited.
        let least = byteCount > 65_536 ? "at least " : ""
        throw APNsRejection(
            .payloadTooLarge, "payload.size",
            "The payload has \(least)\(byteCount) bytes, \(least)\(byteCount - limit) more than the \(limit) that are "
                + "allowed.")
    }
}
