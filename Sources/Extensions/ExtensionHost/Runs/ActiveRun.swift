internal import APNs
internal import DeviceModel
internal import NIOCore

/// A request from its submission until it is reported.
///
/// - Note: Not `Sendable`; the host's event loop owns it.
final class ActiveRun {
    enum Phase {
        /// It waits for its turn.
        case waiting
        /// It was handed over; `didReceive` has not been entered.
        case starting
        /// `didReceive` was entered.
        case working
        /// `serviceExtensionTimeWillExpire` was called; the timer ends the last chance.
        case expiring(Scheduled<Void>)
        /// The handler was called while `didReceive` runs; the timer ends the wait for its return.
        case answered(Scheduled<Void>)
        /// It is too late for an answer.
        case timeIsUp
        /// It has been reported.
        case over
    }

    /// Who is working on it.
    var carrier: (any Carrier)?
    let number: Int
    let request: ExtensionRequest
    let submittedAt: Instant
    var phase = Phase.waiting
    /// What is known by now.
    var record: ExtensionRun
    var bestAttempt: NotificationContent?
    /// When it was handed over, in real time.
    var begunAt = NIODeadline.now()
    /// Whether a process that never read it died with it.
    var wasRetried = false
    /// Whether it counts as one that is worked on.
    var wasHandedOver = false
    /// Whether its handler was called when it was too late.
    var hasLateAnswer = false
    /// Whether its handler was called before `didReceive` returned; `returned` follows.
    var awaitsReturn = false
    /// Whether `didReceive` has returned.
    var hasReturned = false

    init(_ request: ExtensionRequest, number: Int, at instant: Instant) {
        self.request = request
        self.number = number
        submittedAt = instant
        record = ExtensionRun(.cancelled, startedAt: instant, endedAt: instant)
    }

    /// How the extension is reached.
    var service: ServiceExtension { request.app.extension ?? ServiceExtension() }

    /// Whether the handler was called.
    var isAnswered: Bool { record.answerSource != nil }

    /// Whether `serviceExtensionTimeWillExpire` was called, or time is up altogether.
    var isExpired: Bool { record.expiredAt != nil }

    /// Real milliseconds since it was handed over.
    var milliseconds: Double { Double((NIODeadline.now() - begunAt).nanoseconds) / 1e6 }

    /// Back to where it was before it was handed over.
    func takeBack() {
        phase = .waiting
        carrier = nil
        wasHandedOver = false
        wasRetried = true
        record = ExtensionRun(.cancelled, startedAt: record.startedAt, endedAt: record.startedAt)
    }
}

/// What works on runs: a process, or an exchange with a server.
protocol Carrier: AnyObject {
    /// Calls `serviceExtensionTimeWillExpire`.
    func expire(_ run: ActiveRun)
    /// Stops waiting for a run and sees to its being finished with this end.
    func giveUp(_ run: ActiveRun, _ end: ExtensionRun.End, _ detail: String)
    /// A run is over: takes it off its hands.
    func letGo(_ run: ActiveRun)
    /// What it has to add to a run's record when that is finished.
    func complete(_ record: inout ExtensionRun)
}
