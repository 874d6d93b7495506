public import APNs
public import DeviceSimulator

/// One provider request with its answer.
public struct RequestRecord: Sendable {
    /// Position in the log; the first request is 1.
    public internal(set) var number: UInt64 = 0
    public var receivedAt: Instant
    /// Number of the connection it came on; 0 for the admin API.
    public var connection: UInt32
    public var environment: APNsEnvironment
    public var authentication: Authentication
    public var outcome: Outcome

    /// How the provider was recognised.
    public enum Authentication: String, Codable, Sendable {
        /// A token whose signature a registered key made.
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

    public enum Outcome: Sendable {
        /// - notification: Its number in the device's inbox.
        case accepted(push: Push, registration: Registration, notification: UInt64)
        case refused(Refusal)
    }

    /// A refused request.
    public final class Refusal: Sendable {
        public let request: PackedRequest
        public let apnsID: APNsID
        public let rejection: APNsRejection
        /// How many payload bytes were sent; `request` keeps a bounded part.
        public let payloadByteCount: Int

        init(request: PackedRequest, apnsID: APNsID, rejection: APNsRejection, payloadByteCount: Int) {
            self.request = request
            self.apnsID = apnsID
            self.rejection = rejection
            self.payloadByteCount = payloadByteCount
        }
    }

    /// `:status` of the answer.
    public var status: UInt16 {
        switch outcome {
        case .accepted: 200
        case .refused(let refusal): refusal.rejection.reason.status
        }
    }

    /// The request as it was sent, without its token.
    public var request: PackedRequest {
        switch outcome {
        case .accepted(let push, _, _): push.request
        case .refused(let refusal): refusal.request
        }
    }
}
