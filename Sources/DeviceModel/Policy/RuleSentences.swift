extension TraceStep {
    /// The step for people, such as `Focus F6: does the active Focus "Work" allow com.example? No; passed on. [WWDC21 10091; HIG Notifications]`.
    package var sentence: String {
        let name = rule.hasPrefix(stage + ".") ? rule : "\(stage.prefix(1).uppercased())\(stage.dropFirst()) \(rule)"
        return "\(name): \(verdict) [\(source)]"
    }

    private var verdict: String {
        guard let answer else { return "\(facts) No; next rule." }
        guard !facts.isEmpty else { return "\(answer)." }
        return facts.hasSuffix("?") ? "\(facts) Yes: \(answer)." : "\(facts), \(answer)."
    }
}

extension InterruptionOutcome {
    /// What the person noticed and why, in one line.
    package var sentence: String {
        let noticed = presentation.sentencePart
        return "\(reason): \(noticed.isEmpty ? "nothing noticeable" : noticed)."
    }

    private var reason: String {
        switch timing {
        case .now: "\(kind), delivered at once"
        case .quiet: "\(kind), delivered quietly because the app's authorization is provisional"
        case .foreground: "\(kind), handed to the foreground app"
        case .silencedByFocus: "\(kind), silenced by the Focus"
        case .deferredToSummary: "\(kind), deferred to the scheduled summary"
        case .notAllowed: "Not shown because the app's notifications are not allowed"
        case .nothingToShow: "No text to show"
        }
    }

    private var kind: String {
        let level =
            switch level {
            case .passive: "Passive"
            case .active: "Active"
            case .timeSensitive: "Time Sensitive"
            case .critical: "Critical"
            }
        return isCommunication ? "\(level) communication" : level
    }
}
