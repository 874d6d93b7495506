internal import APNs
package import DeviceModel
package import DeviceSimulator
internal import Fields
internal import JSON
internal import Lint
internal import SiriModel
internal import Time

/// What became of a notification and why.
extension Gateway {
    /// - Parameters:
    ///   - comparesHistory: Whether to compare with earlier pushes, which is too slow for a list.
    ///   - silenced: Findings to leave out.
    package func findings(
        on notification: Notification, comparesHistory: Bool, silencing silenced: Set<String>
    ) -> [Finding] {
        let push = notification.push
        let ofConnection =
            push.isLocal ? [] : RequestFindings.arrivalFindings(for: push.request, on: facts(of: push))
        let subject = LintSubject(notification, in: self, hasHistory: comparesHistory)
        let run = notification.extensionRecord?.run
        let ofHeaders = push.isLocal ? [] : RequestFindings.findings(for: push, subject.content)
        let request = ofConnection + ofHeaders + (run?.findings ?? [])
        let found = Lint.findings(for: subject, silencing: silenced)
        return request.filter { !silenced.contains($0.id) } + found
            + findings(on: run?.donations ?? [], besides: found, on: subject.content.communication, silencing: silenced)
    }

    /// With what a comparison with earlier pushes finds, and why the calendar rejected the extension's reservations.
    package func findings(
        on notification: Notification, _ events: [DeviceEvent], silencing silenced: Set<String>
    ) -> [Finding] {
        let found = findings(on: notification, comparesHistory: true, silencing: silenced)
        let ofCalendar = events.filter { $0.kind == .calendarEvent }.flatMap {
            [Finding](reported: $0.details["findings"])
        }
        return found
            + ofCalendar.filter { new in
                !silenced.contains(new.id) && !found.contains { $0.id == new.id && $0.message == new.message }
            }
    }

    /// Findings about donations, deduplicated and without those already reported for the same intent's content.
    private func findings(
        on donations: [Donation], besides found: [Finding], on context: CommunicationContext?,
        silencing silenced: Set<String>
    ) -> [Finding] {
        var findings: [Finding] = []
        for (index, donation) in donations.enumerated() {
            let subject = DonationSubject(donation, recent: Array(donations[..<index]))
            let isContents = context.map { donation.isOfConversation(in: $0) } ?? false
            for finding in Lint.findings(for: subject, silencing: silenced) where !findings.contains(finding) {
                let isFound = isContents && found.contains { $0.id == finding.id && $0.message == finding.message }
                if !isFound { findings.append(finding) }
            }
        }
        return findings
    }

    /// `nil` if the connection's number was reused, after a restart or a loaded state.
    private func facts(of push: Push) -> ConnectionFacts? {
        guard let facts = connectionLog.snapshot(of: push.connection)?.facts, facts.openedAt <= push.receivedAt
        else {
            return nil
        }
        return facts
    }

    /// Everything about a notification as text.
    package func explanation(of notification: Notification, silencing silenced: Set<String>) -> String {
        var lines = [
            "Notification \(notification.sequence) for \(notification.context.app.bundleID) on \(notification.device): "
                + "\(notification.state.summary).",
            notification.whyInFull,
        ]
        if notification.isShown {
            let text = notification.displayed
            let parts = [text.label, text.title, text.subtitle, text.body].compactMap(\.self).filter { !$0.isEmpty }
            lines.append("Shown as: " + parts.joined(separator: " | "))
        }
        let events = simulator.events(of: notification)
        func add(_ heading: String, _ section: [String]) {
            if !section.isEmpty { lines += ["", heading] + section.map { "  \($0)" } }
        }
        add("Delivery log", notification.deliveryLog(events).map { "\($0.at.text) \($0.text)" })
        add("Service extension", extensionLines(of: notification))
        add("Rules, in the order tried", notification.reasons?.trace.map(\.sentence) ?? [])
        let findings = findings(on: notification, events, silencing: silenced)
        add(
            "Findings",
            findings.map { finding in
                let place = finding.path.isEmpty ? "" : " (\(finding.path))"
                return "\(finding.severity.rawValue) \(finding.id)\(place): \(finding.message)"
            })
        return lines.joined(separator: "\n") + "\n"
    }

    private func extensionLines(of notification: Notification) -> [String] {
        guard let record = notification.extensionRecord else {
            return [notification.extensionProgress?.message].compactMap(\.self)
        }
        let run = record.run
        let original = notification.decoded.content
        let changed = run.answer?.differences(from: original).joined(separator: ", ") ?? ""
        return ["\(record.sentence) (\(record.rule))"]
            + (changed.isEmpty ? [] : ["It changed \(changed)."])
            + (run.detail.isEmpty ? [] : ["It ended: \(run.detail)."])
            + run.log.map { "log \($0.level): \($0.message)" }
    }
}
