internal import ExtensionWire

/// Writes to the run's log.
public struct Logger: Sendable {
    private let prefix: String

    public init(subsystem: String, category: String) { prefix = category.isEmpty ? "" : "[\(category)] " }

    public init() { prefix = "" }

    public init(_ log: OSLog) { self.init(subsystem: log.subsystem, category: log.category) }

    public func log(level: OSLogType = .default, _ message: OSLogMessage) { write(level.name, message) }
    public func log(_ message: OSLogMessage) { write("default", message) }
    public func trace(_ message: OSLogMessage) { write("debug", message) }
    public func debug(_ message: OSLogMessage) { write("debug", message) }
    public func info(_ message: OSLogMessage) { write("info", message) }
    public func notice(_ message: OSLogMessage) { write("default", message) }
    public func warning(_ message: OSLogMessage) { write("error", message) }
    public func error(_ message: OSLogMessage) { write("error", message) }
    public func critical(_ message: OSLogMessage) { write("fault", message) }
    public func fault(_ message: OSLogMessage) { write("fault", message) }

    private func write(_ level: String, _ message: OSLogMessage) {
        Wire.shared.send("log", ["level": .string(level), "message": .string(prefix + message.text)])
    }
}

/// How important a line is.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }
    public static let `default` = Self(0x00)
    public static let info = Self(0x01)
    public static let debug = Self(0x02)
    public static let error = Self(0x10)
    public static let fault = Self(0x11)

    var name: String {
        switch self {
        case .info: "info"
        case .debug: "debug"
        case .error: "error"
        case .fault: "fault"
        default: "default"
        }
    }
}
