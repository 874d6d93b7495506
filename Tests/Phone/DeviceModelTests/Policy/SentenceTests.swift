import Testing

@testable import DeviceModel

@Suite("Sentences about decisions") struct SentenceTests {
    /// A rule that passed the decision on, one that answered, the last of a stage, and a removed effect.
    static let sentences: [(scene: Scene, rule: String, sentence: String)] = [
        (
            Scene(Scene.work()), "F6",
            "Focus F6: does the active Focus \"Work\" allow com.example.app? No; next rule. [WWDC21 10091; HIG Notifications]"
        ),
        (
            Scene(Scene.work { $0.people.ids = ["contact:C1"] }, Scene.message), "F5",
            "Focus F5: does the active Focus \"Work\" allow the sender contact:C1? "
                + "Yes: the Focus allows it. [WWDC21 10091; mszpro.com; HIG Notifications]"
        ),
        (Scene(), "level.active", "level.active: otherwise, active. [WWDC21 10091]"),
        (
            Scene({ $0.settings.lockScreen = .disabled }), "settings.lockScreen",
            "settings.lockScreen: does the app not show on the lock screen? "
                + "Yes: not lockScreen, screenLit. [doc: UNNotificationSettings]"
        ),
    ]

    @Test("a step is one sentence", arguments: sentences.indices) func isSaid(_ index: Int) throws {
        let (scene, rule, sentence) = Self.sentences[index]
        #expect(try #require(scene.trace.first { $0.rule == rule }).sentence == sentence)
    }

    @Test("a repeated call names its caller and the window") func repeatedCall() throws {
        let step = try #require(Scene(Scene.work(), Scene.call).trace.first { $0.rule == "calls.repeated" })
        #expect(
            step.facts == "does the active Focus \"Work\" allow repeated calls, and did contact:C1 call within the "
                + "last 180 s?")
    }

    /// The conditions of F7, in order: the level, the Focus, the app.
    static let timeSensitive: [(facts: String, scene: Scene)] = [
        ("is it Time Sensitive (its level is active)?", Scene(Scene.work())),
        (
            "is it Time Sensitive (Time Sensitive was requested, but its level is active)?",
            Scene(
                Scene.work { $0.allowsTimeSensitive = true }, Scene.level(.timeSensitive), Scene.without(.timeSensitive)
            )
        ),
        (
            "does the active Focus \"Work\" allow Time Sensitive notifications (allowsTimeSensitive is off)?",
            Scene(Scene.work(), Scene.level(.timeSensitive))
        ),
        (
            "does the active Focus \"Work\" allow Time Sensitive notifications from com.example.app "
                + "(it is one of timeSensitiveOptOutApps)?",
            Scene(
                Scene.work {
                    $0.allowsTimeSensitive = true
                    $0.timeSensitiveOptOutApps = ["com.example.app"]
                }, Scene.level(.timeSensitive))
        ),
    ]

    @Test("F7 says which of its conditions failed", arguments: timeSensitive.indices)
    func failedCondition(_ index: Int) throws {
        let (facts, scene) = Self.timeSensitive[index]
        let step = try #require(scene.trace.first { $0.rule == "F7" })
        #expect(step.facts == facts)
        #expect(step.answer == nil)
    }

    @Test("F5 says why a contact with the sender's name does not match") func namesake() throws {
        var scene = Scene(Scene.work { $0.people.ids = ["contact:C1"] }, Scene.message)
        scene.content.communication?.sender.contactIdentifier = nil
        scene.content.communication?.sender.handle = .init(value: "kim@other.example", type: .emailAddress)
        let step = try #require(scene.trace.first { $0.rule == "F5" })
        #expect(
            step.facts == "does the active Focus \"Work\" allow the sender person:com.example.app/kim@other.example "
                + "(contact:C1 has the same name, but kim@other.example is not one of its e-mail addresses, "
                + "and a name alone suggests no contact without a suggestionType)?")
        #expect(step.answer == nil)
    }

    @Test("every step of a long trace is one sentence with its source") func everyStep() {
        let scene = Scene(Scene.work { $0.allowsCallsFrom = .nobody }, Scene.call, Scene.airPods, Scene.carPlay)
        for step in scene.trace {
            #expect(step.sentence.hasSuffix(". [\(step.source)]"))
            #expect(!step.sentence.contains("\n"))
        }
    }

    @Test(
        "the sentences say what the person noticed, and why",
        arguments: [
            (
                Scene(),
                "Active, delivered at once: on the lock screen, in Notification Center, screen lit, sound, vibration."
            ),
            (Scene(Scene.work()), "Active, silenced by the Focus Work: in Notification Center."),
            (Scene(Scene.summary), "Active, deferred to the scheduled summary: nothing noticeable."),
            (
                Scene(Scene.status(.denied)),
                "Not shown because the app's notifications are not allowed: nothing noticeable."
            ),
            (
                Scene(Scene.message, Scene.level(.passive)),
                "Passive communication, delivered at once: on the lock screen, in Notification Center, "
                    + "with the sender's picture."
            ),
            (Scene(Scene.frontmost([.list])), "Active, handed to the foreground app: in Notification Center."),
            (
                Scene(Scene.status(.provisional)),
                "Active, delivered quietly because the app's authorization is provisional: in Notification Center."
            ),
            (Scene({ $0.content.hasAlert = false }), "No text to show: sound, vibration."),
        ])
    func outcome(_ scene: Scene, _ sentence: String) { #expect(scene.outcome.sentence(focus: "Work") == sentence) }
}
