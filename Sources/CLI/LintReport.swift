internal import DeviceModel
internal import JSON
internal import Lint

/// What `pushcote lint` found.
struct LintReport {
    private var files: [(name: String, findings: [Finding])] = []
    private var apps: [(name: String, findings: [Finding])] = []

    private var subjects: [(name: String, findings: [Finding])] { files + apps }

    /// Adds what was found in a file.
    mutating func add(_ findings: [Finding], ofFile name: String) { files.append((name, findings)) }

    /// Adds what was found in an app's categories.
    mutating func add(_ findings: [Finding], ofApp bundleID: String) { apps.append((bundleID, findings)) }

    /// How many findings matter so much.
    func count(_ severity: Finding.Severity) -> Int {
        subjects.reduce(0) { $0 + $1.findings.count { $0.severity == severity } }
    }

    // MARK: For people

    /// One line for each finding, as compilers do it, and below it how it looks when it is right.
    var text: String {
        subjects.flatMap { subject in
            subject.findings.map { finding in
                let place = finding.path.isEmpty ? "" : "\(finding.path): "
                let rule = ([finding.id] + [finding.source].compactMap(\.self)).joined(separator: ", ")
                let line = "\(subject.name): \(finding.severity.rawValue): \(place)\(finding.message) [\(rule)]"
                return ([line.onOneLine] + [finding.fix].compactMap(\.self).map { "    for example \($0.onOneLine)" })
                    .joined(separator: "\n")
            }
        }.joined(separator: "\n")
    }

    /// How many of each.
    var remark: String {
        let counts = Finding.Severity.allCases.reversed().compactMap { severity in
            let count = count(severity)
            return count == 0 ? nil : "\(count) \(Self.word(severity, count))"
        }
        return counts.isEmpty ? "No findings." : counts.joined(separator: ", ") + "."
    }

    private static func word(_ severity: Finding.Severity, _ count: Int) -> String {
        switch severity {
        case .error: count == 1 ? "error" : "errors"
        case .warning: count == 1 ? "warning" : "warnings"
        case .info: count == 1 ? "hint" : "hints"
        }
    }

    /// Every rule.
    static var catalogue: String {
        let rows = Lint.rules.map { [$0.id, $0.severity.rawValue, $0.source, $0.sentence] }
        return TextTable(["RULE", "SEVERITY", "SOURCE", "MESSAGE"], rows).text
    }

    // MARK: For programs

    var json: String {
        let files = files.map { file in
            JSONValue.object(["file": .string(file.name), "findings": .array(file.findings.map(Self.json))])
        }
        let apps = apps.map { app in
            JSONValue.object(["app": .string(app.name), "categoryFindings": .array(app.findings.map(Self.json))])
        }
        return JSONText.text(["files": .array(files), "apps": .array(apps)])
    }

    private static func json(_ finding: Finding) -> JSONValue {
        var members: [String: JSONValue] = [
            "id": .string(finding.id), "severity": .string(finding.severity.rawValue),
            "message": .string(finding.message),
        ]
        members["path"] = finding.path.isEmpty ? nil : .string(finding.path)
        members["source"] = finding.source.map { .string($0) }
        members["fix"] = finding.fix.map { .string($0) }
        return .object(members)
    }

    static var catalogueJSON: String {
        let rules = Lint.rules.map { rule in
            JSONValue.object([
                "id": .string(rule.id), "severity": .string(rule.severity.rawValue), "source": .string(rule.source),
                "sentence": .string(rule.sentence), "fix": .string(rule.fix),
                "needs": .array(rule.needs.map(\.rawValue).sorted().map { .string($0) }),
            ])
        }
        return JSONText.text(["rules": .array(rules)])
    }
}
