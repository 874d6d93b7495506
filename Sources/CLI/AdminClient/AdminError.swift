internal import DeviceModel
internal import Fields

/// Why the admin API could not be used.
package enum AdminError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Nothing listens there.
    case unreachable(AdminAddress, why: String)
    /// There was no whole answer in time.
    case timedOut(AdminAddress, after: Duration)
    /// The connection ended before the answer did, or the answer is not HTTP.
    case noAnswer(AdminAddress, why: String)
    /// The gateway says no; the message is its own.
    case refused(status: Int, message: String)
    /// The gateway's answer is not what was expected.
    case unexpectedAnswer(path: String, why: String)

    /// What happened, and what to do.
    package var description: String {
        switch self {
        case .unreachable(let address, let why):
            "nothing answers at \(address) (\(why)): is `pushcote serve` running? Set another address with --admin or "
                + "PUSHCOTE_ADMIN"
        case .timedOut(let address, let duration):
            "\(address) accepted the request but did not answer within \(DurationText.text(duration))"
        case .noAnswer(let address, let why):
            "no answer from \(address) (\(why)): either the gateway is stopping, or this is not the port of its admin API "
                + "(listen.admin, default 8197)"
        case .refused(401, let message):
            "\(message) (401): pass the gateway's admin.token with --token or PUSHCOTE_ADMIN_TOKEN"
        case .refused(let status, let message): "\(message) (\(status))"
        case .unexpectedAnswer(let path, let why):
            "cannot read the answer to \(path) (\(why)): do the client and the gateway have the same version?"
        }
    }
}
