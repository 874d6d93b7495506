internal import NIOCore
internal import NIOPosix

package struct HTTPAnswer: Sendable, Equatable {
    package var status: Int
    /// Without chunk framing.
    package var body: [UInt8]
}

extension HTTPCall {
    /// - Parameter timeout: Starts when the connection is established.
    package func answer(maximumByteCount: Int, timeout: Duration) async throws(HTTPProblem) -> HTTPAnswer {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let promise = loop.makePromise(of: HTTPAnswer.self)
        loop.execute {
            start(on: loop, Collector(promise, maximumByteCount: maximumByteCount, timeout: timeout))
        }
        do {
            return try await promise.futureResult.get()
        } catch {
            throw error as? HTTPProblem ?? .closed
        }
    }
}

private final class Collector: HTTPReceiver {
    private let promise: EventLoopPromise<HTTPAnswer>
    private let maximumByteCount: Int
    private let timeout: Duration
    private var answer = HTTPAnswer(status: 0, body: [])
    private var channel: (any Channel)?
    private var timer: Scheduled<Void>?

    init(_ promise: EventLoopPromise<HTTPAnswer>, maximumByteCount: Int, timeout: Duration) {
        (self.promise, self.maximumByteCount, self.timeout) = (promise, maximumByteCount, timeout)
    }

    func connected(_ channel: any Channel) {
        self.channel = channel
        timer = channel.eventLoop.scheduleTask(in: TimeAmount(timeout)) { [promise] in
            promise.fail(HTTPProblem.answerTimeout)
            channel.close(promise: nil)
        }
    }

    func receive(status: Int, contentType: String) { answer.status = status }

    func receive(_ bytes: inout ByteBuffer) {
        answer.body += bytes.readableBytesView
        guard answer.body.count > maximumByteCount else { return }
        failed(.tooLong)
        channel?.close(promise: nil)
    }

    func receiveComplete() {}

    func ended() {
        timer?.cancel()
        promise.succeed(answer)
    }

    func failed(_ problem: HTTPProblem) {
        timer?.cancel()
        promise.fail(problem)
    }
}
