public import Wire

/// One request, as it came.
public struct Request: Sendable {
    /// The stream to answer on (RFC 9113 §5.1.1); 1 for a request that came over HTTP/1.1.
    public let stream: Int32
    /// Its header fields, pseudo fields included, and what was kept of the body.
    public internal(set) var block: RequestBlock

    public init(stream: Int32, block: RequestBlock) {
        self.stream = stream
        self.block = block
    }
}
