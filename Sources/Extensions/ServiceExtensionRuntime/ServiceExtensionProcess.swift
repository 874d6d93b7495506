internal import ExtensionWire
@preconcurrency internal import Foundation
public import UserNotifications

/// A service extension as a process: requests on standard input, answers on standard output.
public enum ServiceExtensionProcess {
    /// Serves until standard input ends. The main thread runs the main actor, other threads the extension.
    /// - Parameter makeExtension: Called once per request, or once in all if the gateway asks for reuse.
    public static func run(_ makeExtension: @escaping @Sendable () -> UNNotificationServiceExtension) -> Never {
        let output = ProtocolOutput()
        Defaults.writeAtTheEnd()
        HostConnection.shared.connect { output.write($0) }
        HostConnection.shared.send("ready", ["protocol": .integer(1), "status": .string(processStatus())])
        let requests = RequestQueue(makeExtension)
        Thread.detachNewThread {
            StandardInput.forEachLine { requests.handle($0) }
            Defaults.write()
            // Skip destructors: other threads may still run.
            fflush(nil)
            _exit(0)
        }
        dispatchMain()
    }
}

/// The text of `/proc/self/status`: the gateway measures memory growth from here.
private func processStatus() -> String {
    let descriptor = open("/proc/self/status", O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
}

/// The process's original standard output; redirects the extension's own `print` to standard error.
struct ProtocolOutput: Sendable {
    private let descriptor: Int32

    init() {
        // Not inherited by child processes.
        descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        dup2(STDERR_FILENO, STDOUT_FILENO)
        // Line-buffered, so that printed lines survive a crash.
        setvbuf(stdout, nil, Int32(_IOLBF), 0)
    }

    /// After the host closes its end, SIGPIPE ends the process.
    func write(_ line: String) {
        var bytes = Array((line + "\n").utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}

enum StandardInput {
    static func forEachLine(_ body: ([UInt8]) -> Void) {
        var pending: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = read(STDIN_FILENO, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            pending += part[..<count]
            while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                body(Array(pending[..<end]))
                pending.removeSubrange(...end)
            }
        }
    }
}

/// `UserDefaults` of all suites. iOS saves changes by itself; Foundation on Linux only on request.
enum Defaults {
    /// Call only at exit: it empties Core Foundation's cache, which another thread may use.
    static func write() { flushPreferences() }

    static func writeAtTheEnd() {
        atexit { Defaults.write() }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        terminationPipe = ends[1]
        // The main thread, parked in `dispatchMain`, takes every signal, so no thread can `sigwait` for one.
        signal(SIGTERM) { _ in _ = Foundation.write(terminationPipe, "!", 1) }
        Thread.detachNewThread { [end = ends[0]] in
            var byte: UInt8 = 0
            while read(end, &byte, 1) < 0, errno == EINTR {}
            write()
            fflush(nil)
            // So that the exit status reports SIGTERM.
            signal(SIGTERM, SIG_DFL)
            kill(getpid(), SIGTERM)
        }
    }
}

/// The pipe that SIGTERM's handler writes to. `nonisolated(unsafe)`: set once, before the handler exists.
private nonisolated(unsafe) var terminationPipe: Int32 = -1

// Exported but not declared by Foundation on Linux; takes and returns nothing.
@_silgen_name("CFPreferencesFlushCaches") private func flushPreferences()
