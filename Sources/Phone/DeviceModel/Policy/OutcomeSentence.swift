extension InterruptionOutcome {
    /// The decision in English, as explanations, the log and commands show it.
    ///
    /// - Parameter focus: The name of the active one.
    package func sentence(focus: String?) -> String {
        let noticed = presentation.sentencePart
        return "\(reason(focus)): \(noticed.isEmpty ? "nothing noticeable" : noticed)."
    }

    private func reason(_ focus: String?) -> String {
        switch timing {
        case .now: "\(kind), delivered at once"
        case .quiet: "\(kind), delivered quietly because the app's authorization is provisional"
        case .foreground: "\(kind), handed to the foreground app"
        case .silencedByFocus: "\(kind), silenced by the Focus\(focus.map { " \($0)" } ?? "")"
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
