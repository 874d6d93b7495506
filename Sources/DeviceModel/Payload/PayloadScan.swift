package import JSON

/// The form of a payload, found in one pass that allocates nothing for a valid one.
package enum PayloadScan: Sendable, Equatable {
    /// - Parameter aps: the place of the `aps` dictionary.
    case valid(aps: Range<Int>)
    /// As in MDM pushes.
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

    /// Why a device drops such a payload. MDM's are without `aps` and not dropped.
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
