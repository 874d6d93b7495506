public import Wire

/// One request as received.
public struct Request: Sendable {
    /// The stream to answer on (RFC 9113 §5.1.1); 1 for HTTP/1.1.
    public let stream: Int32
    /// Header fields, pseudo-header fields included, and the stored part of the body.
    public internal(set) var block: RequestBlock

    public init(stream: Int32, block: RequestBlock) {
        self.stream = stream
        self.block = block
    }
}
