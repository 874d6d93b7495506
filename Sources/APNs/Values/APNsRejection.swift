/// A refused push: what the provider is told, and what people are told beside it.
package struct APNsRejection: Error, Hashable, Sendable {
    package var reason: APNsReason
    /// When the device token became invalid; sent with status 410 only.
    package var timestamp: Instant?
    /// What was wrong, for the request log; never on the wire.
    package var diagnosis: Diagnosis

    package init(_ reason: APNsReason, timestamp: Instant? = nil, _ diagnosis: Diagnosis) {
        self.reason = reason
        self.timestamp = timestamp
        self.diagnosis = diagnosis
    }

    /// The error body: `{"reason":"…"}`, with `timestamp` in milliseconds since 1970 when the status is 410.
    package func body(_ spelling: APNsReason.Spelling) -> [UInt8] {
        var body = #"{"reason":""# + reason.text(spelling) + "\""
        if reason.status == 410, let timestamp { body += #","timestamp":\#(timestamp.milliseconds)"# }
        return Array((body + "}").utf8)
    }
}

/// What is wrong with a request and what to do about it, in words.
package struct Diagnosis: Hashable, Sendable, Codable {
    /// A stable name for this kind of mistake, such as `token.swapped-ids`.
    package var code: String
    /// One or two sentences: what was sent, what to change.
    package var message: String

    package init(_ code: String, _ message: String) {
        self.code = code
        self.message = message
    }
}
