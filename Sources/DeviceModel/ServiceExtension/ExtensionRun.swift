package import APNs
package import JSON

/// A service extension's run for one request.
package struct ExtensionRun: Sendable, Hashable, Codable {
    package var end: End
    /// Explains the end, such as `signal 11 (SIGSEGV)`; may be empty.
    package var detail = ""
    /// The content of the handler's first call, else the best attempt.
    package var answer: NotificationContent?
    package var answerSource: AnswerSource?
    package var ignoredAnswerCount = 0
    /// When the extension was launched or, if already running, asked; on the gateway's clock.
    package var startedAt: Instant
    /// When `serviceExtensionTimeWillExpire` was called.
    package var expiredAt: Instant?
    package var endedAt: Instant
    package var isNewProcess = false
    /// Real milliseconds until `didReceive` was entered; nil if unknown.
    package var startUpMilliseconds: Double?
    /// Real milliseconds until the handler's first call.
    package var answerMilliseconds: Double?
    /// The highest resident memory of the process so far; nil if unknown.
    package var peakMemoryByteCount: Int?
    /// Oldest first; bounded.
    package var log: [LogLine] = []
    /// The end of its standard error and of standard output outside the protocol.
    package var outputTail = ""
    /// In order; bounded.
    package var donationCalls: [DonationCall] = []
    package var centerCalls: [CenterCall] = []
    package var findings: [Finding] = []

    package var donations: [Donation] {
        donationCalls.compactMap { if case .donate(let donation) = $0 { donation } else { nil } }
    }

    package init(_ end: End, startedAt: Instant, endedAt: Instant) {
        self.end = end
        self.startedAt = startedAt
        self.endedAt = endedAt
    }

    /// Ways for a request to end (C.3).
    package enum End: String, CaseIterable, Codable, Sendable {
        /// The extension called the handler, at the latest during `serviceExtensionTimeWillExpire`.
        case answered
        /// Time ran out; there may be a best attempt.
        case expired
        case startupTimedOut
        case crashed
        /// The process exited without calling the handler.
        case exited
        case outOfMemory
        case unreachable
        case protocolError
        /// The gateway stopped, or the notification was cleared.
        case cancelled
    }

    package enum AnswerSource: String, CaseIterable, Codable, Sendable {
        case handler
        /// The content handler, called from `serviceExtensionTimeWillExpire` or later.
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
        /// `add`, `removeDelivered`, `removeAllDelivered`, `removePending`, `setBadgeCount`, `setCategories` or
        /// `categories`.
        package var name: String
        package var arguments: JSONValue

        package init(name: String, arguments: JSONValue) {
            self.name = name
            self.arguments = arguments
        }
    }
}
