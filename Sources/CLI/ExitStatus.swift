internal import ArgumentParser

package enum ExitStatus: Int32, CaseIterable, Sendable {
    case ok = 0
    /// It did not; standard error says why.
    case failed = 1
    /// The configuration, or a file it names, cannot be used.
    case badConfiguration = 2
    /// What was waited for did not happen in time.
    case timedOut = 3
    case unreachable = 4
    /// The command line is wrong (`EX_USAGE` of sysexits).
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

    /// The last paragraph of a help text.
    static func paragraph(_ statuses: [ExitStatus]) -> String {
        let lines = statuses.map { status in
            String(repeating: " ", count: 4 - "\(status.rawValue)".count) + "\(status.rawValue)  \(status.meaning)"
        }
        return "EXIT STATUS\n" + lines.joined(separator: "\n")
    }
}

/// Ends a command with a message for standard error.
package struct CommandFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package var status: ExitStatus
    /// Without a full stop or a new line at the end; empty says nothing.
    package var message: String

    package init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    package var description: String { message }
}

/// What a command has to say, and how it ends.
package struct CommandResult: Equatable, Sendable {
    /// For standard output.
    package var output: String
    /// For standard error; empty says nothing.
    package var remark = ""
    package var status = ExitStatus.ok

    package init(_ output: String, remark: String = "", status: ExitStatus = .ok) {
        (self.output, self.remark, self.status) = (output, remark, status)
    }

    /// Prints it, and ends the command as it says.
    /// - Throws: `CommandFailure` unless all is well.
    func end() throws(CommandFailure) {
        StandardStreams.write(output)
        guard status == .ok else { throw CommandFailure(status, remark) }
        StandardStreams.writeError(remark)
    }
}
