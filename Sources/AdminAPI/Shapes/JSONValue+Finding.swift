internal import DeviceModel
internal import JSON

extension JSONValue {
    init(_ finding: Finding) {
        self = [
            "id": .string(finding.id),
            "severity": .string(finding.severity.rawValue),
            "message": .string(finding.message),
            "path": .nonEmpty(finding.path),
            "source": .nonEmpty(finding.source),
            "fix": .nonEmpty(finding.fix),
        ]
    }
}
