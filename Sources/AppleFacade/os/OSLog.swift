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
        let prefix = category.isEmpty ? "" : "[\(category)] "
        let text = prefix + OSLogFormat("\(message)").text(arguments, error: error)
        Wire.shared.send("log", ["level": .string(type.name), "message": .string(text)])
    }
}

struct OSLogFormat {
    private enum Piece {
        case text(String)
        /// A `printf` specifier, and its number of arguments.
        case value(String, count: Int, isHidden: Bool)
        /// The text of `errno`.
        case error
    }

    private var pieces: [Piece] = []

    init(_ format: String) {
        var rest = format[...]
        while let start = rest.firstIndex(of: "%") {
            pieces.append(.text(String(rest[..<start])))
            rest = rest[start...]
            guard let match = rest.prefixMatch(of: /%(?:\{([^}]*)\})?([-+ 0#']*[0-9*]*(?:\.[0-9*]*)?[hlqLztj]*)(.)/)
            else {
                break
            }
            pieces.append(Self.piece(options: match.1 ?? "", form: match.2, letter: match.3))
            rest = rest[match.range.upperBound...]
        }
        pieces.append(.text(String(rest)))
    }

    private static func piece(options: Substring, form: Substring, letter: Substring) -> Piece {
        switch letter {
        case "%": return .text("%")
        case "m": return .error
        default:
            let words = options.split(separator: ",").map { $0.filter { $0 != " " } }
            return .value(
                "%" + form + letter, count: form.count { $0 == "*" } + 1,
                isHidden: words.contains("private") || words.contains("sensitive"))
        }
    }

    func text(_ arguments: [any CVarArg], error: Int32) -> String {
        var rest = arguments[...]
        return pieces.reduce(into: "") { text, piece in
            switch piece {
            case .text(let part): text += part
            case .error: text += String(cString: strerror(error))
            case .value(let form, let count, let isHidden):
                // Too few arguments are undefined in C.
                if rest.count >= count {
                    text += isHidden ? "<private>" : String(format: form, arguments: Array(rest.prefix(count)))
                }
                rest = rest.dropFirst(count)
            }
        }
    }
}

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
