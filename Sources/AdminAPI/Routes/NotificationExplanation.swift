internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import JSON

extension NotificationView {
    /// What became of a notification and why, in sentences for a terminal.
    mutating func explanation(_ notification: Notification) -> String {
        let around = notification.context
        let content = notification.content
        var lines = [
            "Notification \(notification.sequence) for \(around.app.bundleID) on \(notification.device): "
                + "\(notification.state.deliveryLogText).",
            notification.why,
        ]
        if notification.isShown {
            let text = notification.displayed(content, device: around.device, settings: around.settings)
            let parts = [text.label, text.title, text.subtitle, text.body].compactMap(\.self).filter { !$0.isEmpty }
            lines.append((["Shown as:"] + [parts.joined(separator: " | ")]).joined(separator: " "))
        }
        let log = deliveryLog(of: notification, events(of: notification))
        lines += section("Delivery log", log.map { "\($0.at.text) \($0.text)" })
        lines += section("Service extension", extensionLines(of: notification))
        lines += section("Rules, in the order tried", notification.trace?.map(\.sentence) ?? [])
        let findings = findings(notification, isAlone: true)
        lines += section(
            "Findings",
            findings.map { finding in
                let place = finding.path.isEmpty ? "" : " (\(finding.path))"
                return "\(finding.severity.rawValue) \(finding.id)\(place): \(finding.message)"
            })
        return lines.joined(separator: "\n") + "\n"
    }

    /// What the service extension did, or why it was not asked.
    private func extensionLines(of notification: Notification) -> [String] {
        guard let record = notification.extensionRecord else {
            return [notification.extensionAnswer?.message].compactMap(\.self)
        }
        let run = record.run
        let asked = notification.decoded.content
        let changed = run.answer?.differences(from: asked).joined(separator: ", ") ?? ""
        return ["\(record.sentence) (\(record.rule))"]
            + (changed.isEmpty ? [] : ["It changed \(changed)."])
            + (run.detail.isEmpty ? [] : ["It ended: \(run.detail)."])
            + run.log.map { "log \($0.level): \($0.message)" }
    }

    /// A heading with its lines; nothing without lines.
    private func section(_ heading: String, _ lines: [String]) -> [String] {
        lines.isEmpty ? [] : ["", heading] + lines.map { "  \($0)" }
    }
}
