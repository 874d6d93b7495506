internal import JSON

/// A payload as the device understands it.
package struct DecodedPayload: Sendable, Hashable {
    /// Empty when the payload is discarded.
    package var content: NotificationContent
    /// In the order of the payload.
    package var findings: [Finding]

    package init(_ payload: RawSpan) {
        let scan = PayloadScan(payload)
        guard case .valid(let aps) = scan else {
            content = NotificationContent()
            findings = scan.finding.map { [$0] } ?? []
            return
        }
        (content, findings) = payload.withUnsafeBytes { bytes in
            var decoder = ContentDecoder(JSONReader(bytes, at: aps.lowerBound))
            decoder.aps()
            return (decoder.content, decoder.findings)
        }
    }
}

extension PayloadScan {
    var finding: Finding? {
        switch self {
        case .valid: nil
        case .apsMissing:
            Finding(
                "payload.aps.missing", .warning, at: "",
                "the payload has no `aps` dictionary, so nothing can be shown; only MDM omits it")
        case .apsNotAnObject: Finding("payload.aps.type", .error, at: "aps", "discarded: `aps` must be a dictionary")
        case .notAnObject: Finding("payload.type", .error, at: "", "discarded: the payload must be a JSON dictionary")
        case .invalid(let problem): Finding("payload.json", .error, at: "", "discarded: \(problem.message)")
        }
    }
}
