internal import HTTP2Engine

/// What a client gets that does not begin with the HTTP/2 preface: GOAWAY with its first bytes in the debug data, as seen from APNs.
struct PrefaceRefusal {
    /// How many of the client's bytes are shown.
    static let shownByteCount = 64

    /// Frames to send as they are.
    let bytes: [UInt8]
    /// The last of them.
    let goAway: SentGoAway

    /// - Parameters:
    ///   - firstBytes: What the client sent first.
    ///   - settings: Given when the server's SETTINGS have not left yet.
    init(firstBytes: [UInt8], settings: HTTP2Settings?) {
        let dump = firstBytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }
        let text = "HTTP/2 client preface string missing or corrupt. Hex dump for received bytes: " + dump.joined()
        var frames: [UInt8] = []
        // A session that has heard nothing has its SETTINGS to say and nothing else.
        if let settings { try? HTTP2Session(settings: settings).takeOutput(into: &frames) }
        goAway = SentGoAway(
            code: HTTP2ErrorCode.protocolError.rawValue, lastStream: 0, debugData: Array(text.utf8))
        bytes = frames + HTTP2Session.goAwayFrame(goAway.code, lastStream: 0, debugData: goAway.debugData)
    }

    /// The client's bytes for a log line.
    static func printable(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.map { (0x20..<0x7f).contains($0) ? $0 : 0x2e }, as: UTF8.self)
    }
}
