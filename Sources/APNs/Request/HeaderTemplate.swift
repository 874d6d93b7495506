/// The header block of an accepted request, to recognise requests that differ from it in nothing but their device token,
/// `apns-id` and `content-length`.
///
/// A provider's requests on one connection are mostly alike, and comparing bytes costs a tenth of reading them.
public final class HeaderTemplate: Sendable {
    private let fields: [UInt8]
    /// Parts that must be equal, in order; what lies between them may differ.
    private let fixed: [Range<Int>]
    private let head: RequestHead
    /// The packed form, up to the payload.
    let packed: PackedRequest
    /// Where `apns-id` lies in the packed form.
    let packedAPNsID: Range<Int>?

    /// - Parameters:
    ///   - tokenRange: Where the device token lies in the request's path.
    ///   - packed: The request as it was recorded.
    /// - Returns: `nil` when the recorded form holds the path, because the token was not spelled in lower case.
    public init?(_ request: borrowing ProviderRequest, tokenRange: Range<Int>, packed: PackedRequest) {
        guard packed.hasImpliedPath else { return nil }
        let varying = [tokenRange] + [HeaderName.apnsID, .contentLength].compactMap { request.head[$0]?.bounds }
        var fixed: [Range<Int>] = []
        var start = 0
        for range in varying.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            fixed.append(start..<range.lowerBound)
            start = range.upperBound
        }
        fixed.append(start..<request.fields.upperBound)
        self.fixed = fixed
        fields = Array(request.bytes[request.fields])
        head = request.head
        self.packed = packed
        packedAPNsID = packed.range(of: .apnsID)
    }

    /// The request, when its header block is alike: lengths are part of the block, so every value lies where it did.
    public func request(_ bytes: [UInt8], bodyOffset: Int, bodyByteCount: Int) -> ProviderRequest? {
        guard bodyOffset == fields.count else { return nil }
        let known = fields
        let mine = known.span.bytes
        let other = bytes.span.bytes
        for range in fixed {
            guard mine.extracting(range).equals(other.extracting(range)) else { return nil }
        }
        return ProviderRequest(bytes: bytes, head: head, bodyOffset: bodyOffset, bodyByteCount: bodyByteCount)
    }
}

extension PackedRequest {
    /// The recorded form of a request that is alike a recorded one.
    init?(packing request: borrowing ProviderRequest, like template: HeaderTemplate) {
        // The token was read from this very path: only the case of its digits is still to be looked at.
        guard let path = request.head[.path]?.bounds, Hex.isLowerCase(request.bytes.span.bytes.extracting(path)) else {
            return nil
        }
        let known = template.packed
        let count = known.payloadOffset + request.body.count
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
            let target = UnsafeMutableRawBufferPointer(target)
            known.bytes.withUnsafeBytes { target.copyMemory(from: .init(rebasing: $0[..<known.payloadOffset])) }
            request.bytes.withUnsafeBytes { source in
                let body = UnsafeMutableRawBufferPointer(rebasing: target[known.payloadOffset...])
                body.copyMemory(from: .init(rebasing: source[request.body]))
                guard let place = template.packedAPNsID, let value = request.head[.apnsID]?.bounds else { return }
                UnsafeMutableRawBufferPointer(rebasing: target[place]).copyMemory(from: .init(rebasing: source[value]))
            }
            initialized = count
        }
        self.init(bytes: bytes, payloadOffset: known.payloadOffset, hasImpliedPath: true)
    }
}
