package import APNs
package import JSON

/// What a service extension did with one request, as its supervisor saw it; what follows is for `ExtensionDecision` to say.
package struct ExtensionRun: Sendable, Hashable, Codable {
    package var end: End
    /// More about the end, such as `signal 11 (SIGSEGV)` or `exit status 0`; empty when there is nothing to add.
    package var detail = ""
    /// The content of the first call of the handler, else the best attempt; nil when there is none of both.
    package var answer: NotificationContent?
    /// Where `answer` comes from; nil without one.
    package var answerSource: AnswerSource?
    /// Calls of the handler after the first; they are ignored.
    package var ignoredAnswerCount = 0
    /// When the extension was launched, or asked if it ran already; on the gateway's clock.
    package var startedAt: Instant
    /// When `serviceExtensionTimeWillExpire` was called; nil when it was not.
    package var expiredAt: Instant?
    package var endedAt: Instant
    package var isNewProcess = false
    /// Real milliseconds until `didReceive` was entered; nil when it never was, or nobody can tell.
    package var startUpMilliseconds: Double?
    /// Real milliseconds until the first call of the handler.
    package var answerMilliseconds: Double?
    /// The most memory that the process had resident so far, in bytes; nil when nobody can tell.
    package var peakMemoryByteCount: Int?
    /// What it logged, oldest first; bounded.
    package var log: [LogLine] = []
    /// The end of what it wrote to standard error (and to standard output beside the protocol).
    package var outputTail = ""
    /// Interactions that it donated, in order.
    package var donations: [Donation] = []
    /// What it asked of `UNUserNotificationCenter`, in order.
    package var centerCalls: [CenterCall] = []
    /// What was odd about the run and about what it handed over.
    package var findings: [Finding] = []

    package init(_ end: End, startedAt: Instant, endedAt: Instant) {
        self.end = end
        self.startedAt = startedAt
        self.endedAt = endedAt
    }

    /// How a request may end (C.3).
    package enum End: String, CaseIterable, Codable, Sendable {
        /// The handler was called, in time or within `serviceExtensionTimeWillExpire`.
        case answered
        /// Time was up; there may be a best attempt.
        case expired
        /// `didReceive` was not entered in time.
        case startupTimedOut
        case crashed
        /// It ended by itself without calling the handler.
        case exited
        /// It took more memory than it may.
        case outOfMemory
        /// It could not be started or reached.
        case unreachable
        case protocolError
        /// The gateway stopped, or the notification was cleared.
        case cancelled
    }

    /// Who handed an answer over.
    package enum AnswerSource: String, CaseIterable, Codable, Sendable {
        /// The content handler, before time was up.
        case handler
        /// The content handler, called from `serviceExtensionTimeWillExpire` or after it.
        case expiration
        /// A best attempt left beforehand (process and http).
        case bestAttempt
    }

    package struct LogLine: Sendable, Hashable, Codable {
        package var level: String
        package var message: String

        package init(level: String, message: String) {
            self.level = level
            self.message = message
        }
    }

    /// A call of `UNUserNotificationCenter`.
    package struct CenterCall: Sendable, Hashable, Codable {
        /// `add`, `removeDelivered`, `removeAllDelivered`, `removePending`, `setBadgeCount`, `setCategories` or `categories`.
        package var name: String
        package var arguments: JSONValue

        package init(name: String, arguments: JSONValue) {
            self.name = name
            self.arguments = arguments
        }
    }
}
