package import Foundation
internal import Synchronization

/// The extension's end of the protocol: lines out, answers to its calls in.
///
/// The classes of Apple's frameworks are reached through globals (`UNUserNotificationCenter.current()`), so there is one.
package final class Wire: Sendable {
    package static let shared = Wire()

    private let state = Mutex(State())
    /// Held while a line is written, so that lines stay whole and in order. The caller waits for the write, as it may be about
    /// to crash.
    private let output = NSLock()

    private struct State {
        var sink: (@Sendable (String) -> Void)?
        var surroundings = Surroundings()
        var runningRequests: [Int] = []
        var latestRequest: Int?
        var lastCall = 0
        var pendingCalls: [Int: @Sendable (Reply) -> Void] = [:]
    }

    package struct Reply: Sendable {
        package var result: WireValue
        /// Why it failed.
        package var error: String?
    }

    /// The request that the calling code works on; nil on threads that the extension made itself.
    @TaskLocal package static var request: Int?

    /// - Parameter sink: Gets each line, without its end.
    package func connect(_ sink: @escaping @Sendable (String) -> Void) {
        state.withLock { $0.sink = sink }
    }

    package var surroundings: Surroundings {
        get { state.withLock { $0.surroundings } }
        set { state.withLock { $0.surroundings = newValue } }
    }

    /// A request is handed to the extension.
    package func begin(_ request: Int) {
        state.withLock {
            $0.runningRequests.append(request)
            $0.latestRequest = request
        }
    }

    /// A request was answered or is over.
    package func end(_ request: Int) {
        state.withLock { $0.runningRequests.removeAll { $0 == request } }
    }

    /// Sends a message; `request` defaults to the one that is worked on.
    package func send(_ type: String, request: Int? = nil, _ members: [String: WireValue]) {
        var message = members
        message["type"] = .string(type)
        message["id"] = (request ?? currentRequest).map { .integer($0) }
        write(WireValue.object(message).json)
    }

    /// Asks the host; `completion` is called on an arbitrary thread, once.
    package func call(
        _ name: String, _ arguments: [String: WireValue], completion: @escaping @Sendable (Reply) -> Void
    ) {
        let call: Int? = state.withLock {
            guard $0.sink != nil else { return nil }
            $0.lastCall += 1
            $0.pendingCalls[$0.lastCall] = completion
            return $0.lastCall
        }
        guard let call else { return completion(Reply(result: .null)) }
        send("center", ["call": .integer(call), "name": .string(name), "arguments": .object(arguments)])
    }

    /// Completes the call that the host replies to.
    package func complete(_ reply: WireValue) {
        guard let call = reply["call"]?.integer,
            let completion = state.withLock({ $0.pendingCalls.removeValue(forKey: call) })
        else { return }
        completion(Reply(result: reply["result"] ?? .null, error: reply["error"]?.text))
    }

    /// On the extension's own threads, the latest request is the best guess.
    private var currentRequest: Int? {
        Self.request ?? state.withLock { $0.runningRequests.last ?? $0.latestRequest }
    }

    private func write(_ line: String) {
        guard let sink = state.withLock({ $0.sink }) else { return }
        output.withLock { sink(line) }
    }
}

/// What the extension may use, as the latest request has it.
package struct Surroundings: Sendable {
    /// Before the first unlock after the boot neither the keychain nor app groups can be read.
    package let isUnlockedSinceBoot: Bool
    /// The app's notification settings.
    package let settings: WireValue
    /// The folder of the app groups' folders.
    package let groups: URL

    /// Reads a `didReceive` message; absent members get defaults that let an extension run.
    package init(_ message: WireValue = .null) {
        isUnlockedSinceBoot = message["device"]?["isUnlockedSinceBoot"]?.bool ?? true
        settings = message["settings"] ?? .null
        let paths = message["paths"]
        let temporary = paths?["temporary"]?.text ?? NSTemporaryDirectory()
        groups = URL(fileURLWithPath: paths?["groups"]?.text ?? "\(temporary)/groups", isDirectory: true)
    }
}
