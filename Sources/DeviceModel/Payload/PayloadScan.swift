package import JSON

/// What one pass over a payload says about it, before anything is decoded.
///
/// The pass is linear, builds no tree and, for a valid payload, allocates nothing: every push goes through it.
package enum PayloadScan: Sendable, Equatable {
    /// JSON with an `aps` dictionary, which stands at `aps` in the payload.
    case valid(aps: Range<Int>)
    /// A JSON object without `aps`, as MDM pushes have it.
    case apsMissing
    /// A JSON object whose `aps` is something other than an object.
    case apsNotAnObject
    /// JSON, but not an object at the top.
    case notAnObject
    /// Not JSON; the problem says where and why.
    case invalid(JSONProblem)

    /// Scans a payload.
    ///
    /// - Parameter payload: the bytes as received; UTF-8 when the provider follows RFC 8259.
    package init(_ payload: RawSpan) {
        self = payload.withUnsafeBytes { bytes in
            var validator = JSONValidator(bytes)
            var aps: Range<Int>?
            let isValid = validator.document { json, key in
                let start = json.position
                guard json.value(depth: 1) else { return false }
                // The last one when it is repeated.
                if json.isAPS(key) { aps = start..<json.position }
                return true
            }
            guard isValid else { return .invalid(JSONProblem(validator.failure, in: bytes)) }
            guard validator.isObject else { return .notAnObject }
            guard let aps else { return .apsMissing }
            return bytes[aps.lowerBound] == ASCII.leftBrace ? .valid(aps: aps) : .apsNotAnObject
        }
    }

    /// Why a device drops such a payload; `nil` when it does not.
    ///
    /// A payload without `aps` is not dropped: MDM sends it so.
    package var discardReason: DiscardReason? {
        switch self {
        case .valid, .apsMissing: nil
        case .apsNotAnObject: .apsNotAnObject
        case .notAnObject: .payloadNotAnObject
        case .invalid: .invalidJSON
        }
    }
}

extension JSONValidator {
    /// Whether a key reads `aps`.
    @inline(__always)
    func isAPS(_ key: Range<Int>) -> Bool { meaning(of: key) { "aps" ~= $0 ? true : nil } ?? false }
}
