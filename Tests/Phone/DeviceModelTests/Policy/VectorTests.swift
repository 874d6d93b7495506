import DeviceModel
import TestSupport
import Testing

/// The vectors V1 to V25 of the interruption policy, as far as the policy decides them.
@Suite("Interruption vectors") struct VectorTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let name: String
        let inputs: InterruptionInputs
        let timing: Timing
        let presentation: Presentation
        var testDescription: String { name }

        init(_ name: String, _ edits: [Scene.Edit], _ timing: Timing, _ presentation: Presentation) {
            (self.name, inputs, self.timing, self.presentation) = (name, Scene(edits).inputs, timing, presentation)
        }
    }

    static let withheld: Presentation = .notificationCenter
    static let timeSensitiveAlert = Presentation.lockedAlert.union([.timeSensitiveLabel, .prominent])

    static let vectors: [Vector] = [
        .init("V1 S0-17 S0-20 no level: active, alerts at once", [], .now, .lockedAlert),
        .init(
            "V2 S0-16 S0-22 passive: in the lists, no light, no sound", [Scene.level(.passive)], .now,
            [.lockScreen, .notificationCenter]),
        .init("V3 S0-12 S3-4 Work Focus: in Notification Center at once", [Scene.work()], .silencedByFocus, withheld),
        .init(
            "V4 S0-26 Time Sensitive without entitlement is silenced",
            [Scene.work { $0.allowsTimeSensitive = true }, Scene.level(.timeSensitive), Scene.without(.timeSensitive)],
            .silencedByFocus, withheld),
        .init(
            "V5 S0-18 S0-25 S0-28 S3-11 Time Sensitive breaks through, labelled, and is explained the first time",
            [
                Scene.work { $0.allowsTimeSensitive = true }, Scene.level(.timeSensitive),
                { $0.isTimeSensitiveIntroduced = false },
            ], .now, timeSensitiveAlert.union(.timeSensitivePrompt)),
        .init(
            "V5 S3-3 S3-11 the second Time Sensitive notification is not explained",
            [Scene.work { $0.allowsTimeSensitive = true }, Scene.level(.timeSensitive)], .now, timeSensitiveAlert),
        .init(
            "V6 S0-14 S3-3 a Focus without Time Sensitive silences it", [Scene.work(), Scene.level(.timeSensitive)],
            .silencedByFocus, withheld),
        .init(
            "V7 S0-13 S2-3 S3-3 S3-6 S3-22 an allowed sender alerts with the avatar",
            [Scene.work { $0.people.ids = ["contact:C1"] }, Scene.message], .now,
            Presentation.lockedAlert.union(.avatar)),
        .init(
            "V8 S0-38 without the communication entitlement the sender does not count",
            [Scene.work { $0.people.ids = ["contact:C1"] }, Scene.message, Scene.without(.communication)],
            .silencedByFocus, withheld),
        .init(
            "V9 S0-38 without NSUserActivityTypes the sender does not count",
            [Scene.work { $0.people.ids = ["contact:C1"] }, Scene.message, { $0.app.userActivityTypes = [] }],
            .silencedByFocus, withheld),
        .init("V10 S0-8 S3-2 an active one waits for the summary", [Scene.summary], .deferredToSummary, []),
        .init(
            "V11 S0-14 a message does not wait for the summary", [Scene.summary, Scene.message], .now,
            Presentation.lockedAlert.union(.avatar)),
        .init(
            "V12 S0-25 Time Sensitive turned off waits for the summary",
            [Scene.summary, Scene.level(.timeSensitive), { $0.settings.timeSensitive = .disabled }],
            .deferredToSummary, []),
        .init(
            "V13 S3-8 S3-24 the ring switch mutes, and the device vibrates", [Scene.silentSwitch], .now,
            Presentation.lockedAlert.subtracting(.sound)),
        .init(
            "V14 S0-19 S3-8 critical sounds through Focus and ring switch",
            [Scene.silentSwitch, Scene.work(), Scene.level(.critical), { $0.content.sound = .critical }], .now,
            Presentation.lockedAlert.union([.criticalSound, .prominent])),
        .init(
            "V15 S0-19 S3-7 critical without entitlement is silenced",
            [
                Scene.silentSwitch, Scene.work(), Scene.level(.critical), { $0.content.sound = .critical },
                Scene.without(.criticalAlerts),
            ], .silencedByFocus, withheld),
        .init(
            "V16 provisional: Notification Center with Keep and Turn Off",
            [Scene.status(.provisional), { $0.isProvisionalIntroduced = false }], .quiet,
            [.notificationCenter, .provisionalPrompt]),
        .init("V17 S3-1 denied: nothing", [Scene.status(.denied), { $0.content.badge = 5 }], .notAllowed, []),
        .init(
            "V18 frontmost without a delegate: nothing",
            [Scene.frontmost(nil), { $0.content.badge = 5 }], .foreground, []),
        .init(
            "V19 the frontmost app shows a passive one with banner and sound",
            [Scene.frontmost([.banner, .sound]), Scene.level(.passive), { $0.content.badge = 5 }], .foreground,
            [.banner, .sound, .haptic]),
        .init(
            "V20 S3-19 previews never: the text is hidden", [{ $0.settings.showPreviews = .never }], .now,
            Presentation.lockedAlert.union(.hiddenPreview)),
        .init(
            "V21 a badge of 0 is set, and the alert shown", [{ $0.content.badge = 0 }], .now,
            Presentation.lockedAlert.union(.badge)),
        .init(
            "V22 the first call is silenced", [Scene.work(), Scene.call], .silencedByFocus,
            [.notificationCenter, .avatar]),
        .init(
            "V22 the second call within three minutes rings",
            [Scene.work(), Scene.call, { $0.sinceLastCall = 170_000 }], .now, Presentation.lockedAlert.union(.avatar)),
        .init(
            "V22 three minutes are in time", [Scene.work(), Scene.call, { $0.sinceLastCall = 180_000 }], .now,
            Presentation.lockedAlert.union(.avatar)),
        .init(
            "V22 more than three minutes are not", [Scene.work(), Scene.call, { $0.sinceLastCall = 180_001 }],
            .silencedByFocus, [.notificationCenter, .avatar]),
        .init(
            "V23 a Focus filter silences what it leaves out, even of an allowed app",
            [
                Scene.work {
                    $0.apps.ids = ["com.example.app"]
                    $0.filters = [personalFilter]
                }, { $0.content.filterCriteria = "work" },
            ], .silencedByFocus, withheld),
        .init(
            "V24 S0-23 S0-31 a message is announced to AirPods", [Scene.airPods, Scene.message], .now,
            Presentation.lockedAlert.union([.avatar, .announced])),
        .init("V25 S0-23 a plain one is not announced", [Scene.airPods], .now, .lockedAlert),
    ]

    static let personalFilter = FocusFilter.with {
        ($0.bundleID, $0.allowedCriteria) = ("com.example.app", ["personal"])
    }

    @Test("B.11 vector", arguments: vectors) func vector(_ vector: Vector) {
        let outcome = MadeDecision(vector.inputs, last: nil).outcome
        #expect(outcome.timing == vector.timing)
        #expect(outcome.presentation == vector.presentation)
    }
}
