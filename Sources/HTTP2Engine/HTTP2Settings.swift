/// What a server announces in its first SETTINGS frame, and the limits it enforces.
///
/// The defaults are the values seen from APNs.
package struct HTTP2Settings: Equatable, Sendable {
    /// SETTINGS_HEADER_TABLE_SIZE in bytes: the HPACK table a peer may use towards us.
    package var headerTableSize: UInt32 = 4096
    /// SETTINGS_MAX_CONCURRENT_STREAMS announced first; `HTTP2Session.setStreamLimit(_:)` changes it later.
    package var maximumConcurrentStreams: UInt32 = 1000
    /// SETTINGS_INITIAL_WINDOW_SIZE in bytes, for every stream.
    package var initialWindowSize: UInt32 = 65535
    /// SETTINGS_MAX_FRAME_SIZE in bytes.
    package var maximumFrameSize: UInt32 = 16384
    /// SETTINGS_MAX_HEADER_LIST_SIZE in bytes, counted as RFC 9113 §6.5.2 does: name + value + 32 per field.
    package var maximumHeaderListSize: UInt32 = 8000
    /// How many body bytes of a request are kept; the rest is counted and dropped.
    package var keptBodyByteCount: Int = 8192
    /// How many body bytes are read at all before a request is answered without its end.
    package var drainedBodyByteCount: Int = 65536

    /// APNs' numbers.
    package init() {}
}
