package import ArgumentParser

package enum ExitStatus: Int32, CaseIterable, Sendable {
    case ok = 0
    case failed = 1
    case badConfiguration = 2
    case timedOut = 3
    case unreachable = 4
    /// A wrong command line (`EX_USAGE` in sysexits).
    case usage = 64

    var meaning: String {
        switch self {
        case .ok: "success"
        case .failed: "failed, or rejected by the gateway"
        case .badConfiguration: "invalid configuration"
        case .timedOut: "timed out"
        case .unreachable: "no gateway answered"
        case .usage: "invalid command line"
        }
    }

    var helpLine: String { String(repeating: " ", count: 4 - "\(rawValue)".count) + "\(rawValue)  \(meaning)" }
}

extension CommandConfiguration {
    /// - Parameter exits: For the end of the help; usually those of a command that uses the admin API.
    package init(
        _ name: String, abstract: String, usage: String? = nil,
        exits: [ExitStatus] = [.ok, .failed, .unreachable, .usage], discussion: String, version: String = "",
        subcommands: [any ParsableCommand.Type] = [], defaultSubcommand: (any ParsableCommand.Type)? = nil
    ) {
        let statuses = exits.map(\.helpLine).joined(separator: "\n")
        self.init(
            commandName: name, abstract: abstract, usage: usage,
            discussion: "\(discussion)\n\nEXIT STATUS\n\(statuses)", version: version, subcommands: subcommands,
            defaultSubcommand: defaultSubcommand)
    }
}

package struct CommandFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package var status: ExitStatus
    /// For standard error, without a trailing full stop or line feed; an empty text prints nothing.
    package var message: String

    package init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    package var description: String { message }
}

package struct CommandResult: Equatable, Sendable {
    package var output: String
    /// For standard error; an empty text prints nothing.
    package var remark = ""
    package var status = ExitStatus.ok

    package init(_ output: String, remark: String = "", status: ExitStatus = .ok) {
        (self.output, self.remark, self.status) = (output, remark, status)
    }

    /// Prints the output.
    /// - Throws: `CommandFailure` unless the status is success and the output is written.
    package func end() throws(CommandFailure) {
        try StandardStreams.writeResult(output)
        guard status == .ok else { throw CommandFailure(status, remark) }
        StandardStreams.writeError(remark)
    }
}
