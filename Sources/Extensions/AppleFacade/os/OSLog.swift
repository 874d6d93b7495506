// C's names are not in camel case.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import ExtensionWire
public import Foundation

public final class OSLog: NSObject, Sendable {
    let subsystem: String
    let category: String

    public init(subsystem: String, category: String) {
        self.subsystem = subsystem
        self.category = category
    }

    public static let `default` = OSLog(subsystem: "", category: "")
    public static let disabled = OSLog(subsystem: "", category: "")

    fileprivate var prefix: String { category.isEmpty ? "" : "[\(category)] " }
}

/// Logs in `printf` format; hides values marked `%{private}` or `%{sensitive}`.
public func os_log(
    _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default, type: OSLogType = .default,
    _ arguments: any CVarArg...
) {
    log.write(type, message, arguments)
}

public func os_log(
    _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString,
    _ arguments: any CVarArg...
) {
    log.write(type, message, arguments)
}

public func os_log(_ message: OSLogMessage) { Logger().log(message) }

extension OSLog {
    fileprivate func write(_ type: OSLogType, _ message: StaticString, _ arguments: [any CVarArg]) {
        let error = errno
        guard self !== OSLog.disabled else { return }
        let text = prefix + formatted("\(message)", arguments, error: error)
        HostConnection.shared.send("log", ["level": .string(type.name), "message": .string(text)])
    }
}

/// As `printf` formats, with Apple's options: `%{private}d` hides a value, `%m` is the text of `errno`.
private func formatted(_ format: String, _ arguments: [any CVarArg], error: Int32) -> String {
    var rest = arguments[...]
    return format.replacing(/%(?:\{([^}]*)\})?([-+ 0#']*[0-9*]*(?:\.[0-9*]*)?[hlqLztj]*)(.)/) { match -> String in
        let (_, options, form, letter) = match.output
        switch letter {
        case "%": return "%"
        case "m": return String(cString: strerror(error))
        default:
            let count = form.count { $0 == "*" } + 1
            defer { rest = rest.dropFirst(count) }
            // Too few arguments are undefined in C.
            guard rest.count >= count else { return "" }
            let words = (options ?? "").split(separator: ",").map { $0.filter { $0 != " " } }
            if words.contains("private") || words.contains("sensitive") { return "<private>" }
            return String(format: "%" + form + letter, arguments: Array(rest.prefix(count)))
        }
    }
}

public struct Logger: Sendable {
    private let log: OSLog

    public init(subsystem: String, category: String) { log = OSLog(subsystem: subsystem, category: category) }

    public init() { log = .default }

    public init(_ log: OSLog) { self.log = log }

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
        HostConnection.shared.send("log", ["level": .string(level), "message": .string(log.prefix + message.text)])
    }
}

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
