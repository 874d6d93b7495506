internal import ExtensionWire
@preconcurrency internal import Foundation
public import UserNotifications

/// A service extension as a process of its own: the gateway's requests on standard input, answers on standard output.
public enum ServiceExtensionProcess {
    /// Serves requests until standard input ends.
    ///
    /// The main thread serves `DispatchQueue.main` and the main actor; the extension is called on threads of its own.
    /// - Parameter makeExtension: Makes the principal object: one per request, unless the gateway asks for reuse.
    public static func run(_ makeExtension: @escaping @Sendable () -> UNNotificationServiceExtension) -> Never {
        let output = ProtocolOutput()
        Defaults.writeAtTheEnd()
        Wire.shared.connect { output.write($0) }
        Wire.shared.send("ready", ["protocol": .integer(1)])
        let requests = RequestQueue(makeExtension)
        Thread.detachNewThread {
            StandardInput.forEachLine { requests.handle($0) }
            Defaults.write()
            // Without destructors, as other threads may still run.
            fflush(nil)
            _exit(0)
        }
        dispatchMain()
    }
}

/// The standard output that the process was started with; the extension's own `print` goes to standard error from now on.
struct ProtocolOutput: Sendable {
    private let descriptor: Int32

    init() {
        // Not inherited by what the extension might start.
        descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        dup2(STDERR_FILENO, STDOUT_FILENO)
        // What was printed must be out before a crash.
        setvbuf(stdout, nil, Int32(_IOLBF), 0)
    }

    /// Writes a line, unless the host has closed its end.
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
    /// Calls `body` with each line, in order, until the input ends.
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

/// The extension's changes of `UserDefaults`, of all suites: iOS writes them by itself, Foundation on Linux only when asked.
enum Defaults {
    /// Writes unsaved changes; only as the process ends, as it empties Core Foundation's cache, which another thread may use.
    static func write() { flushPreferences() }

    /// Writes on `exit` and on SIGTERM.
    static func writeAtTheEnd() {
        atexit { Defaults.write() }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        bell = ends[1]
        // The main thread, which `dispatchMain` parks, takes every signal, so that nobody can wait for one with `sigwait`.
        signal(SIGTERM) { _ in _ = Foundation.write(bell, "!", 1) }
        Thread.detachNewThread { [bell = ends[0]] in
            var byte: UInt8 = 0
            while read(bell, &byte, 1) < 0, errno == EINTR {}
            write()
            fflush(nil)
            // Ends the process as an uncaught signal does.
            signal(SIGTERM, SIG_DFL)
            kill(getpid(), SIGTERM)
        }
    }
}

/// The pipe that the handler of SIGTERM writes to.
///
/// `nonisolated(unsafe)`: set once, before there is a handler.
private nonisolated(unsafe) var bell: Int32 = -1

// Foundation on Linux exports it and declares it nowhere; it takes nothing and returns nothing, as in C.
@_silgen_name("CFPreferencesFlushCaches") private func flushPreferences()
