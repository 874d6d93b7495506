/// Limits on frames that get no answer, such as rapid resets (CVE-2023-44487), and on header blocks.
public struct HTTP2Limits: Equatable, Sendable {
    /// Frames without an answer in one burst: 1000 streams that open, send two frames and are reset, three times.
    public var frameBurst = 10_000
    /// Such frames per second that refill the burst. Clients send at most one PING a second (gorush).
    public var frameRate = 1000
    /// Bytes of one header block, encoded or decoded (name + value + 32 per field). Eight times the header list limit of
    /// APNs, so that a list over that limit still gets a 431.
    public var headerBlockByteCount = 65536

    public init() {}
}
