/// A rejection: the answer on the wire and a diagnosis for people.
public struct APNsRejection: Error, Hashable, Sendable {
    public var reason: APNsReason
    /// When the device token became invalid; sent with status 410 only.
    public var timestamp: Instant?
    /// For the request log; never sent.
    public var diagnosis: Diagnosis

    public init(_ reason: APNsReason, _ code: String, _ message: String, timestamp: Instant? = nil) {
        self.reason = reason
        self.timestamp = timestamp
        diagnosis = Diagnosis(code, message)
    }

    /// `{"reason":"…"}`, with `timestamp` in milliseconds since 1970 for status 410.
    public func body(_ spelling: APNsReason.Spelling) -> [UInt8] {
        var body = #"{"reason":""# + reason.text(spelling) + "\""
        if reason.status == 410, let timestamp { body += #","timestamp":\#(timestamp.milliseconds)"# }
        return Array((body + "}").utf8)
    }
}

/// What is wrong with a request and how to fix it.
public struct Diagnosis: Hashable, Sendable, Codable {
    /// A stable identifier of the mistake, such as `token.swapped-ids`.
    public var code: String
    /// One or two sentences: what was sent, what to change.
    public var message: String

    public init(_ code: String, _ message: String) {
        self.code = code
        self.message = message
    }
}
