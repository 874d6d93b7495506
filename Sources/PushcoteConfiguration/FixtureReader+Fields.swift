internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import ExtensionHost
internal import Fields
internal import Gateway
internal import Yams

/// Apps, devices and fault rules, whose members come from the tables of their types.
extension FixtureReader {
    mutating func readApp(_ name: Node, _ node: Node) {
        guard let bundleID = self.bundleID(name) else { return }
        var app = App(bundleID: bundleID)
        apply(node, to: &app, at: FieldPath([.member("apps"), .member(bundleID)]))
        if app.bundleID != bundleID {
            file.report(
                "apps.\(bundleID).bundleId is \"\(app.bundleID)\"; accepted: \(bundleID), as its section is called",
                at: node.node(at: [.member("bundleId")], isName: false))
            app.bundleID = bundleID
        }
        app.extension = app.extension?.located(in: file.folder)
        fixtures.apps.append(app)
        fixtures.appPositions.append(file.position(of: name))
    }

    mutating func readDevice(_ name: Node, _ node: Node) {
        guard let text = self.name(name, of: "a device") else { return }
        guard DeviceName.isValid(text) else {
            return file.report(
                "the name of a device is \"\(text.prefix(140))\"; accepted: \(DeviceName.rule)", at: name)
        }
        var device = Fixtures.Device(name: text, position: file.position(of: name))
        let path = FieldPath([.member("devices"), .member(text)])
        apply(node, to: &device.conditions, besides: ["registrations", "apps"], at: path)
        if let list = member("registrations", of: node) {
            device.registrations = registrations(list, in: path.member("registrations").description)
        }
        if let apps = member("apps", of: node) {
            for (key, value) in entries(of: apps, in: path.member("apps").description, each: "a bundle identifier") {
                guard let bundleID = self.bundleID(key) else { continue }
                // The app's own settings may be read later, so that the members are kept; here they are only checked.
                var settings = NotificationSettings()
                apply(value, to: &settings, at: path.member("apps").member(bundleID))
                device.settingEdits[bundleID] = value.json(as: NotificationSettings.schema)
            }
        }
        fixtures.devices.append(device)
    }

    mutating func readFault(_ node: Node, at path: FieldPath) {
        let position = file.position(of: node)
        do throws(FieldError) {
            let rules = try FaultRule.rules(from: node.json(as: FaultRule.schema), at: path)
            fixtures.faults += rules.map { Fixtures.Fault(rule: $0, position: position) }
        } catch {
            report(error, in: node, at: path)
        }
    }

    /// The name of an app, which its topics begin with.
    private mutating func bundleID(_ node: Node) -> String? {
        guard let text = name(node, of: "an app") else { return nil }
        guard !TopicRules.isTopic(text) else { return text }
        file.report("the name of an app is \"\(text.prefix(80))\"; accepted: \(TopicRules.form)", at: node)
        return nil
    }

    private func member(_ name: String, of node: Node) -> Node? {
        node.mapping?.first { $0.key.scalar?.string == name && !$0.value.isAbsent }?.value
    }

    /// Reads a section through the table of a type; what is wrong is reported where it stands.
    private mutating func apply<Value: FieldDescribed>(
        _ node: Node, to value: inout Value, besides others: [String] = [], at path: FieldPath
    ) {
        guard !node.isAbsent else { return }
        do throws(FieldError) {
            try value.apply(node.json(as: Value.schema), besides: others, at: path)
        } catch {
            report(error, in: node, at: path)
        }
    }

    /// Reports what is wrong with a section where it stands.
    private mutating func report(_ error: FieldError, in node: Node, at path: FieldPath) {
        let places = error.problems.map { problem in
            node.node(at: problem.path.parts.dropFirst(path.parts.count), isName: problem.isUnknownName)
        }
        // The table has an order of its own; people read a file from above.
        for (place, problem) in zip(places, error.problems).sorted(by: { $0.0.startsBefore($1.0) }) {
            let words =
                problem.isUnknownName ? "unknown key \(problem.path); \(problem.remedy)" : problem.description
            file.report(words, at: place)
        }
    }
}
