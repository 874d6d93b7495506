internal import HTTP2Engine
internal import Logging
internal import NIOCore

extension ConnectionHandler {
    func look(at now: Int64) {
        // A connection that is silent on purpose says nothing about its time either.
        guard !isClosing, !faults.isSilent else { return }
        if let attack = watch.overdue(session.map { ConnectionWatch.Sight($0) }, now: now) { return end(attack) }
        if let session, session.openStreamCount > 0 { endStalledStreams(session, now: now) }
    }

    /// A bound was reached.
    func note(_ attack: AttackClass) {
        server.attacks.add(attack)
        server.logger.debug(
            "Connection ended by a limit",
            metadata: ["peer": "\(context?.remoteAddress?.text ?? "")", "limit": "\(attack.rawValue)"])
    }

    private func end(_ attack: AttackClass) {
        note(attack)
        // Nothing can be said before TLS is up, or to a socket that takes nothing.
        guard let session, attack != .slowReader else { return abort() }
        try? session.end(attack)
        closeAfterFlush()
    }

    private func endStalledStreams(_ session: HTTP2Session, now: Int64) {
        do throws(HTTP2Error) {
            let stalled = try session.resetStalledStreams(
                requestsSince: now - server.timeouts.request, answersSince: now - server.timeouts.send)
            guard stalled.requests + stalled.answers > 0 else { return }
            server.attacks.add(.slowRequest, stalled.requests)
            server.attacks.add(.slowReader, stalled.answers)
            flush()
        } catch {
            fail(error)
        }
    }

    /// Closes without a word.
    private func abort() {
        isClosing = true
        ending = .gateway
        context?.close(promise: nil)
    }
}
