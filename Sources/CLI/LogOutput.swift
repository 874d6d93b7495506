internal import APNs
internal import Credentials
internal import Glibc
internal import JSON
internal import Logging
internal import PushcoteConfiguration

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
        switch format {
        case .text: StandardStreams.writeError(Self.text(event.level, event.message, all, isColoured: isColoured))
        case .json: StandardStreams.writeError(Self.json(event.level, event.message, all))
        }
    }

    private static func text(
        _ level: Logger.Level, _ message: Logger.Message, _ pairs: [(key: String, value: Logger.MetadataValue)],
        isColoured: Bool
    ) -> String {
        let time = SystemClock.now().text.dropFirst(11).dropLast()
        let colour = isColoured ? level.colour : nil
        let label = (colour.map { "\u{1B}[\($0)m" } ?? "") + level.rawValue + (colour == nil ? "" : "\u{1B}[0m")
        let details = pairs.map { " \($0.key)=\($0.value)" }.joined()
        let space = String(repeating: " ", count: max(1, 8 - level.rawValue.count))
        return "\(time) \(label)\(space)\("\(message)\(details)".onOneLine)"
    }

    private static func json(
        _ level: Logger.Level, _ message: Logger.Message, _ pairs: [(key: String, value: Logger.MetadataValue)]
    ) -> String {
        var object: JSONObject = [
            "time": .string(SystemClock.now().text), "level": .string(level.rawValue), "message": .string("\(message)"),
        ]
        for pair in pairs { object[pair.key] = .string("\(pair.value)") }
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
