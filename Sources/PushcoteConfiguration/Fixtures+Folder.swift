internal import APNs
internal import DeviceModel
internal import Gateway
internal import Yams

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Fixtures {
    /// Adds what the `.yaml`, `.yml` and `.json` files of a folder hold, in the order of their names.
    package mutating func add(folder: String, namedAt place: String, problems: inout [ConfigurationProblem]) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            problems.append(
                ConfigurationProblem(place: place, message: "fixtures: \(folder) is not a readable folder"))
            return
        }
        let endings = [".yaml", ".yml", ".json"]
        for name in names.sorted() where endings.contains(where: { name.hasSuffix($0) }) && !name.hasPrefix(".") {
            add(SourceFile(path: "\(folder)/\(name)"), problems: &problems)
        }
    }

    private mutating func add(_ file: SourceFile, problems: inout [ConfigurationProblem]) {
        var reader = FixtureReader(file: file)
        let known = FixtureReader.sections.joined(separator: ", ")
        if let root = file.root, !root.isAbsent {
            if root.mapping == nil { reader.file.report("the file is \(root.words); accepted: \(known)", at: root) }
            for (key, value) in root.mapping ?? [:] {
                let name = key.scalar?.string ?? key.words
                if FixtureReader.sections.contains(name) {
                    reader.read(section: name, value)
                } else {
                    reader.file.report("unknown section \(name); a fixture holds \(known)", at: key)
                }
            }
        }
        keys += reader.fixtures.keys
        apps += reader.fixtures.apps
        appPositions += reader.fixtures.appPositions
        devices += reader.fixtures.devices
        faults += reader.fixtures.faults
        problems += reader.file.problems
    }

    /// Refuses what two files describe.
    func checkNames(problems: inout [ConfigurationProblem]) {
        if faults.count > FaultPlan.maximumRuleCount {
            problems.append(
                ConfigurationProblem(
                    place: faults[FaultPlan.maximumRuleCount].position.description,
                    message: "too many fault rules: \(faults.count); accepted: at most \(FaultPlan.maximumRuleCount)"))
        }
        var places: [String: SourcePosition] = [:]
        let named =
            keys.map { ("key \($0.key.keyID)", $0.position) } + devices.map { ("device \($0.name)", $0.position) }
            + zip(apps, appPositions).map { ("app \($0.bundleID)", $1) }
            + faults.map { ("fault \($0.rule.name)", $0.position) }
        for (name, position) in named {
            if let first = places[name] {
                problems.append(
                    ConfigurationProblem(place: position.description, message: "duplicate \(name), first at \(first)"))
            } else {
                places[name] = position
            }
        }
    }
}
