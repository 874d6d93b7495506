/// What a server announces in its first SETTINGS frame, and the limits it enforces.
///
/// The defaults are the values seen from APNs.
public struct HTTP2Settings: Equatable, Sendable {
    /// SETTINGS_HEADER_TABLE_SIZE in bytes: the HPACK table a peer may use towards us.
    public var headerTableSize: UInt32 = 4096
    /// SETTINGS_MAX_CONCURRENT_STREAMS announced first; `HTTP2Session.setStreamLimit(_:)` changes it later.
    public var maximumConcurrentStreams: UInt32 = 1000
    /// SETTINGS_INITIAL_WINDOW_SIZE in bytes, for every stream.
    public var initialWindowSize: UInt32 = 65535
    /// SETTINGS_MAX_FRAME_SIZE in bytes.
    public var maximumFrameSize: UInt32 = 16384
    /// SETTINGS_MAX_HEADER_LIST_SIZE in bytes, counted as RFC 9113 §6.5.2 does: name + value + 32 per field.
    public var maximumHeaderListSize: UInt32 = 8000
    /// How many body bytes of a request are kept; the rest is counted and dropped.
    public var keptBodyByteCount: Int = 8192
    /// How many body bytes are read at all before a request is answered without its end.
    public var drainedBodyByteCount: Int = 65536

    /// APNs' numbers.
    public init() {}
}

/// How much a peer may ask of a session beside requests that get their answers.
public struct HTTP2Limits: Equatable, Sendable {
    /// Frames a connection may send that lead to no answer, at once. Enough for 1000 streams that open, send two frames and are
    /// all taken back, three times over.
    public var frameBurst = 10_000
    /// How many such frames come back every second. Clients send a PING a second at most (gorush).
    public var frameRate = 1000
    /// Bytes of one header block, as it comes and as it decodes (name, value and 32 for each field). Eight times the header
    /// list APNs takes: a list above that one still gets its 431.
    public var headerBlockByteCount = 65536

    /// The numbers above.
    public init() {}
}
