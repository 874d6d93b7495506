package import APNs
internal import Wire

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A push in a snapshot: itself, as it goes into a checkpoint, or its JSON form, which may be invalid.
package enum PushSnapshot: Sendable, Codable {
    case push(Push, DeviceToken)
    case document(PushDocument)

    package init(from decoder: any Decoder) throws { self = .document(try PushDocument(from: decoder)) }

    package func encode(to encoder: any Encoder) throws { try document.encode(to: encoder) }

    package var document: PushDocument {
        get {
            switch self {
            case .push(let push, let token): PushDocument(push, token: token)
            case .document(let document): document
            }
        }
        set { self = .document(newValue) }
    }

    /// The push; nil when a member of its document has no valid value.
    func push(token: DeviceToken) -> Push? {
        switch self {
        case .push(let push, _): push
        case .document(let document): document.push(token: token)
        }
    }
}

/// A push as JSON; all of it is readable except the payload.
package struct PushDocument: Sendable, Hashable, Codable {
    package struct HeaderField: Sendable, Hashable, Codable {
        /// In lower case.
        package var name: String
        package var value: String
    }

    /// The header fields in wire order, without `authorization`.
    package var headers: [HeaderField]
    /// The payload as received, which need not be text.
    package var payload: Data
    private enum CodingKeys: String, CodingKey {
        case headers, payload, environment, pushType, priority, expiration, receivedAt, connection
        case apnsID = "apnsId"
        case uniqueID = "apnsUniqueId"
    }

    /// The answer's `apns-id`, in upper case.
    package var apnsID: String
    /// The answer's `apns-unique-id`.
    package var uniqueID: String
    package var environment: APNsEnvironment
    /// nil when the header was absent.
    package var pushType: String?
    package var priority: Priority
    /// `apns-expiration` in seconds since 1970, 0 for one attempt; nil when the header was absent.
    package var expiration: Int64?
    package var receivedAt: Instant
    /// The number of the provider's connection.
    package var connection: UInt32

    init(_ push: Push, token: DeviceToken) {
        headers = push.request.fields(token: token).map { HeaderField(name: $0.name, value: $0.value) }
        payload = Data(push.payload)
        apnsID = push.apnsID.text(.upper)
        uniqueID = push.uniqueID.text(.lower)
        environment = push.environment
        pushType = push.pushType?.name
        priority = push.priority
        expiration = push.expiration.seconds
        receivedAt = push.receivedAt
        connection = push.connection
    }

    fileprivate func push(token: DeviceToken) -> Push? {
        let type = pushType.flatMap(PushType.init(name:))
        guard
            let apnsID = APNsID(Array(apnsID.utf8).span.bytes), let uniqueID = APNsID(Array(uniqueID.utf8).span.bytes),
            (pushType == nil) == (type == nil)
        else { return nil }
        let request = RequestBlock(fields: headers.map { ($0.name, $0.value) }, body: Array(payload))
        return Push.make(
            request, token: token,
            PushFacts(
                apnsID: apnsID, uniqueID: uniqueID, environment: environment, pushType: type, priority: priority,
                expiration: Expiration(seconds: expiration), receivedAt: receivedAt, connection: connection))
    }
}

extension Expiration {
    fileprivate var seconds: Int64? {
        switch self {
        case .unspecified: nil
        case .immediate: 0
        case .at(let instant): instant.milliseconds / 1000
        }
    }

    fileprivate init(seconds: Int64?) {
        switch seconds {
        case nil: self = .unspecified
        case 0: self = .immediate
        case let seconds?: self = .at(Instant(seconds: Double(seconds)))
        }
    }
}
