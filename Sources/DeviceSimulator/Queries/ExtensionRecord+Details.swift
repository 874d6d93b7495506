internal import DeviceModel
internal import JSON

extension ExtensionRecord {
    /// The run as an event tells it.
    var details: [String: JSONValue] {
        var details: [String: JSONValue] = [
            "verdict": .string(verdict.rawValue), "rule": .string(rule), "end": .string(run.end.rawValue),
            "message": .string(sentence), "milliseconds": .integer(Int(clamping: duration)),
        ]
        if !run.detail.isEmpty { details["detail"] = .string(run.detail) }
        if let peak = run.peakMemoryByteCount { details["peakMemoryBytes"] = .integer(peak) }
        if !run.findings.isEmpty { details["findings"] = .array(run.findings.map { .string($0.id) }) }
        return details
    }
}
