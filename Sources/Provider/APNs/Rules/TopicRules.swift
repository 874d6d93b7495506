public import RequestWire

public enum TopicRules {
    /// A bundle identifier has at most 155 characters (Apple, App Store Connect); the rest is for a suffix.
    public static let maximumByteCount = 255
    public static let form = "at most \(maximumByteCount) letters, digits, dots, hyphens and underscores"

    public static func isTopic(_ text: String) -> Bool { isTopic(text.utf8Span.span.bytes) }

    /// Bundle identifiers use letters, digits, `.` and `-`; some also have `_`.
    private static func isTopic(_ topic: RawSpan) -> Bool {
        var isValid = (1...maximumByteCount).contains(topic.byteCount)
        for offset in 0..<topic.byteCount {
            switch topic.unsafeLoad(fromByteOffset: offset, as: UInt8.self) {
            case 0x61...0x7a, 0x41...0x5a, 0x30...0x39, 0x2d, 0x2e, 0x5f: continue
            default: isValid = false
            }
        }
        return isValid
    }

    public static func checkForm(_ topic: RawSpan) throws(APNsRejection) {
        guard !isTopic(topic) else { return }
        throw APNsRejection(
            .badTopic, "apns-topic.form",
            "apns-topic is '\(topic.text.prefix(80))'; a topic is a bundle identifier with a suffix for some push types, "
                + "at most \(maximumByteCount) letters, digits, dots, hyphens.")
    }

    /// The topic without its push type's suffix.
    public static func bundleID(of topic: String) -> String {
        String(topic.dropLast(PushType(suffixOf: topic)?.topicSuffix.count ?? 0))
    }

    /// - Parameter mismatch: Reason for a known type that does not match; reports disagree.
    /// - Returns: nil when the header is absent, which APNs accepts.
    public static func pushType(
        _ request: borrowing RequestBlock, topic: RawSpan, mismatch: MismatchReason
    ) throws(APNsRejection) -> PushType? {
        guard let range = request[.apnsPushType] else { return nil }
        guard let type = PushType(request.bytes.span.bytes.extracting(range.bounds)) else {
            let names = PushType.allCases.map(\.name).joined(separator: ", ")
            throw APNsRejection(
                .invalidPushType, "apns-push-type.unknown",
                "apns-push-type is \(HeaderRules.quoted(.apnsPushType, request)); accepted, in lower case: \(names).")
        }
        guard !fits(type, topic) else { return type }
        throw mismatched(type, topic.text, mismatch.reason)
    }

    public enum MismatchReason: String, CaseIterable, Codable, Sendable {
        case invalidPushType = "InvalidPushType"
        case deviceTokenNotForTopic = "DeviceTokenNotForTopic"

        var reason: APNsReason { self == .invalidPushType ? .invalidPushType : .deviceTokenNotForTopic }
    }

    private static func fits(_ type: PushType, _ topic: RawSpan) -> Bool {
        let suffix = type.topicSuffix
        guard suffix.isEmpty else { return topic.hasSuffix(suffix) }
        return PushType.allCases.allSatisfy { $0.topicSuffix.isEmpty || !topic.hasSuffix($0.topicSuffix) }
    }

    public static let missingSuffix = "apns-topic.missing-suffix"

    private static func mismatched(_ type: PushType, _ topic: String, _ reason: APNsReason) -> APNsRejection {
        if !type.topicSuffix.isEmpty {
            return APNsRejection(
                reason, missingSuffix,
                "apns-push-type \(type.name) needs the topic '\(bundleID(of: topic))\(type.topicSuffix)', but apns-topic is "
                    + "'\(topic)'.")
        }
        let owner = PushType(suffixOf: topic)?.name ?? "?"
        return APNsRejection(
            reason, "apns-push-type.topic",
            "apns-topic '\(topic)' belongs to apns-push-type \(owner), but the push says \(type.name).")
    }
}
