package import APNs
package import JSON

/// What a service extension did with one request.
package struct ExtensionRun: Sendable, Hashable, Codable {
    package var end: End
    /// More about the end, such as `signal 11 (SIGSEGV)`; may be empty.
    package var detail = ""
    /// The content of the handler's first call, else the best attempt.
    package var answer: NotificationContent?
    package var answerSource: AnswerSource?
    /// Calls of the handler after the first.
    package var ignoredAnswerCount = 0
    /// When the extension was launched, or asked if it ran already; on the gateway's clock.
    package var startedAt: Instant
    /// When `serviceExtensionTimeWillExpire` was called.
    package var expiredAt: Instant?
    package var endedAt: Instant
    package var isNewProcess = false
    /// Real milliseconds until `didReceive` was entered, if known.
    package var startUpMilliseconds: Double?
    /// Real milliseconds until the handler's first call.
    package var answerMilliseconds: Double?
    /// The most resident memory of the process so far, if known.
    package var peakMemoryByteCount: Int?
    /// Oldest first; bounded.
    package var log: [LogLine] = []
    /// The end of its standard error, and of its standard output beside the protocol.
    package var outputTail = ""
    package var donations: [Donation] = []
    package var centerCalls: [CenterCall] = []
    /// About the run and its answer.
    package var findings: [Finding] = []

    package init(_ end: End, startedAt: Instant, endedAt: Instant) {
        self.end = end
        self.startedAt = startedAt
        self.endedAt = endedAt
    }

    /// How a request may end (C.3).
    package enum End: String, CaseIterable, Codable, Sendable {
        /// The handler was called, at the latest within `serviceExtensionTimeWillExpire`.
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

    package enum AnswerSource: String, CaseIterable, Codable, Sendable {
        /// The content handler, before time was up.
        case handler
        /// The content handler, called from `serviceExtensionTimeWillExpire` or after it.
        case expiration
        /// A best attempt sent earlier (process and http).
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
