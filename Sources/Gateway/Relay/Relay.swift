internal import Clients
internal import DequeModule
internal import Fields
package import Gateway
package import NIOCore
internal import NIOPosix
internal import ServiceLifecycle
internal import Synchronization

/// Relays selected pushes to an upstream after they have been answered, and records its answers.
package final class Relay: Service, CustomStringConvertible {
    /// A few MB of pushes.
    private static let capacity = 1000
    /// In real time, doubled with each failure.
    private static let firstPause = TimeAmount.seconds(1)
    private static let longestPause = TimeAmount.seconds(60)

    package let upstream: Upstream
    private let gateway: Gateway
    private let loop: any EventLoop
    private let queue = Mutex(Deque<RelayedPush>())
    private let sender: NIOLoopBoundBox<Sender>

    /// Confined to the event loop.
    private struct Sender {
        var state = State.idle
        var pause = firstPause
        var token: (text: String, issuedAt: Int64)?

        enum State {
            case idle, connecting
            case open(RelayLink)
            /// After a failed attempt.
            case pausing
            case stopped
        }
    }

    package init(_ upstream: Upstream, _ gateway: Gateway, loop: any EventLoop) {
        (self.upstream, self.gateway, self.loop) = (upstream, gateway, loop)
        sender = NIOLoopBoundBox.makeBoxSendingValue(Sender(), eventLoop: loop)
        gateway.requestLog.beginRelaying()
    }

    package var description: String { "Relay" }

    package func run() async throws {
        try? await gracefulShutdown()
        try? await loop.submit { [self] in
            if case .open(let link) = sender.value.state { link.close() }
            sender.value.state = .stopped
        }.get()
    }

    /// Queues a push on any event loop; never waits.
    package func offer(_ push: RelayedPush) {
        guard !push.isRelayed else {
            return record(
                .failed("not sent: another gateway's relay sent it here (header \(RelayedPush.mark))"), of: push)
        }
        // Before it is queued, so that the answer cannot arrive earlier.
        record(.waiting, of: push)
        let hasRoom = queue.withLock { queue in
            guard queue.count < Self.capacity else { return false }
            queue.append(push)
            return true
        }
        guard hasRoom else { return record(.dropped, of: push) }
        loop.execute { [self] in pump() }
    }

    func record(_ fate: RelayResult.Fate, of push: RelayedPush) {
        gateway.record(fate, of: push, by: upstream.rules.name)
    }

    // MARK: On the event loop

    private func pump() {
        switch sender.value.state {
        case .idle: if !queue.withLock({ $0.isEmpty }) { connect() }
        case .open(let link):
            while link.hasRoom, let push = queue.withLock({ $0.popFirst() }) {
                link.send(push, upstream.fields(of: push, token: &sender.value.token))
            }
        case .connecting, .pausing, .stopped: break
        }
    }

    private func connect() {
        sender.value.state = .connecting
        let link = NIOLoopBound(RelayLink(self), eventLoop: loop)
        let (client, address) = (upstream.context, upstream.address)
        ClientBootstrap(group: loop).connectTimeout(.seconds(10))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(
                        [TLSClientHandler(client, host: address.host), link.value])
                }
            }
            .connect(host: address.host, port: address.port)
            .whenFailure { [self] error in failed("no connection: \(error)") }
    }

    /// The link is ready, or has answers: there is room.
    func advance(_ link: RelayLink) {
        if case .stopped = sender.value.state { return link.close() }
        sender.value.state = .open(link)
        sender.value.pause = Self.firstPause
        pump()
    }

    /// The link accepts no more pushes.
    func left(_ link: RelayLink) {
        guard case .open(let current) = sender.value.state, current === link else { return }
        sender.value.state = .idle
        pump()
    }

    /// The connection failed: queued pushes fail, and the next attempt follows after a delay.
    func failed(_ reason: String) {
        guard case .connecting = sender.value.state else { return }
        sender.value.state = .pausing
        let waiting = queue.withLock { queue in
            defer { queue = [] }
            return queue
        }
        for push in waiting { record(.failed(reason), of: push) }
        loop.assumeIsolated().scheduleTask(in: sender.value.pause) { [self] in
            guard case .pausing = sender.value.state else { return }
            sender.value.state = .idle
            pump()
        }
        sender.value.pause = min(Self.longestPause, .nanoseconds(sender.value.pause.nanoseconds * 2))
    }
}
