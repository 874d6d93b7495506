public import Foundation
internal import Synchronization

/// The extension's end of the protocol. A singleton, as Apple's API is global (`UNUserNotificationCenter.current()`).
package final class HostConnection: Sendable {
    package static let shared = HostConnection()

    private let state = Mutex(State())
    /// Serializes whole lines. The caller waits for the write, as it may crash next.
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
        package var error: String?
    }

    /// The calling code's request; nil on threads that the extension created.
    @TaskLocal package static var request: Int?

    /// - Parameter sink: Receives lines without line feed.
    package func connect(_ sink: @escaping @Sendable (String) -> Void) { state.withLock { $0.sink = sink } }

    package var surroundings: Surroundings {
        get { state.withLock { $0.surroundings } }
        set { state.withLock { $0.surroundings = newValue } }
    }

    package func begin(_ request: Int) {
        state.withLock {
            $0.runningRequests.append(request)
            $0.latestRequest = request
        }
    }

    package func end(_ request: Int) {
        state.withLock { $0.runningRequests.removeAll { $0 == request } }
    }

    /// - Parameter request: nil means the current one.
    /// - Returns: Whether there is a host.
    @discardableResult
    package func send(_ type: String, request: Int? = nil, _ members: [String: WireValue]) -> Bool {
        var message = members
        message["type"] = .string(type)
        message["id"] = (request ?? currentRequest).map { .integer($0) }
        return write(WireValue.object(message).json)
    }

    /// Calls the host. `completion` runs once, on an arbitrary thread.
    package func call(
        _ name: String, _ arguments: [String: WireValue] = [:],
        completion: @escaping @Sendable (Reply) -> Void = { _ in }
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

    package func reply(to name: String, _ arguments: [String: WireValue] = [:]) async -> Reply {
        await withCheckedContinuation { continuation in
            call(name, arguments) { continuation.resume(returning: $0) }
        }
    }

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

    private func write(_ line: String) -> Bool {
        guard let sink = state.withLock({ $0.sink }) else { return false }
        output.withLock { sink(line) }
        return true
    }
}

/// The base of Apple's classes whose copy is the object itself.
open class CopiedByReference: NSObject, NSCopying {
    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The device's state in the latest request, as far as extensions depend on it.
package struct Surroundings: Sendable {
    /// Before the first unlock after boot, the keychain and app groups are unreadable.
    package let isUnlockedSinceBoot: Bool
    package let settings: WireValue
    /// The parent of the app groups' folders.
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
