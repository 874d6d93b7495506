public import Wire

/// What is known of a push beside its bytes.
public struct PushFacts: Sendable {
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

/// A push that APNs accepted: one piece of memory with everything about it. The request log and the device's inbox share it.
///
/// Its bytes are the head (`HeadEntry`), then the payload as received. Marked in the head are headers whose value the facts give
/// back byte for byte.
///
/// `@unchecked Sendable`: nothing changes once it is made.
public struct Push: @unchecked Sendable {
    @usableFromInline final class Storage: ManagedBuffer<PushFacts, UInt8> {}

    private let storage: ManagedBuffer<PushFacts, UInt8>

    /// - Parameter token: The token that the path names.
    public static func make(
        _ request: borrowing RequestBlock, token: DeviceToken?, _ facts: PushFacts
    ) -> Push {
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

    /// What is known of it beside its bytes. Through a pointer, as accesses to `header` are checked.
    public var facts: PushFacts {
        @inline(__always) get { storage.withUnsafeMutablePointerToHeader { $0.pointee } }
    }

    /// Whether two are the same push, not only equal ones.
    public static func === (left: Push?, right: Push) -> Bool { left?.storage === right.storage }

    /// The answer's `apns-id`. A client's own spelling is that of `request`.
    public var apnsID: APNsID { facts.apnsID }
    /// The answer's `apns-unique-id`; sent in the sandbox only.
    public var uniqueID: APNsID { facts.uniqueID }
    public var expiration: Expiration { facts.expiration }
    public var receivedAt: Instant { facts.receivedAt }
    /// The number of the provider's connection; 0 for a push that came through the admin API.
    public var connection: UInt32 { facts.connection }
    /// `nil` when the header was absent.
    public var pushType: PushType? { facts.pushType }
    public var priority: Priority { facts.priority }
    public var environment: APNsEnvironment { facts.environment }

    /// Lends the head and the payload.
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

    /// The payload as received, which may be no JSON at all; a copy.
    public var payload: [UInt8] { withBytes { _, payload in Array(payload) } }

    /// Lends the payload.
    public func withPayload<Result>(_ body: (RawSpan) -> Result) -> Result {
        withBytes { _, payload in body(payload.bytes) }
    }

    /// Whether another push has the same payload.
    public func hasPayload(of other: Push) -> Bool {
        withPayload { mine in other.withPayload { mine.equals($0) } }
    }

    /// What the provider sent; a copy.
    public var request: PackedRequest {
        withBytes { head, payload in
            PackedRequest(
                head: PackedRequest.expand(head) { facts.text(of: $0) }, payload: Array(payload),
                hasImpliedPath: facts.hasImpliedPath)
        }
    }

    /// `apns-topic`; `nil` when a certificate stood in for it.
    public var topic: String? { value(of: .apnsTopic) }

    /// `apns-collapse-id`, which devices ask about with each push.
    public var collapseID: String? { facts.hasCollapseID ? value(of: .apnsCollapseID) : nil }

    /// The `apns-id` as the provider got it back: its own spelling, or upper case when the gateway made it.
    public var apnsIDText: String { request.value(of: .apnsID) ?? apnsID.text(.upper) }

    /// The value of a header that the head has whole.
    private func value(of header: HeaderName) -> String? {
        withBytes { head, _ in
            HeadReader.value(of: header, in: head).map { String(decoding: head[$0], as: UTF8.self) }
        }
    }
}

extension PushFacts {
    /// The headers that need not be kept as they came: `text(of:)` is the same, or nobody wants them.
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

    /// The value of a marked header; `nil` for one that is implied or not kept.
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
