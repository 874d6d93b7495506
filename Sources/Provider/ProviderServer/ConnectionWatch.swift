internal import HTTP2Engine
internal import Logging
internal import NIOCore

/// Tracks what an HTTP/2 connection waits for and since when. Polled periodically, so reads cost nothing.
struct ConnectionWatch {
    private enum Stage { case handshake, preface, serving }

    private let timeouts: Timeouts
    private var stage = Stage.handshake
    /// Start of the stage, or time of the last new frame.
    private var since: Int64
    private var frameCount: UInt32 = 0
    private var settingsSince: Int64?
    private var settingsCount: UInt32 = 0
    private var unreadSince: Int64?

    init(timeouts: Timeouts, now: Int64) {
        self.timeouts = timeouts
        since = now
    }

    mutating func handshakeFinished(now: Int64) {
        stage = .preface
        since = now
    }

    /// The peer's first SETTINGS arrived.
    mutating func settingsReceived() { stage = .serving }

    mutating func writability(_ isWritable: Bool, now: Int64) { unreadSince = isWritable ? nil : unreadSince ?? now }

    /// - Returns: The limit that was exceeded.
    mutating func overdue(_ session: HTTP2Session?, now: Int64) -> AttackClass? {
        if let unreadSince, now - unreadSince >= timeouts.send { return .slowReader }
        guard let session, stage != .handshake else { return now - since >= timeouts.handshake ? .slowHandshake : nil }
        guard stage == .serving else { return now - since >= timeouts.preface ? .slowPreface : nil }
        if session.receivedFrameCount != frameCount {
            frameCount = session.receivedFrameCount
            since = now
        }
        if isAcknowledgementOverdue(session, now: now) { return .slowSettings }
        if session.isInsideFrame { return now - since >= timeouts.frame ? .slowFrame : nil }
        return session.openStreamCount == 0 && now - since >= timeouts.idle ? .idle : nil
    }

    private mutating func isAcknowledgementOverdue(_ session: HTTP2Session, now: Int64) -> Bool {
        let count = session.acknowledgedSettingsCount
        guard session.awaitsAcknowledgement, let settingsSince, count == settingsCount else {
            settingsSince = session.awaitsAcknowledgement ? now : nil
            settingsCount = count
            return false
        }
        return now - settingsSince >= timeouts.settings
    }
}

extension ConnectionHandler {
    func checkTimeouts(at now: Int64) {
        // Timeouts do not apply while a fault keeps the connection silent.
        guard !isClosing, !faults.isSilent else { return }
        if let attack = watch.overdue(session, now: now) { return end(attack) }
        if let session, session.openStreamCount > 0 { endStalledStreams(session, now: now) }
    }

    func record(_ attack: AttackClass) {
        server.attacks.add(attack)
        ending = .limit(attack)
        if let context { server.log(attack, of: context.channel) }
    }

    private func end(_ attack: AttackClass) {
        record(attack)
        // GOAWAY is impossible before TLS is up or while the socket accepts no output.
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

    /// Closes without a GOAWAY.
    private func abort() {
        isClosing = true
        context?.close(promise: nil)
    }
}

/// In milliseconds.
struct Timeouts: Sendable {
    let handshake, preface, settings, frame, request, send, idle: Int64
    /// How often timeouts are polled: often enough for the shortest, at most 100 times a second.
    let interval: Int64

    init(_ limits: ConnectionLimits) {
        handshake = Self.milliseconds(limits.handshakeTimeout)
        preface = Self.milliseconds(limits.prefaceTimeout)
        settings = Self.milliseconds(limits.settingsTimeout)
        frame = Self.milliseconds(limits.frameTimeout)
        request = Self.milliseconds(limits.requestTimeout)
        send = Self.milliseconds(limits.sendTimeout)
        idle = Self.milliseconds(limits.idleTimeout)
        let shortest = [handshake, preface, settings, frame, request, send, idle].reduce(.max, min)
        interval = max(10, min(shortest / 4, 1000))
    }

    /// Effectively infinite, but safe to add to.
    private static let never: Int64 = .max / 4

    private static func milliseconds(_ duration: Duration) -> Int64 {
        duration > .zero ? min(Int64(clamping: Int128(duration / .milliseconds(1))), never) : never
    }
}
