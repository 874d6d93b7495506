/// A refused push: what the provider is told, and what people are told beside it.
public struct APNsRejection: Error, Hashable, Sendable {
    public var reason: APNsReason
    /// When the device token became invalid; sent with status 410 only.
    public var timestamp: Instant?
    /// What was wrong, for the request log; never on the wire.
    public var diagnosis: Diagnosis

    public init(_ reason: APNsReason, timestamp: Instant? = nil, _ diagnosis: Diagnosis) {
        self.reason = reason
        self.timestamp = timestamp
        self.diagnosis = diagnosis
    }

    /// The error body: `{"reason":"…"}`, with `timestamp` in milliseconds since 1970 when the status is 410.
    public func body(_ spelling: APNsReason.Spelling) -> [UInt8] {
        var body = #"{"reason":""# + reason.text(spelling) + "\""
        if reason.status == 410, let timestamp { body += #","timestamp":\#(timestamp.milliseconds)"# }
        return Array((body + "}").utf8)
    }
}

/// What is wrong with a request and what to do about it, in words.
public struct Diagnosis: Hashable, Sendable, Codable {
    /// A stable name for this kind of mistake, such as `token.swapped-ids`.
    public var code: String
    /// One or two sentences: what was sent, what to change.
    public var message: String

    public init(_ code: String, _ message: String) {
        self.code = code
        self.message = message
    }
}
