package import JSON

/// A payload's structure, found in one pass that allocates nothing for a valid payload.
package enum PayloadScan: Sendable, Equatable {
    /// - Parameter aps: The byte range of the `aps` dictionary.
    case valid(aps: Range<Int>)
    /// For example, an MDM push.
    case apsMissing
    case apsNotAnObject
    case notAnObject
    case invalid(JSONProblem)

    package init(_ payload: RawSpan) {
        self = payload.withUnsafeBytes { bytes in
            var validator = JSONValidator(bytes)
            var aps: Range<Int>?
            let isValid = validator.document { json, key in
                let start = json.position
                guard json.value(depth: 1) else { return false }
                // The last one counts when it is repeated.
                if json.isAPS(key) { aps = start..<json.position }
                return true
            }
            guard isValid else { return .invalid(JSONProblem(validator.failure, in: bytes)) }
            guard validator.isObject else { return .notAnObject }
            guard let aps else { return .apsMissing }
            return bytes[aps.lowerBound] == ASCII.leftBrace ? .valid(aps: aps) : .apsNotAnObject
        }
    }

    /// nil without `aps`, as in MDM pushes, which are not discarded.
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
    @inline(__always)
    func isAPS(_ key: Range<Int>) -> Bool { meaning(of: key) { "aps" ~= $0 ? true : nil } ?? false }
}
