internal import DeviceModel
internal import JSON
internal import Lint

extension FuzzTarget {
    /// A payload; all of a device's parsers must agree.
    static let payload = FuzzTarget("payload") { input in
        let payload = input.bytes
        let scan = PayloadScan(payload)
        let digest = PayloadDigest(payload)
        let decoded = DecodedPayload(payload)
        precondition(digest.verdict == scan.discardReason, "verdicts differ")
        precondition(digest.traits == decoded.content.traits, "traits differ")
        var isInvalid = false
        if case .invalid = scan { isInvalid = true }
        let value = JSONValue(payload)
        precondition((value == nil) == isInvalid, "one reader takes what the other does not")
        if case .valid(let aps) = scan {
            precondition(aps.lowerBound >= 0 && aps.upperBound <= input.count, "aps lies outside the payload")
            precondition(JSONValue(payload.extracting(aps)) != nil, "aps is no JSON")
        }
        _ = Lint.findings(for: LintSubject(payload: payload))
    }
}
