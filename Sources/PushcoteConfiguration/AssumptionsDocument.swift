/// `docs/assumptions.md`: the assumptions, what holds of each, and where it comes from.
package enum AssumptionsDocument {
    /// The text of the file.
    package static var text: String {
        let marks = Assumption.Mark.allCases.map { "- **\($0.rawValue)**: \($0.meaning)." }
        let rows = Assumption.all.map { assumption in
            let name = assumption.setting.name.split(separator: ".").last ?? ""
            let value = assumption.setting.show(Configuration()).yaml
            return "| `\(name)` | `\(value)` | \(assumption.sentence) | \(assumption.mark.rawValue) |"
        }
        return (head + marks + table + rows).joined(separator: "\n") + "\n"
    }

    private static let head = """
        # Assumptions

        Apple documents only part of what a device does with a push. Pushcote fills each gap with an assumption. Each one is a
        setting in the section `assumptions` of `config.yaml` (`--set assumptions.focusReplaysAlerts=true`,
        `PUSHCOTE_ASSUMPTIONS_FOCUS_REPLAYS_ALERTS=true`). The confidence mark says how well founded the default is:

        """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)

    private static let table = ["", "| setting | default | meaning | confidence |", "|---|---|---|---|"]
}
