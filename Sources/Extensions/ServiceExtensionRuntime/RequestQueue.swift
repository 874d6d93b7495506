internal import ExtensionWire
internal import Foundation
internal import UserNotifications

/// Runs requests. `@unchecked`: `lock` protects all variables and is not held while the extension runs.
final class RequestQueue: @unchecked Sendable {
    private let makeExtension: @Sendable () -> UNNotificationServiceExtension
    private let lock = NSLock()
    private var running: [Int: Running] = [:]
    private var reused: UNNotificationServiceExtension?

    /// How long an expiry waits for `didReceive` to return: after a clock advance, it may not have stored its handler.
    private static let returnTimeLimit = DispatchTimeInterval.milliseconds(500)

    private struct Running {
        /// Left when `didReceive` returns.
        let call = DispatchGroup()
        var principal: UNNotificationServiceExtension?
        var isExpiring = false
        var isAnswered = false
        var hasReturned = false
    }

    init(_ makeExtension: @escaping @Sendable () -> UNNotificationServiceExtension) {
        self.makeExtension = makeExtension
    }

    /// Ignores unknown messages.
    func handle(_ line: [UInt8]) {
        guard let message = try? WireValue(json: line) else { return }
        switch message["type"]?.text {
        case "didReceive": receive(message)
        case "serviceExtensionTimeWillExpire": expire(message)
        case "cancel": cancel(message)
        case "reply": HostConnection.shared.complete(message)
        default: return
        }
    }

    private func receive(_ message: WireValue) {
        guard let id = message["id"]?.integer, let request = message["request"] else { return }
        HostConnection.shared.surroundings = Surroundings(message)
        HostConnection.shared.begin(id)
        let reuses = message["reusesInstance"]?.bool ?? false
        let entry = Running()
        let call = entry.call
        call.enter()
        lock.withLock { running[id] = entry }
        onThread(of: id) { [self] in
            defer { didReturn(id, call) }
            let principal = principal(for: id, reuses: reuses)
            HostConnection.shared.send("entered", request: id, [:])
            principal.didReceive(UNNotificationRequest(json: request)) { [self] in answer(id, with: $0) }
        }
    }

    /// iOS uses a thread that is neither the main thread nor that of `didReceive`.
    private func expire(_ message: WireValue) {
        guard let id = message["id"]?.integer, let call = lock.withLock({ running[id]?.call }) else { return }
        onThread(of: id) { [self] in
            _ = call.wait(timeout: .now() + Self.returnTimeLimit)
            expiring(id)?.serviceExtensionTimeWillExpire()
        }
    }

    /// The object whose time is up; nil after its answer.
    private func expiring(_ id: Int) -> UNNotificationServiceExtension? {
        lock.withLock {
            guard running[id]?.isAnswered == false else { return nil }
            running[id]?.isExpiring = true
            return running[id]?.principal
        }
    }

    private func cancel(_ message: WireValue) {
        guard let id = message["id"]?.integer else { return }
        lock.withLock { running[id] = nil }
        HostConnection.shared.end(id)
    }

    /// Reports every call, because the host distinguishes the first; the host also awaits the return of `didReceive`.
    private func answer(_ id: Int, with content: UNNotificationContent) {
        let state = lock.withLock {
            defer { running[id]?.isAnswered = true }
            return running[id]
        }
        var members = ["content": content.json, "expiring": .bool(state?.isExpiring ?? false)]
        if state?.hasReturned == false { members["awaitsReturn"] = .bool(true) }
        HostConnection.shared.send("content", request: id, members)
        HostConnection.shared.end(id)
    }

    private func didReturn(_ id: Int, _ call: DispatchGroup) {
        let isAnswered = lock.withLock {
            running[id]?.hasReturned = true
            return running[id]?.isAnswered ?? false
        }
        if isAnswered { HostConnection.shared.send("returned", request: id, [:]) }
        call.leave()
    }

    // Without the lock, because this runs the extension's code. Objects of answered requests live until the next
    // request, as their closures may refer to them weakly.
    private func principal(for id: Int, reuses: Bool) -> UNNotificationServiceExtension {
        let known = reuses ? lock.withLock { reused } : nil
        let principal = known ?? makeExtension()
        lock.withLock {
            running = running.filter { !($0.value.isAnswered && $0.value.hasReturned) }
            running[id]?.principal = principal
            reused = reuses ? principal : nil
        }
        return principal
    }

    private func onThread(of id: Int, _ body: @escaping @Sendable () -> Void) {
        Thread.detachNewThread { HostConnection.$request.withValue(id) { body() } }
    }
}
