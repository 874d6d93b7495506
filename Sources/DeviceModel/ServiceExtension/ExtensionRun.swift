public import APNs

/// What a service extension did with one request, as its supervisor saw it; what follows is for `ExtensionDecision` to say.
public struct ExtensionRun: Sendable, Hashable, Codable {
    /// How the request ended.
    public var end: End
    /// More about the end, such as `signal 11 (SIGSEGV)` or `exit status 0`; empty when there is nothing to add.
    public var detail = ""
    /// The content of the first call of the handler, else the best attempt; nil when there is none of both.
    public var answer: NotificationContent?
    /// Where `answer` comes from; nil without one.
    public var answerSource: AnswerSource?
    /// Calls of the handler after the first; they are ignored.
    public var ignoredAnswerCount = 0
    /// When the extension was launched, or asked if it ran already; on the gateway's clock.
    public var startedAt: Instant
    /// When `serviceExtensionTimeWillExpire` was called; nil when it was not.
    public var expiredAt: Instant?
    /// When the run was over.
    public var endedAt: Instant
    /// Whether a process was started for it.
    public var isNewProcess = false
    /// Real milliseconds until `didReceive` was entered; nil when it never was, or nobody can tell.
    public var startUpMilliseconds: Double?
    /// Real milliseconds until the first call of the handler.
    public var answerMilliseconds: Double?
    /// The most memory that the process had resident so far, in bytes; nil when nobody can tell.
    public var peakMemoryByteCount: Int?
    /// What it logged, oldest first; bounded.
    public var log: [LogLine] = []
    /// The end of what it wrote to standard error (and to standard output beside the protocol).
    public var outputTail = ""
    /// Interactions that it donated, in order.
    public var donations: [Donation] = []
    /// What it asked of `UNUserNotificationCenter`, in order.
    public var centerCalls: [CenterCall] = []
    /// What was odd about the run and about what it handed over.
    public var findings: [Finding] = []

    public init(_ end: End, startedAt: Instant, endedAt: Instant) {
        self.end = end
        self.startedAt = startedAt
        self.endedAt = endedAt
    }

    /// How a request may end (C.3).
    public enum End: String, CaseIterable, Codable, Sendable {
        /// The handler was called, in time or within `serviceExtensionTimeWillExpire`.
        case answered
        /// Time was up; there may be a best attempt.
        case expired
        /// `didReceive` was not entered in time.
        case startupTimedOut
        /// A signal ended it.
        case crashed
        /// It ended by itself without calling the handler.
        case exited
        /// It took more memory than it may.
        case outOfMemory
        /// It could not be started or reached.
        case unreachable
        /// What it answered is not the protocol.
        case protocolError
        /// The gateway stopped, or the notification was cleared.
        case cancelled
    }

    /// Who handed an answer over.
    public enum AnswerSource: String, CaseIterable, Codable, Sendable {
        /// The content handler, before time was up.
        case handler
        /// The content handler, called from `serviceExtensionTimeWillExpire` or after it.
        case expiration
        /// A best attempt left beforehand (process and http).
        case bestAttempt
    }

    /// A line of a log.
    public struct LogLine: Sendable, Hashable, Codable {
        public var level: String
        public var message: String

        public init(level: String, message: String) {
            self.level = level
            self.message = message
        }
    }

    /// A call of `UNUserNotificationCenter`.
    public struct CenterCall: Sendable, Hashable, Codable {
        /// `add`, `removeDelivered`, `removeAllDelivered`, `removePending`, `setBadgeCount`, `setCategories` or `categories`.
        public var name: String
        /// What it was called with.
        public var arguments: JSONValue

        public init(name: String, arguments: JSONValue) {
            self.name = name
            self.arguments = arguments
        }
    }
}
