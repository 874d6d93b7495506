public import APNs

/// A process that runs an app's service extension, for people to look at.
public struct ExtensionProcessInfo: Sendable, Hashable, Codable {
    /// The app's bundle identifier.
    public var app: String
    /// The process identifier; nil while it is being started.
    public var pid: Int?
    public var state: State
    /// Requests that it works on.
    public var activeCount = 0
    /// Requests of the app that wait for their turn.
    public var waitingCount = 0
    /// Requests that it was handed so far.
    public var runCount = 0
    /// Calls of a handler that came after their run was over.
    public var lateAnswerCount = 0
    /// The most memory that it was seen to have resident, in bytes; nil before anybody looked.
    public var peakMemoryByteCount: Int?
    /// When it was launched, on the gateway's clock.
    public var startedAt: Instant

    /// What it is doing.
    public enum State: String, CaseIterable, Codable, Sendable {
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
