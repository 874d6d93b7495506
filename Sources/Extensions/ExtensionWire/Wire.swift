package import Foundation
internal import Synchronization

/// The extension's end of the protocol: lines out, answers to its calls in.
///
/// The classes of Apple's frameworks are reached through globals (`UNUserNotificationCenter.current()`), so there is one.
package final class Wire: Sendable {
    package static let shared = Wire()

    private let state = Mutex(State())
    /// Held while a line is written, so that lines stay whole and in order; a line has left the process before the caller
    /// goes on, as the caller may be about to crash.
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

        /// Nobody can be asked.
        package static let none = Reply(result: .null, error: nil)
    }

    /// The request that the calling code works on, where that is known for certain.
    @TaskLocal package static var request: Int?

    /// Where lines go from now on; each call gets one line without its end.
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
        guard let call else { return completion(.none) }
        send("center", ["call": .integer(call), "name": .string(name), "arguments": .object(arguments)])
    }

    /// Hands the host's answer to whoever waits for it.
    package func complete(_ reply: WireValue) {
        guard let call = reply["call"]?.integer,
            let completion = state.withLock({ $0.pendingCalls.removeValue(forKey: call) })
        else { return }
        completion(Reply(result: reply["result"] ?? .null, error: reply["error"]?.text))
    }

    /// Threads that the extension made itself do not say which request they work on. When several run, the latest is the
    /// best guess.
    private var currentRequest: Int? {
        Self.request ?? state.withLock { $0.runningRequests.last ?? $0.latestRequest }
    }

    private func write(_ line: String) {
        guard let sink = state.withLock({ $0.sink }) else { return }
        output.withLock { sink(line) }
    }
}

/// What the host said about the app and the device with the latest request.
package struct Surroundings: Sendable {
    package var bundleIdentifier: String
    package var displayName: String
    /// Identifiers of the entitlements that the app has.
    package var entitlements: [String]
    /// `NSUserActivityTypes` of the app.
    package var userActivityTypes: [String]
    package var deviceName: String
    /// Before the first unlock after the boot neither the keychain nor app groups can be read.
    package var isUnlockedSinceBoot: Bool
    /// The person's notification settings for the app, as the host says them.
    package var settings: WireValue
    /// Where app groups have their folders.
    package var groups: URL
    /// Where the extension may write.
    package var temporary: URL

    /// Reads a `didReceive` message; what it does not say has a default that lets an extension run.
    package init(_ message: WireValue = .object([:])) {
        let app = message["app"]
        let device = message["device"]
        let paths = message["paths"]
        let temporary = paths?["temporary"]?.text ?? NSTemporaryDirectory()
        bundleIdentifier = app?["bundleId"]?.text ?? "com.example.app"
        displayName = app?["displayName"]?.text ?? bundleIdentifier
        entitlements = app?["entitlements"]?.elements?.compactMap(\.text) ?? []
        userActivityTypes = app?["userActivityTypes"]?.elements?.compactMap(\.text) ?? []
        deviceName = device?["name"]?.text ?? "iPhone"
        isUnlockedSinceBoot = device?["isUnlockedSinceBoot"]?.bool ?? true
        settings = message["settings"] ?? .null
        self.temporary = URL(fileURLWithPath: temporary, isDirectory: true)
        groups =
            paths?["groups"]?.text.map { URL(fileURLWithPath: $0, isDirectory: true) }
            ?? self.temporary.appendingPathComponent("groups", isDirectory: true)
    }
}
