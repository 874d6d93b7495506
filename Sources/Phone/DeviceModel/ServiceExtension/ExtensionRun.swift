package import JSON
package import Time

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
        /// A name of docs/service-extension-protocol.md, or any other that the extension sent.
        package var name: String
        package var arguments: JSONValue

        package init(_ name: String, _ arguments: JSONValue = [:]) {
            self.name = name
            self.arguments = arguments
        }
    }
}

/// One call of `didReceive(_:withContentHandler:)`.
package struct ExtensionRequest: Sendable, Hashable {
    package var notification: UInt64
    package var device: String
    /// `request.identifier`: the collapse identifier, or a generated one.
    package var identifier: String
    /// In the device's language.
    package var content: NotificationContent
    /// `userInfo`.
    package var payload: [UInt8]
    package var app: App
    package var settings: NotificationSettings
    package var locale: String
    /// Files and keychain are unreadable until the first unlock after boot (C.5).
    package var isUnlockedSinceBoot: Bool
    /// On the device's clock.
    package var at: Instant
    /// The generation of the requesting state: after a restore, the number may belong to another notification.
    package var generation: UInt64

    package init(
        notification: UInt64, device: String, identifier: String, content: NotificationContent, payload: [UInt8],
        app: App, settings: NotificationSettings = NotificationSettings(), locale: String = "en_US",
        isUnlockedSinceBoot: Bool = true, at: Instant, generation: UInt64 = 0
    ) {
        self.notification = notification
        self.device = device
        self.identifier = identifier
        self.content = content
        self.payload = payload
        self.app = app
        self.settings = settings
        self.locale = locale
        self.isUnlockedSinceBoot = isUnlockedSinceBoot
        self.at = at
        self.generation = generation
    }
}
