package import APNs
package import DeviceSimulator
internal import Wire

/// One provider request with its answer.
package struct RequestRecord: Sendable {
    /// Position in the log; the first request is 1.
    package internal(set) var number: UInt64 = 0
    package var receivedAt: Instant
    /// Number of the connection it came on; 0 for the admin API.
    package var connection: UInt32
    package var environment: APNsEnvironment
    package var authentication: Authentication
    package var outcome: Outcome
    /// The fault rule that fired.
    package var fault: FaultMark?
    /// What became of the answer; `nil` when it was sent at once.
    package var answer: AnswerNote?

    /// How the provider was recognised.
    package enum Authentication: String, Codable, Sendable {
        /// A token signed with a registered key.
        case verifiedToken
        /// A token of a key that is not registered; its signature could not be checked.
        case unknownKey
        case certificate
        /// None was needed.
        case off
        /// Pushed by hand, through the admin API.
        case admin
        /// The request was refused before, or by, authentication.
        case none
    }

    package enum Outcome: Sendable {
        /// - notification: Its number in the device's inbox.
        case accepted(push: Push, registration: Registration, notification: UInt64)
        indirect case refused(Refusal)
        /// A fault rule handled it: it was neither accepted nor rejected.
        indirect case taken(Taken)
        /// Its header list was too large to be read, for which APNs has no reason. With the answer's `apns-id`.
        case oversized(APNsID)
    }

    package struct Taken: Sendable {
        package let request: PackedRequest
        package let apnsID: APNsID
        /// The size as sent; `request` retains a bounded part.
        package let payloadByteCount: Int
    }

    package struct Refusal: Sendable {
        package let request: PackedRequest
        package let apnsID: APNsID
        package let rejection: APNsRejection
        /// The size as sent; `request` retains a bounded part.
        package let payloadByteCount: Int
    }

    /// `:status` of the answer; `nil` when none was sent.
    package var status: UInt16? {
        if let answer, answer.fate != .sent { return nil }
        if let fault { return fault.status }
        switch outcome {
        case .accepted: return 200
        case .refused(let refusal): return refusal.rejection.reason.status
        case .taken: return nil
        case .oversized: return Self.oversizedStatus
        }
    }

    /// The request as it was sent, without its token.
    package var request: PackedRequest {
        switch outcome {
        case .accepted(let push, _, _): push.request
        case .refused(let refusal): refusal.request
        case .taken(let taken): taken.request
        case .oversized: Self.unread
        }
    }

    /// Request Header Fields Too Large (RFC 6585 §5).
    package static let oversizedStatus: UInt16 = 431

    private static let unread = PackedRequest(packing: RequestBlock(fields: [], body: []), token: nil)
}

/// What became of an answer that was not sent at once.
package final class AnswerNote: Sendable {
    package let fate: Fate
    package let at: Instant

    package enum Fate: String, CaseIterable, Sendable {
        /// A fault rule delays it.
        case waiting
        /// It was sent late.
        case sent
        /// A fault rule withheld it, or ended the connection instead.
        case withheld
        /// A fault rule reset the stream instead.
        case reset
        /// A GOAWAY said that the request was not processed.
        case unprocessed
        /// The client cancelled the request before it could leave.
        case cancelled
        /// The connection ended, or fell silent, before it could leave.
        case connectionLost
    }

    init(_ fate: Fate, at: Instant) {
        self.fate = fate
        self.at = at
    }
}

/// What a fault rule did to a request.
package final class FaultMark: Sendable {
    package let rule: String
    /// `:status` of the answer; `nil` when there was none.
    package let status: UInt16?
    package let reason: String?
    /// The answer's fate before the rule is carried out; `nil` when it leaves at once.
    let answer: AnswerNote?

    /// - Parameters:
    ///   - status: The gateway's own answer, if the rule lets one through.
    ///   - now: When the request was checked.
    init(_ firing: FaultFiring, status: UInt16?, at now: Instant) {
        rule = firing.rule
        self.status = firing.isAnswered ? firing.answer.map { UInt16($0.code) } ?? status : nil
        reason = firing.isAnswered ? firing.answer?.reason : nil
        if firing.delay > .zero {
            answer = AnswerNote(.waiting, at: now)
        } else {
            answer = firing.isAnswered ? nil : AnswerNote(firing.fate, at: now)
        }
    }
}
