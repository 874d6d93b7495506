import ExtensionWire
import Foundation

/// An extension's program, and the host's end of the protocol.
///
/// `@unchecked`: a test uses it from one task; the timer that ends a stuck program touches only `process`.
final class ExtensionProcess: @unchecked Sendable {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let errors = Pipe()
    private var pending = Data()
    private let home: URL
    /// Whether to delete its home folder afterwards.
    private let isOwn: Bool

    /// Starts one of the examples.
    convenience init(example: String, home: URL? = nil) throws {
        let folder = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
        guard let program = folder?.appendingPathComponent("example-extensions"),
            FileManager.default.isExecutableFile(atPath: program.path)
        else { throw CocoaError(.fileNoSuchFile) }
        try self.init(program: program, arguments: [example], home: home)
    }

    /// - Parameter home: Without one, it gets a folder of its own.
    init(program: URL, arguments: [String] = [], home: URL? = nil) throws {
        isOwn = home == nil
        self.home = home ?? FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: self.home, withIntermediateDirectories: true)
        process.executableURL = program
        process.arguments = arguments
        process.environment = ["HOME": self.home.path, "TMPDIR": self.home.path, "PATH": "/usr/bin:/bin"]
        // Options of scripts/sanitize for a program built with a sanitizer.
        for name in ["ASAN_OPTIONS", "TSAN_OPTIONS", "SWIFT_BACKTRACE"] {
            process.environment?[name] = ProcessInfo.processInfo.environment[name]
        }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // A hanging program fails its test without blocking the run: readers of its output get end of file.
        DispatchQueue.global().asyncAfter(deadline: .now() + 60) { [process] in
            if process.isRunning { process.terminate() }
        }
    }

    deinit {
        try? input.fileHandleForWriting.close()
        if process.isRunning { process.terminate() }
        if isOwn { try? FileManager.default.removeItem(at: home) }
    }

    /// Sends SIGTERM.
    func terminate() { process.terminate() }

    /// Sends a line.
    func send(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }

    /// Sends a request for a push.
    func receive(
        _ payload: String, id: Int = 1, title: String = "Hello", body: String = "The original text.",
        more: String = ""
    ) throws {
        try send(
            """
            {"type":"didReceive","protocol":1,"id":\(id),"request":{"identifier":"push-\(id)",\
            "date":"2026-11-21T07:00:00.000Z","trigger":{"type":"push","repeats":false},"content":{"title":"\(title)",\
            "subtitle":"","body":"\(body)","sound":"default","interruptionLevel":"active","relevanceScore":0,\
            "threadIdentifier":"thread","userInfo":\(payload)}}\(more)}
            """)
    }

    /// The next message of a type; others are skipped. `nil` when the output ended.
    func next(_ type: String) -> WireValue? {
        while let message = nextMessage() {
            if message["type"]?.text == type { return message }
        }
        return nil
    }

    /// The messages before the next one of a type.
    func messages(before type: String) -> [WireValue] {
        var messages: [WireValue] = []
        while let message = nextMessage(), message["type"]?.text != type { messages.append(message) }
        return messages
    }

    /// The next message, `.null` for an invalid line; `nil` at the end of the output.
    private func nextMessage() -> WireValue? {
        while true {
            if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                let line = pending[..<end]
                pending = Data(pending[(end + 1)...])
                return (try? WireValue(json: line)) ?? .null
            }
            let part = output.fileHandleForReading.availableData
            guard !part.isEmpty else { return nil }
            pending += part
        }
    }

    /// Waits until it has printed a text a number of times.
    func waitUntilPrinted(_ text: String, times: Int = 1) {
        while printed.split(separator: "\n").filter({ $0 == text }).count < times {
            let part = errors.fileHandleForReading.availableData
            guard !part.isEmpty else { return }
            printed += String(decoding: part, as: UTF8.self)
        }
    }

    private var printed = ""

    /// Closes its input and waits for it to exit.
    /// - Returns: What else it sent, what it wrote to standard error, and how it ended.
    func finish() -> (messages: [WireValue], errors: String, status: Int32, isSignal: Bool) {
        try? input.fileHandleForWriting.close()
        var messages: [WireValue] = []
        while let message = nextMessage() { messages.append(message) }
        printed += String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (messages, printed, process.terminationStatus, process.terminationReason == .uncaughtSignal)
    }
}
