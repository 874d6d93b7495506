internal import HTTP2Engine
internal import Logging
internal import NIOCore
internal import RequestWire
internal import TLSEngine

extension ConnectionHandler {
    func fail(_ error: HTTP2Error) {
        server.logger.debug("HTTP/2 ended", metadata: ["error": "\(error)"])
        closeAfterFlush()
    }

    /// Rejects the connection with GOAWAY after the client's SETTINGS. Like APNs, counts no stream as processed.
    func dismiss(_ debugData: [UInt8]) {
        try? session?.submitGoAway(.noError, lastStream: 0, debugData: debugData)
        log(
            .clientCertificate,
            ["reason": "\(String(decoding: debugData, as: UTF8.self))", "detail": "\(delegate?.goodbyeDetail ?? "")"])
        closeAfterFlush()
    }

    func refuse(_ error: TLSError) {
        if error.kind == .handshakeFlood { record(.handshakeFlood) }
        switch error.kind {
        case .clearText(let firstBytes): refuseClearText(firstBytes)
        case .noApplicationProtocol(let offered):
            log(.noH2, ["offered": "\(offered.isEmpty ? "none" : offered.joined(separator: ", "))"])
        default:
            if error.isDistrust, case .tls(let connection) = transport, let name = connection.missingName {
                log(.missingName, ["serverName": "\(name.prefix(255))", "error": "\(error)"])
            } else {
                log(error.isDistrust ? .distrustedAuthority : .failedTLS, ["error": "\(error)"])
            }
        }
        closeAfterFlush()
    }

    /// Sends the GOAWAY that APNs sends over TLS, in clear text, which the client may understand.
    private func refuseClearText(_ firstBytes: [UInt8]) {
        let isProxy = firstBytes.starts(with: Array("CONNECT ".utf8))
        log(
            isProxy ? .proxyOnTLSPort : Greeting(firstBytes) == .other ? .nonsense : .clearTextOnTLSPort,
            firstBytes: firstBytes)
        guard let context else { return }
        let answer = PrefaceRefusal(firstBytes: firstBytes, settings: server.configuration.http2).bytes
        context.send(answer)
    }

    /// Answers a client that does not speak HTTP/2 with APNs' GOAWAY, which quotes the client's bytes.
    func refusePreface(_ bytes: RawSpan) {
        let first = bytes.withUnsafeBytes { Array($0.prefix(PrefaceRefusal.shownByteCount)) }
        log(mistake(in: first), firstBytes: first)
        isInTurn = false
        flush()
        let refusal = PrefaceRefusal(firstBytes: first, settings: nil)
        writePlaintext(refusal.bytes)
        writeCiphertext()
        delegate?.sent(refusal.goAway)
        closeAfterFlush()
    }

    func reportViolation(_ goAway: SentGoAway) {
        let code = HTTP2ErrorCode.allCases.first { $0.number == goAway.code }?.rawValue ?? "\(goAway.code)"
        let reason = String(decoding: goAway.debugData, as: UTF8.self)
        let isOrder = reason.contains(SentGoAway.streamOrder)
        guard let context else { return }
        server.log(
            isOrder ? .streamOrder : .violation, cause: code, of: context.channel,
            ["code": "\(code)", "reason": "\(reason)"])
    }

    private func mistake(in first: [UInt8]) -> ClientMistake {
        // On the clear-text port, only what begins like the preface gets here.
        guard case .tls = transport else { return .brokenPreface }
        return switch Greeting(first) {
        case .http1: .http1InsideTLS
        case .http2: .brokenPreface
        case .tls, .other: .nonsenseInsideTLS
        }
    }

    func log(_ mistake: ClientMistake, firstBytes: [UInt8] = [], _ more: Logger.Metadata = [:]) {
        if let context { server.log(mistake, of: context.channel, firstBytes: firstBytes, more) }
    }
}

/// The answer to a missing HTTP/2 preface: as observed from APNs, GOAWAY with the client's first bytes as debug data.
struct PrefaceRefusal {
    static let shownByteCount = 64
    let bytes: [UInt8]
    let goAway: SentGoAway

    /// - Parameter settings: The server's SETTINGS if they were not sent yet.
    init(firstBytes: [UInt8], settings: HTTP2Settings?) {
        let text =
            "HTTP/2 client preface string missing or corrupt. Hex dump for received bytes: " + firstBytes.hexadecimal
        var frames: [UInt8] = []
        // A new session's only output is its SETTINGS.
        if let settings { try? HTTP2Session(settings: settings).takeOutput(into: &frames) }
        goAway = SentGoAway(code: HTTP2ErrorCode.protocolError.number, lastStream: 0, debugData: Array(text.utf8))
        bytes = frames + HTTP2Session.goAwayFrame(goAway.code, lastStream: 0, debugData: goAway.debugData)
    }
}
