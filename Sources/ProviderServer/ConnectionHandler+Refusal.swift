internal import HTTP2Engine
internal import Logging
internal import NIOCore
internal import TLSEngine
internal import Wire

extension ConnectionHandler {
    /// HTTP/2 cannot go on: GOAWAY leaves if there is one, then the socket closes.
    func fail(_ error: HTTP2Error) {
        server.logger.debug("HTTP/2 ended", metadata: ["error": "\(error)"])
        closeAfterFlush()
    }

    /// The client is not welcome: it learns why as soon as it has introduced itself. No stream counts as processed, as
    /// with APNs.
    func dismiss(_ debugData: [UInt8]) {
        try? session?.submitGoAway(.noError, lastStream: 0, debugData: debugData)
        note(.clientCertificate, ["reason": "\(String(decoding: debugData, as: UTF8.self))"])
        closeAfterFlush()
    }

    /// TLS cannot go on: its alert leaves, then the socket closes.
    func refuse(_ error: TLSError) {
        if error.kind == .handshakeFlood { note(.handshakeFlood) }
        switch error.kind {
        case .clearText(let firstBytes): refuseClearText(firstBytes)
        case .noApplicationProtocol(let offered):
            note(.noH2, ["offered": "\(offered.isEmpty ? "none" : offered.joined(separator: ", "))"])
        default: note(error.isDistrust ? .distrustedAuthority : .failedTLS, ["error": "\(error)"])
        }
        closeAfterFlush()
    }

    /// What does not speak TLS may understand the GOAWAY that APNs answers in TLS.
    private func refuseClearText(_ firstBytes: [UInt8]) {
        note(Greeting(firstBytes) == .other ? .nonsense : .clearTextOnTLSPort, firstBytes: firstBytes)
        guard let context else { return }
        let answer = PrefaceRefusal(firstBytes: firstBytes, settings: server.configuration.http2).bytes
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(bytes: answer)), promise: nil)
    }

    /// The client does not speak HTTP/2: it gets APNs' GOAWAY, which names what it sent.
    func refusePreface(_ bytes: RawSpan) {
        let first = bytes.withUnsafeBytes { Array($0.prefix(PrefaceRefusal.shownByteCount)) }
        switch Greeting(first) {
        case .http1: note(.http1InsideTLS, firstBytes: first)
        case .http2: note(.brokenPreface, firstBytes: first)
        case .tls, .other: note(.nonsense, firstBytes: first)
        }
        isInTurn = false
        flush()
        let refusal = PrefaceRefusal(firstBytes: first, settings: nil)
        writePlaintext(refusal.bytes)
        writeCiphertext()
        delegate?.sent(refusal.goAway)
        closeAfterFlush()
    }

    func note(_ mistake: ClientMistake, firstBytes: [UInt8] = [], _ more: Logger.Metadata = [:]) {
        if let context { server.note(mistake, of: context, firstBytes: firstBytes, more) }
    }
}

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
            code: HTTP2ErrorCode.protocolError.number, lastStream: 0, debugData: Array(text.utf8))
        bytes = frames + HTTP2Session.goAwayFrame(goAway.code, lastStream: 0, debugData: goAway.debugData)
    }

    /// The client's bytes for a log line.
    static func printable(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.map { (0x20..<0x7f).contains($0) ? $0 : 0x2e }, as: UTF8.self)
    }
}
