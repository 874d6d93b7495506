internal import NIOCore
internal import NIOPosix

package struct HTTPAnswer: Sendable, Equatable {
    package var status: Int
    /// Without chunk framing.
    package var body: [UInt8]
}

extension HTTPCall {
    /// Closes the connection when the task is cancelled.
    ///
    /// - Parameters:
    ///   - timeout: Starts when the connection is established.
    ///   - isTruncated: Cut a longer answer short instead of failing.
    package func answer(
        maximumByteCount: Int, isTruncated: Bool = false, timeout: Duration
    ) async throws(HTTPProblem) -> HTTPAnswer {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let promise = loop.makePromise(of: HTTPAnswer.self)
        loop.execute {
            start(
                on: loop,
                Collector(
                    promise, maximumByteCount: maximumByteCount, isTruncated: isTruncated, timeout: timeout))
        }
        do {
            return try await withTaskCancellationHandler {
                try await promise.futureResult.get()
            } onCancel: {
                promise.fail(HTTPProblem.closed)
            }
        } catch {
            throw error as? HTTPProblem ?? .closed
        }
    }
}

private final class Collector: HTTPReceiver {
    private let promise: EventLoopPromise<HTTPAnswer>
    private let maximumByteCount: Int
    private let isTruncated: Bool
    private let timeout: Duration
    private var answer = HTTPAnswer(status: 0, body: [])
    private var timer: Scheduled<Void>?

    init(_ promise: EventLoopPromise<HTTPAnswer>, maximumByteCount: Int, isTruncated: Bool, timeout: Duration) {
        (self.promise, self.maximumByteCount) = (promise, maximumByteCount)
        (self.isTruncated, self.timeout) = (isTruncated, timeout)
    }

    func connected(_ channel: any Channel) {
        timer = channel.eventLoop.scheduleTask(in: TimeAmount(timeout)) { [promise] in
            promise.fail(HTTPProblem.answerTimeout)
        }
        // Whatever ends the call ends the connection.
        promise.futureResult.whenComplete { _ in channel.close(promise: nil) }
    }

    func receive(status: Int, contentType: String) { answer.status = status }

    func receive(_ bytes: inout ByteBuffer) {
        answer.body += bytes.readableBytesView.prefix(maximumByteCount + 1 - min(maximumByteCount, answer.body.count))
        guard answer.body.count > maximumByteCount else { return }
        if isTruncated { ended() } else { failed(.tooLong) }
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
