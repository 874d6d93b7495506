/// Header names that the gateway recognises; the raw value is the code in a `HeadEntry`.
public enum HeaderName: UInt8, CaseIterable, Sendable {
    case method = 1, path, scheme, authority, host, authorization
    case apnsID, apnsTopic, apnsPushType, apnsPriority, apnsExpiration, apnsCollapseID, apnsChannelID, apnsRequestID
    case userAgent, contentType, contentLength, contentEncoding, accept, acceptEncoding

    /// One more than the largest raw value.
    static let count = 21

    /// In a set of names.
    @inlinable public var bit: UInt32 { 1 &<< UInt32(rawValue) }

    /// Headers that a stored push does not retain as sent: a usual method or scheme, what token, payload or push imply,
    /// and the secret `authorization`.
    @inlinable public static var namesOutsideHead: UInt32 {
        HeaderName.method.bit | HeaderName.path.bit | HeaderName.scheme.bit | HeaderName.authorization.bit
            | HeaderName.apnsID.bit | HeaderName.apnsPushType.bit | HeaderName.apnsPriority.bit
            | HeaderName.apnsExpiration.bit | HeaderName.contentLength.bit
    }

    /// Headers not needed to understand a request: usual, secret or implied by the payload.
    public static var impliedNames: UInt32 {
        HeaderName.method.bit | HeaderName.scheme.bit | HeaderName.authorization.bit | HeaderName.contentLength.bit
    }

    /// Lower case, as on the wire.
    public var text: StaticString {
        switch self {
        case .method: ":method"
        case .path: ":path"
        case .scheme: ":scheme"
        case .authority: ":authority"
        case .host: "host"
        case .authorization: "authorization"
        case .apnsID: "apns-id"
        case .apnsTopic: "apns-topic"
        case .apnsPushType: "apns-push-type"
        case .apnsPriority: "apns-priority"
        case .apnsExpiration: "apns-expiration"
        case .apnsCollapseID: "apns-collapse-id"
        case .apnsChannelID: "apns-channel-id"
        case .apnsRequestID: "apns-request-id"
        case .userAgent: "user-agent"
        case .contentType: "content-type"
        case .contentLength: "content-length"
        case .contentEncoding: "content-encoding"
        case .accept: "accept"
        case .acceptEncoding: "accept-encoding"
        }
    }

    /// Compares the length, then the bytes; lower case only, as in HTTP/2.
    public init?(_ name: RawSpan) {
        let candidate: HeaderName? =
            switch name.byteCount {
            case 4: .host
            case 5: .path
            case 6: .accept
            case 7: name.unsafeLoad(fromByteOffset: 1, as: UInt8.self) == 0x70 ? .apnsID : Self.pseudo(name)
            case 10: Self.ofTen(name)
            case 12: .contentType
            case 13: name.unsafeLoad(fromByteOffset: 1, as: UInt8.self) == 0x70 ? .apnsPriority : .authorization
            case 14: name.unsafeLoad(fromByteOffset: 0, as: UInt8.self) == 0x61 ? .apnsPushType : .contentLength
            case 15: Self.ofFifteen(name)
            case 16: Self.ofSixteen(name)
            default: nil
            }
        guard let candidate, name.equals(candidate.text) else { return nil }
        self = candidate
    }

    private static func pseudo(_ name: RawSpan) -> HeaderName {
        name.unsafeLoad(fromByteOffset: 1, as: UInt8.self) == 0x6d ? .method : .scheme
    }

    private static func ofTen(_ name: RawSpan) -> HeaderName {
        switch name.unsafeLoad(fromByteOffset: 0, as: UInt8.self) {
        case 0x3a: .authority
        case 0x61: .apnsTopic
        default: .userAgent
        }
    }

    private static func ofFifteen(_ name: RawSpan) -> HeaderName {
        switch name.unsafeLoad(fromByteOffset: 5, as: UInt8.self) {
        case 0x65: .apnsExpiration
        case 0x63: .apnsChannelID
        case 0x72: .apnsRequestID
        default: .acceptEncoding
        }
    }

    private static func ofSixteen(_ name: RawSpan) -> HeaderName {
        name.unsafeLoad(fromByteOffset: 0, as: UInt8.self) == 0x61 ? .apnsCollapseID : .contentEncoding
    }
}
