import APNs
import Testing
import Time

/// Apple, "Handling notification responses from APNs".
@Suite struct ReasonTests {
    static let statuses: [(UInt16, [APNsReason])] = [
        (
            400,
            [
                .badCollapseID, .badDeviceToken, .badExpirationDate, .badMessageID, .badPriority, .badTopic,
                .deviceTokenNotForTopic, .duplicateHeaders, .idleTimeout, .invalidPushType, .missingDeviceToken,
                .missingTopic, .payloadEmpty, .topicDisallowed, .malformedPayload, .badChannelID, .badRequestParameters,
                .badRequestPayload, .broadcastFeatureNotEnabled, .cannotCreateChannelConfiguration,
                .channelNotRegistered, .missingChannelID, .missingPushType, .missingChannelQueueSize,
            ]
        ),
        (
            403,
            [
                .badCertificate, .badCertificateEnvironment, .expiredProviderToken, .forbidden, .invalidProviderToken,
                .missingProviderToken, .unrelatedKeyIDInToken, .badEnvironmentKeyInToken, .topicMismatch,
            ]
        ),
        (404, [.badPath]), (405, [.methodNotAllowed]), (410, [.expiredToken, .unregistered]), (413, [.payloadTooLarge]),
        (429, [.tooManyProviderTokenUpdates, .tooManyRequests]), (500, [.internalServerError]),
        (503, [.serviceUnavailable, .shutdown]),
    ]

    @Test(arguments: statuses) func eachReasonHasItsStatus(_ status: UInt16, _ reasons: [APNsReason]) {
        for reason in reasons { #expect(reason.status == status) }
    }

    @Test func theTableNamesEveryReasonOnce() {
        let named = Self.statuses.flatMap(\.1)
        #expect(Set(named) == Set(APNsReason.allCases))
        #expect(named.count == APNsReason.allCases.count)
    }

    static let bodies: [(APNsReason, Instant?, APNsReason.Spelling, String)] = [
        (.badTopic, nil, .observed, #"{"reason":"BadTopic"}"#),
        (.badTopic, .now, .observed, #"{"reason":"BadTopic"}"#),
        (.unregistered, .now, .observed, #"{"reason":"Unregistered","timestamp":1767571200000}"#),
        (.expiredToken, .now, .documented, #"{"reason":"ExpiredToken","timestamp":1767571200000}"#),
        (.badEnvironmentKeyInToken, nil, .observed, #"{"reason":"BadEnvironmentKeyInToken"}"#),
        (.badEnvironmentKeyInToken, nil, .documented, #"{"reason":"BadEnvironmentKeyIdInToken"}"#),
        (.broadcastFeatureNotEnabled, nil, .observed, #"{"reason":"BroadcastFeatureNotEnabled"}"#),
        (.broadcastFeatureNotEnabled, nil, .documented, #"{"reason":"FeatureNotEnabled"}"#),
    ]

    @Test(arguments: bodies) func theBodyIsWhatProvidersParse(
        _ reason: APNsReason, _ timestamp: Instant?, _ spelling: APNsReason.Spelling, _ body: String
    ) {
        let rejection = APNsRejection(reason, "code", "never on the wire", timestamp: timestamp)
        #expect(String(decoding: rejection.body(spelling), as: UTF8.self) == body)
    }

    @Test func checksRunInTheDocumentedOrder() {
        #expect(
            AdmissionCheck.order == [
                .duplicateHeaders, .path, .method, .authentication, .topic, .messageID, .expiration, .priority,
                .pushType,
                .collapseID, .deviceToken, .payload, .device,
            ])
        #expect(Set(AdmissionCheck.order) == Set(AdmissionCheck.allCases))
    }
}
