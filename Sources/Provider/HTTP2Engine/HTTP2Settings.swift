/// The server's first SETTINGS frame and its limits on bodies; the defaults are values seen from APNs.
public struct HTTP2Settings: Equatable, Sendable {
    /// SETTINGS_HEADER_TABLE_SIZE in bytes: the peer's HPACK table.
    public var headerTableSize: UInt32 = 4096
    /// The first SETTINGS_MAX_CONCURRENT_STREAMS; `HTTP2Session.setStreamLimit(_:)` changes it.
    public var maximumConcurrentStreams: UInt32 = 1000
    /// SETTINGS_INITIAL_WINDOW_SIZE in bytes per stream.
    public var initialWindowSize: UInt32 = 65535
    /// SETTINGS_MAX_FRAME_SIZE in bytes.
    public var maximumFrameSize: UInt32 = 16384
    /// SETTINGS_MAX_HEADER_LIST_SIZE in bytes: name + value + 32 per field (RFC 9113 §6.5.2).
    public var maximumHeaderListSize: UInt32 = 8000
    /// Body bytes stored per request; the rest is counted and dropped.
    public var keptBodyByteCount: Int = 8192
    /// Body bytes read before an incomplete request is answered.
    public var drainedBodyByteCount: Int = 65536

    public init() {}
}
