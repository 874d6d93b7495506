package import APNs
internal import DeviceModel
package import DeviceSimulator
internal import RequestWire
package import Time

/// A provider request with its answer.
package struct RequestRecord: Sendable {
    /// Consecutive from 1.
    package internal(set) var number: UInt64 = 0
    package var receivedAt: Instant
    /// The connection's number; 0 for the admin API.
    package var connection: UInt32
    package var environment: APNsEnvironment
    package var authentication: Authentication
    package var outcome: Outcome
    package var fault: FaultMark?
    /// `nil` when the answer was sent at once.
    package var answer: DelayedAnswer?
    /// `nil` for a request that was not relayed.
    package internal(set) var relay: RelayResult?

    package enum Authentication: String, CaseIterable, Codable, Sendable {
        /// A token signed with a registered key.
        case verifiedToken
        /// A token of an unregistered key; its signature was not checked.
        case unknownKey
        case certificate
        case off
        case admin
        /// The request was rejected before or by authentication.
        case none
    }

    package enum Source: String, CaseIterable, Codable, Sendable {
        case provider
        /// A direct push, through the admin API.
        case hand
    }

    package var source: Source { connection == 0 ? .hand : .provider }

    package enum Outcome: Sendable {
        /// `notification` is the number in the device's inbox.
        case accepted(push: Push, registration: Registration, notification: UInt64)
        indirect case refused(UndeliveredRequest, APNsRejection)
        /// An accepted broadcast or a request for channels.
        indirect case served(UndeliveredRequest, ServedRequest)
        /// Handled by a fault rule; neither accepted nor rejected.
        indirect case handledByFault(UndeliveredRequest)
        /// The header list was too large to read; APNs has no reason for that. The value is the answer's `apns-id`.
        case oversized(APNsID)

        /// nil for an accepted push and for a request that was not read.
        package var undelivered: UndeliveredRequest? {
            switch self {
            case .refused(let request, _), .served(let request, _), .handledByFault(let request): request
            case .accepted, .oversized: nil
            }
        }
    }

    package struct UndeliveredRequest: Sendable {
        package let request: PackedRequest
        package let apnsID: APNsID
        /// As sent; `request` stores a bounded part.
        package let payloadByteCount: Int
    }

    /// The effect of an accepted request about channels.
    package struct ServedRequest: Sendable, Hashable, Codable {
        package let action: ChannelAction
        package let bundleID: String
        /// nil for a list.
        package let channelID: String?
        /// Of a broadcast.
        package var broadcast: UInt64?
        /// When the broadcast was accepted.
        package var subscribers: Int?
    }

    package var status: UInt16? {
        if let answer, answer.fate != .sent { return nil }
        if let fault { return fault.status }
        switch outcome {
        case .accepted: return 200
        case .refused(_, let rejection): return rejection.reason.status
        case .served(_, let served): return served.action.status
        case .handledByFault: return nil
        case .oversized: return Self.oversizedStatus
        }
    }

    /// As sent, without `authorization`.
    package var request: PackedRequest {
        if case .accepted(let push, _, _) = outcome {
            push.request
        } else {
            outcome.undelivered?.request ?? Self.unread
        }
    }

    /// Request Header Fields Too Large (RFC 6585 §5).
    package static let oversizedStatus: UInt16 = 431

    private static let unread = PackedRequest(packing: RequestBlock(fields: [], body: []), token: nil)
}

/// The fate of an answer that was not sent at once.
package final class DelayedAnswer: Codable, Sendable {
    package let fate: Fate
    package let at: Instant

    package enum Fate: String, CaseIterable, Codable, Sendable {
        case waiting
        /// Sent late.
        case sent
        /// Withheld by a fault rule, or replaced by the end of the connection.
        case withheld
        /// Replaced by a stream reset.
        case reset
        /// Replaced by a GOAWAY that excludes the request.
        case unprocessed
        /// The client cancelled the request before the answer was sent.
        case cancelled
        /// The connection ended or stopped responding before the answer was sent.
        case connectionLost
    }

    init(_ fate: Fate, at: Instant) {
        self.fate = fate
        self.at = at
    }
}

/// The effect of a fault rule on a request.
package final class FaultMark: Codable, Sendable {
    package let rule: String
    /// `nil` when no answer is sent.
    package let status: UInt16?
    package let reason: String?
    /// The answer's initial fate; `nil` when it is sent at once.
    let answer: DelayedAnswer?
    /// The end of the service extension's run, which the rule replaces.
    let extensionEnd: ExtensionRun.End?

    /// - Parameter status: The gateway's own answer, if the rule lets one through.
    init(_ firing: FaultFiring, status: UInt16?, at now: Instant) {
        rule = firing.rule
        extensionEnd = firing.effect.device?.extension?.end
        self.status = firing.isAnswered ? firing.answer.map { UInt16($0.code) } ?? status : nil
        reason = firing.isAnswered ? firing.answer?.reason : nil
        if firing.delay > .zero {
            answer = DelayedAnswer(.waiting, at: now)
        } else {
            answer = firing.isAnswered ? nil : DelayedAnswer(firing.fate, at: now)
        }
    }
}

extension RequestRecord {
    package var rejection: APNsRejection? {
        if case .refused(_, let rejection) = outcome { rejection } else { nil }
    }

    /// From the header or the provider's certificate.
    package var topic: String? {
        registration?.topic ?? served?.bundleID ?? request.value(of: .apnsTopic)
    }

    /// The effect of an accepted request about channels.
    package var served: ServedRequest? {
        if case .served(_, let served) = outcome { served } else { nil }
    }

    /// Sent in the request, or created by it.
    package var channelID: String? { served?.channelID ?? request.value(of: .apnsChannelID) }

    package var registration: Registration? {
        if case .accepted(_, let registration, _) = outcome { registration } else { nil }
    }

    /// Whether it was a push, a broadcast or a request for channels that was accepted.
    package var isAccepted: Bool { registration != nil || served != nil }

    package var notification: UInt64? {
        if case .accepted(_, _, let number) = outcome { number } else { nil }
    }

    package var token: DeviceToken? { registration?.token }

    /// From the path; in the path's spelling if the request was rejected.
    package var tokenText: String? {
        if let token { return token.hex }
        guard let path = request.value(of: .path), path.hasPrefix("/3/device/") else { return nil }
        let text = path.dropFirst(10).prefix(2 * DeviceToken.maximumByteCount)
        return text.isEmpty ? nil : String(text)
    }
}
