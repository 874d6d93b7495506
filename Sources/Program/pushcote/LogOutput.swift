internal import CLI
internal import Glibc
internal import JSON
internal import Logging
internal import PushcoteConfiguration
internal import Time

/// Writes log lines to standard error, as text (coloured on a terminal) or as one JSON object per line.
struct LogOutput: LogHandler {
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]
    private let format: LogFormat
    private let isColoured: Bool

    init(_ format: LogFormat) {
        self.format = format
        isColoured = isatty(STDERR_FILENO) == 1 && getenv("NO_COLOR") == nil
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }.sorted { $0.key < $1.key }
        let details = all.map { (name: $0.key, text: "\($0.value)") }
        switch format {
        case .text: StandardStreams.writeLog(text(event, details))
        case .json: StandardStreams.writeError(json(event, details))
        }
    }

    private func text(_ event: LogEvent, _ details: [(name: String, text: String)]) -> String {
        let time = SystemClock.now().text.dropFirst(11).dropLast()
        let level = event.level.rawValue
        let label = isColoured ? event.level.colour.map { "\u{1B}[\($0)m\(level)\u{1B}[0m" } : nil
        let space = String(repeating: " ", count: max(1, 8 - level.count))
        let message = "\(event.message)" + details.map { " \($0.name)=\($0.text)" }.joined()
        return "\(time) \(label ?? level)\(space)\(message.onOneLine)"
    }

    private func json(_ event: LogEvent, _ details: [(name: String, text: String)]) -> String {
        var object: JSONObject = [
            "time": .string(SystemClock.now().text), "level": .string(event.level.rawValue),
            "message": .string("\(event.message)"),
        ]
        for detail in details { object[detail.name] = .string(detail.text) }
        return JSONValue.object(object).text
    }
}

extension Logger.Level {
    /// ANSI colour (ECMA-48, SGR).
    fileprivate var colour: Int? {
        switch self {
        case .trace, .debug, .info, .notice: nil
        case .warning: 33
        case .error, .critical: 31
        }
    }
}
