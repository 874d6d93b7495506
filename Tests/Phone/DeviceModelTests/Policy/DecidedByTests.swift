import Testing

@testable import DeviceModel

/// The rule that decided the timing.
@Suite("The deciding rule") struct DecidedByTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let timing: Timing
        let rule: String
        let inputs: InterruptionInputs

        init(_ text: String, _ timing: Timing, by rule: String, _ edits: Scene.Edit...) {
            (testDescription, self.timing, self.rule, inputs) = (text, timing, rule, Scene(edits).inputs)
        }
    }

    private static let focusFirst: Scene.Edit = { $0.assumptions.summaryPrecedesFocus = false }
    private static let withoutText: Scene.Edit = { $0.content.hasAlert = false }
    private static let allowing = Scene.work { $0.allowsTimeSensitive = true }

    static let rows = [
        Row("nothing stands in its way", .now, by: "summary.off"),
        Row("a Focus silences it", .silencedByFocus, by: "F8", Scene.work()),
        Row("it breaks through a Focus", .now, by: "F7", allowing, Scene.level(.timeSensitive)),
        Row("the summary takes it", .deferredToSummary, by: "summary.deferred", Scene.summary),
        Row(
            "a Time Sensitive one does not wait", .now, by: "summary.timeSensitive", Scene.summary,
            Scene.level(.timeSensitive)),
        Row(
            "the summary comes before the Focus", .deferredToSummary, by: "summary.deferred", Scene.summary,
            Scene.work()),
        Row("or after it", .silencedByFocus, by: "F8", focusFirst, Scene.summary, Scene.work()),
        Row(
            "both let it through; the later one has the last word", .now, by: "summary.timeSensitive", focusFirst,
            Scene.summary, allowing, Scene.level(.timeSensitive)),
        Row(
            "the Focus that let it through, not the summary that is off", .now, by: "F7", focusFirst, allowing,
            Scene.level(.timeSensitive)),
        Row(
            "the rules of calls", .silencedByFocus, by: "calls.silenced", Scene.call,
            Scene.work { $0.allowsCallsFrom = .nobody }),
        Row("the app is in front", .foreground, by: "timing.frontmost", Scene.frontmost([.banner]), Scene.work()),
        Row("provisional", .quiet, by: "timing.provisional", Scene.status(.provisional), Scene.work()),
        Row("turned off", .notAllowed, by: "authorization.denied", Scene.status(.denied)),
        Row("never asked", .notAllowed, by: "authorization.notDetermined", Scene.status(.notDetermined)),
        Row("no text, even in a Focus", .nothingToShow, by: "presentation.noAlert", withoutText, Scene.work()),
    ]

    @Test(arguments: rows) func decides(_ row: Row) {
        let explanation = explain(row.inputs)
        #expect(explanation.outcome.timing == row.timing)
        #expect(explanation.trace[explanation.decidedBy].rule == row.rule)
    }

    @Test func everyTimingHasARow() { #expect(Set(Self.rows.map(\.timing)) == Set(Timing.allCases)) }
}
