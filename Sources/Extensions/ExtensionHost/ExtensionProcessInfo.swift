package import APNs

/// A process that runs an app's service extension, for people to look at.
package struct ExtensionProcessInfo: Sendable, Hashable, Codable {
    /// The app's bundle identifier.
    package var app: String
    /// The process identifier; nil while it is being started.
    package var pid: Int?
    package var state: State
    /// Requests that it works on.
    package var activeCount = 0
    /// Requests of the app that wait for their turn.
    package var waitingCount = 0
    /// Requests that it was handed so far.
    package var runCount = 0
    /// Calls of a handler that came after their run was over.
    package var lateAnswerCount = 0
    /// The most memory that it was seen to have resident, in bytes; nil before anybody looked.
    package var peakMemoryByteCount: Int?
    /// When it was launched, on the gateway's clock.
    package var startedAt: Instant

    /// What it is doing.
    package enum State: String, CaseIterable, Codable, Sendable {
        /// It is being started.
        case launching
        /// It has requests.
        case working
        /// It has none and is kept for the next one.
        case idle
        /// It takes no more requests and ends soon.
        case ending
    }
}
