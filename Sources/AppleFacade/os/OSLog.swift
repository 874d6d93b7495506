// C's names are not in camel case.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import ExtensionWire
public import Foundation

/// Where lines belong.
public final class OSLog: NSObject, Sendable {
    let subsystem: String
    let category: String

    public init(subsystem: String, category: String) {
        self.subsystem = subsystem
        self.category = category
    }

    public static let `default` = OSLog(subsystem: "", category: "")
    public static let disabled = OSLog(subsystem: "", category: "")
}

/// Writes a line as C's `printf` would; a value that is marked `%{private}` or `%{sensitive}` is not shown.
public func os_log(
    _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default, type: OSLogType = .default,
    _ arguments: any CVarArg...
) {
    log.write(type, message, arguments)
}

/// Writes a line as C's `printf` would.
public func os_log(
    _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString,
    _ arguments: any CVarArg...
) {
    log.write(type, message, arguments)
}

/// Writes a message of parts.
public func os_log(_ message: OSLogMessage) { Logger().log(message) }

extension OSLog {
    fileprivate func write(_ type: OSLogType, _ message: StaticString, _ arguments: [any CVarArg]) {
        let error = errno
        guard self !== OSLog.disabled else { return }
        let prefix = category.isEmpty ? "" : "[\(category)] "
        let text = prefix + OSLogFormat("\(message)").text(arguments, error: error)
        Wire.shared.send("log", ["level": .string(type.name), "message": .string(text)])
    }
}
