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
        // The sixth letter tells names of one length apart.
        let letter = name.byteCount > 5 ? name.unsafeLoad(fromByteOffset: 5, as: UInt8.self) : 0
        let candidate: HeaderName? =
            switch name.byteCount {
            case 4: .host
            case 5: .path
            case 6: .accept
            case 7: letter == UInt8(ascii: "i") ? .apnsID : letter == UInt8(ascii: "o") ? .method : .scheme
            case 10: letter == UInt8(ascii: "t") ? .apnsTopic : letter == UInt8(ascii: "o") ? .authority : .userAgent
            case 12: .contentType
            case 13: letter == UInt8(ascii: "p") ? .apnsPriority : .authorization
            case 14: letter == UInt8(ascii: "p") ? .apnsPushType : .contentLength
            case 15:
                switch letter {
                case UInt8(ascii: "e"): .apnsExpiration
                case UInt8(ascii: "c"): .apnsChannelID
                case UInt8(ascii: "r"): .apnsRequestID
                default: .acceptEncoding
                }
            case 16: letter == UInt8(ascii: "c") ? .apnsCollapseID : .contentEncoding
            default: nil
            }
        guard let candidate, name.equals(candidate.text) else { return nil }
        self = candidate
    }
}
