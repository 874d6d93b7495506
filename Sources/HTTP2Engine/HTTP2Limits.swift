/// How much a peer may ask of a session beside requests that get their answers.
package struct HTTP2Limits: Equatable, Sendable {
    /// Frames a connection may send that lead to no answer, at once. Enough for 1000 streams that open, send two frames and are
    /// all taken back, three times over.
    package var frameBurst = 10_000
    /// How many such frames come back every second. Clients send a PING a second at most (gorush).
    package var frameRate = 1000
    /// Bytes of one header block, as it comes and as it decodes (name, value and 32 for each field). Eight times the header
    /// list APNs takes: a list above that one still gets its 431.
    package var headerBlockByteCount = 65536

    /// The numbers above.
    package init() {}
}
