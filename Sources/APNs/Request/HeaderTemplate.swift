/// The header block of an accepted request, to recognise requests that differ from it in nothing but their device token,
/// `apns-id` and `content-length`.
///
/// A provider's requests on one connection are mostly alike, and comparing bytes costs a tenth of reading them.
public final class HeaderTemplate: Sendable {
    private let fields: [UInt8]
    /// Parts that must be equal, in order; what lies between them may differ.
    private let fixed: [Range<Int>]
    private let head: RequestHead
    /// The head's packed form.
    let packedHead: [UInt8]
    /// Where `apns-id` lies in it.
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
        fixed.append(start..<request.fields.count)
        self.fixed = fixed
        fields = request.fields
        head = request.head
        packedHead = packed.head
        packedAPNsID = PackedRequest.range(of: .apnsID, in: packed.head)
    }

    /// Whether a header block is this very one.
    public func isSame(_ fields: [UInt8]) -> Bool { fields.span.bytes.equals(self.fields) }

    /// The request, when its header block is alike: lengths are part of the block, so every value lies where it did.
    public func request(_ fields: [UInt8], body: [UInt8], bodyByteCount: Int) -> ProviderRequest? {
        guard fields.count == self.fields.count else { return nil }
        let known = self.fields
        let mine = known.span.bytes
        let other = fields.span.bytes
        for range in fixed {
            guard mine.extracting(range).equals(other.extracting(range)) else { return nil }
        }
        return ProviderRequest(fields: fields, head: head, body: body, bodyByteCount: bodyByteCount)
    }

    /// The packed head of a request that is alike; `nil` when it must be packed as any other.
    func packedHead(of request: borrowing ProviderRequest) -> [UInt8]? {
        // The token was read from this very path: only the case of its digits is still to be looked at.
        guard let path = request.head[.path]?.bounds, Hex.isLowerCase(request.fields.span.bytes.extracting(path)) else {
            return nil
        }
        guard let place = packedAPNsID, let value = request.head[.apnsID]?.bounds else { return packedHead }
        var head = packedHead
        head.replaceSubrange(place, with: request.fields[value])
        return head
    }
}
