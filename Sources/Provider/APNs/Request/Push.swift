public import RequestWire
public import Time

public struct PushFacts: Sendable, Equatable {
    public let apnsID: APNsID
    public let uniqueID: APNsID
    public let receivedAt: Instant
    public let expiration: Expiration
    public let pushType: PushType?
    public let priority: Priority
    public let environment: APNsEnvironment
    fileprivate(set) public var hasImpliedPath = false
    fileprivate(set) public var hasCollapseID = false
    public let connection: UInt32
    fileprivate(set) public var headByteCount: UInt32 = 0
    fileprivate var payloadByteCount: UInt32 = 0

    public init(
        apnsID: APNsID, uniqueID: APNsID, environment: APNsEnvironment, pushType: PushType?, priority: Priority,
        expiration: Expiration, receivedAt: Instant, connection: UInt32
    ) {
        self.apnsID = apnsID
        self.uniqueID = uniqueID
        self.receivedAt = receivedAt
        self.expiration = expiration
        self.pushType = pushType
        self.priority = priority
        self.environment = environment
        self.connection = connection
    }
}

/// An accepted push in a single allocation, shared by the request log and the device's inbox.
/// The bytes are the head (`HeadEntry`), then the payload as received. A header is marked in the head when `PushFacts`
/// reproduces its value byte for byte.
/// `@unchecked Sendable`: immutable after creation.
public struct Push: @unchecked Sendable {
    @usableFromInline final class Storage: ManagedBuffer<PushFacts, UInt8> {}

    private let storage: ManagedBuffer<PushFacts, UInt8>

    public static func make(_ request: borrowing RequestBlock, token: DeviceToken?, _ facts: PushFacts) -> Push {
        var facts = facts
        facts.hasImpliedPath = token.map { PackedRequest.isImpliedPath(request, $0) } ?? false
        facts.hasCollapseID = request[.apnsCollapseID] != nil
        let spelled = facts.names(spelledIn: request)
        return request.bytes.withUnsafeBytes { bytes in
            let head = UnsafeRawBufferPointer(rebasing: bytes[request.headRange])
            let payload = UnsafeRawBufferPointer(rebasing: bytes[request.bodyRange])
            if request.markedNames & ~spelled == 0 { return make(head, payload, facts) }
            let expanded = PackedRequest.expand(head, except: spelled) { header in
                request[header].map { Array(bytes[$0.bounds]) }
            }
            return expanded.withUnsafeBytes { make($0, payload, facts) }
        }
    }

    public static func make(_ request: PackedRequest, _ facts: PushFacts) -> Push {
        var facts = facts
        facts.hasImpliedPath = request.hasImpliedPath
        facts.hasCollapseID = request.value(of: .apnsCollapseID) != nil
        return request.head.withUnsafeBytes { head in
            request.payload.withUnsafeBytes { make(head, $0, facts) }
        }
    }

    private static func make(
        _ head: UnsafeRawBufferPointer, _ payload: UnsafeRawBufferPointer, _ facts: PushFacts
    ) -> Push {
        var facts = facts
        facts.headByteCount = UInt32(head.count)
        facts.payloadByteCount = UInt32(payload.count)
        let storage = Storage.create(minimumCapacity: head.count + payload.count) { _ in facts }
        storage.withUnsafeMutablePointerToElements { target in
            let target = UnsafeMutableRawPointer(target)
            if let source = head.baseAddress { target.copyMemory(from: source, byteCount: head.count) }
            if let source = payload.baseAddress {
                (target + head.count).copyMemory(from: source, byteCount: payload.count)
            }
        }
        return Push(storage: storage)
    }

    // Through a pointer: accesses to `header` are checked for exclusivity.
    public var facts: PushFacts {
        @inline(__always) get { storage.withUnsafeMutablePointerToHeader { $0.pointee } }
    }

    public static let localConnection = UInt32.max

    /// Whether it is a local notification of the device, which no provider sent.
    public var isLocal: Bool { facts.connection == Self.localConnection }

    /// Whether both were received alike, at the same time, and have the same identifiers.
    public func equals(_ other: Push) -> Bool {
        var facts = facts
        // A loaded push has no marks of implied headers.
        facts.headByteCount = other.facts.headByteCount
        return facts == other.facts && request == other.request
    }

    public static func === (left: Push?, right: Push) -> Bool { left?.storage === right.storage }

    /// The response's `apns-id`; `request` has the client's spelling.
    public var apnsID: APNsID { facts.apnsID }
    /// The response's `apns-unique-id`, sent in the sandbox only.
    public var uniqueID: APNsID { facts.uniqueID }
    public var expiration: Expiration { facts.expiration }
    public var receivedAt: Instant { facts.receivedAt }
    /// The provider connection's number; 0 for a push from the admin API, `localConnection` for a local notification.
    public var connection: UInt32 { facts.connection }
    /// nil when the header was absent.
    public var pushType: PushType? { facts.pushType }
    public var priority: Priority { facts.priority }
    public var environment: APNsEnvironment { facts.environment }

    public func withBytes<Result>(_ body: (_ head: UnsafeRawBufferPointer, _ payload: UnsafeRawBufferPointer) -> Result)
        -> Result
    {
        storage.withUnsafeMutablePointers { facts, bytes in
            let headCount = Int(facts.pointee.headByteCount)
            return body(
                UnsafeRawBufferPointer(start: bytes, count: headCount),
                UnsafeRawBufferPointer(start: bytes + headCount, count: Int(facts.pointee.payloadByteCount)))
        }
    }

    /// A copy of the payload as received; it may not be JSON.
    public var payload: [UInt8] { withBytes { _, payload in Array(payload) } }

    public func withPayload<Result>(_ body: (RawSpan) -> Result) -> Result {
        withBytes { _, payload in body(payload.bytes) }
    }

    public func hasPayload(of other: Push) -> Bool {
        withPayload { mine in other.withPayload { mine.equals($0) } }
    }

    public var request: PackedRequest {
        withBytes { head, payload in
            PackedRequest(
                head: PackedRequest.expand(head) { facts.text(of: $0) }, payload: Array(payload),
                hasImpliedPath: facts.hasImpliedPath)
        }
    }

    /// `apns-collapse-id`. The flag avoids a search, since devices ask for it on every push.
    public var collapseID: String? {
        facts.hasCollapseID ? withBytes { head, _ in HeadReader.text(of: .apnsCollapseID, in: head) } : nil
    }

    /// The `apns-id` as the response spelled it: the provider's own text, or upper case when the gateway generated it.
    public var apnsIDText: String { request.value(of: .apnsID) ?? apnsID.text(.upper) }
}

extension PushFacts {
    /// Headers that need no verbatim copy: `text(of:)` reproduces them, or they are implied.
    fileprivate func names(spelledIn request: borrowing RequestBlock) -> UInt32 {
        let bytes = request.bytes.span.bytes
        var names = HeaderName.impliedNames | (hasImpliedPath ? HeaderName.path.bit : 0)
        if let value = request[.apnsID], apnsID.isSpelled(bytes.extracting(value.bounds)) {
            names |= HeaderName.apnsID.bit
        }
        if let value = request[.apnsPushType], PushType(bytes.extracting(value.bounds)) == pushType {
            names |= HeaderName.apnsPushType.bit
        }
        if let value = request[.apnsPriority], Priority(bytes.extracting(value.bounds)) == priority {
            names |= HeaderName.apnsPriority.bit
        }
        if let value = request[.apnsExpiration], expiration.isSpelled(bytes.extracting(value.bounds)) {
            names |= HeaderName.apnsExpiration.bit
        }
        return names
    }

    /// The value of a marked header; nil when it is implied or not stored.
    fileprivate func text(of header: HeaderName) -> [UInt8]? {
        switch header {
        case .apnsID: Array(apnsID.text(.lower).utf8)
        case .apnsPushType: pushType.map { Array($0.name.utf8) }
        case .apnsPriority: Array(String(priority.rawValue).utf8)
        case .apnsExpiration: Array((expiration.text).utf8)
        case .method, .path, .scheme, .authority, .host, .authorization, .apnsTopic, .apnsCollapseID, .apnsChannelID,
            .apnsRequestID, .userAgent, .contentType, .contentLength, .contentEncoding, .accept, .acceptEncoding:
            nil
        }
    }
}
