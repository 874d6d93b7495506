import TestSupport
import Testing

@testable import DeviceModel

/// Invariants over random scenes from a fixed seed.
@Suite("Policy sweep") struct SweepTests {
    static let scenes: [(scene: Scene, outcome: InterruptionOutcome)] = {
        var generator = SceneGenerator(seed: 20_260_105)
        return (0..<1500).map { _ in
            let scene = generator.scene()
            return (scene, scene.outcome)
        }
    }()

    @Test("tracing does not change the outcome, every stage ends with an answer, every rule is known") func tracing() {
        let listing = PolicyTables.all.listing
        let rules = Set(listing.flatMap(\.rules))
        for (scene, outcome) in Self.scenes {
            let explained = explain(scene.inputs)
            #expect(explained.outcome == outcome)
            #expect(explained.trace.allSatisfy { rules.contains($0.rule) })
            #expect(explained.decides(outcome.timing))
            for (stage, _) in listing where stage != "timing" {
                guard let last = explained.trace.last(where: { $0.stage == stage }) else { continue }
                #expect(last.answer != nil, "\(stage)")
            }
        }
    }

    @Test("every question reads well, whatever the scene lacks") func questions() {
        let questions = Set(Self.scenes.flatMap { explain($0.scene.inputs).trace.map(\.facts) })
        for question in questions { #expect(Sentences.problem(in: question) == nil) }
    }

    @Test("earlier decisions do not influence later ones") func decisionsBefore() {
        var last: MadeDecision?
        for (scene, outcome) in Self.scenes {
            for _ in 0..<2 {
                last = MadeDecision(scene.inputs, last: last)
                #expect(last?.outcome == outcome)
            }
        }
    }

    @Test("S3-1 a notification without permission has no effect") func notAllowed() {
        for (scene, outcome) in Self.scenes {
            let isAllowed = ![.denied, .notDetermined].contains(scene.settings.authorizationStatus)
            #expect((outcome.timing == .notAllowed) == !isAllowed)
            if !isAllowed { #expect(outcome.presentation.isEmpty) }
        }
    }

    @Test("S0-19 S3-7 S3-8 an entitled critical alert always sounds, unless the frontmost app decides")
    func critical() {
        var count = 0
        for (scene, outcome) in Self.scenes {
            guard outcome.timing != .notAllowed else { continue }
            let isAsked = scene.content.level == .critical || scene.content.sound == .critical
            let isGranted = scene.app.has(.criticalAlerts) && scene.settings.criticalAlert == .enabled
            #expect((outcome.level == .critical) == (isAsked && isGranted))
            if outcome.level == .critical && scene.content.sound != .none && !scene.isFrontmost {
                count += 1
                #expect(outcome.presentation.contains([.sound, .criticalSound]))
            }
            if outcome.level != .critical { #expect(!outcome.presentation.contains(.criticalSound)) }
        }
        #expect(count > 50)
    }

    @Test("S3-4 a notification silenced by a Focus makes no sound, lights nothing, and is in Notification Center")
    func silenced() {
        for (scene, outcome) in Self.scenes where outcome.timing == .silencedByFocus {
            let presentation = outcome.presentation
            #expect(presentation.isDisjoint(with: [.banner, .screenLit, .sound, .haptic, .announced, .carPlay]))
            #expect(presentation.contains(.notificationCenter) == (scene.settings.notificationCenter == .enabled))
        }
    }

    @Test("S0-9 a notification waiting for the summary sets the badge and nothing else") func deferred() {
        for (_, outcome) in Self.scenes where outcome.timing == .deferredToSummary {
            #expect(outcome.presentation.subtracting(.badge).isEmpty)
        }
    }

    @Test("S0-16 a passive notification neither lights, sounds nor is announced, unless the frontmost app asks for it")
    func passive() {
        for (scene, outcome) in Self.scenes where outcome.level == .passive && !scene.isFrontmost {
            #expect(outcome.presentation.isDisjoint(with: [.banner, .screenLit, .sound, .haptic, .announced]))
        }
    }

    @Test("S0-26 only entitled Time Sensitive notifications are labelled") func label() {
        for (scene, outcome) in Self.scenes where outcome.presentation.contains(.timeSensitiveLabel) {
            #expect(outcome.level == .timeSensitive && scene.app.has(.timeSensitive))
        }
    }

    @Test("S3-8 an ordinary sound never plays while the ring switch is on silent") func ringSwitch() {
        for (scene, outcome) in Self.scenes where scene.device.ringSwitch == .silent && outcome.level != .critical {
            #expect(!outcome.presentation.contains(.sound))
        }
    }

    @Test("a setting that is not supported counts as disabled") func notSupported() {
        for (scene, outcome) in Self.scenes {
            var disabled = scene
            disabled.settings.disableUnsupported()
            #expect(disabled.outcome == outcome)
        }
    }
}

extension Explanation {
    /// Whether the deciding step is one that determines a timing.
    fileprivate func decides(_ timing: Timing) -> Bool {
        let step = trace[decidedBy]
        guard step.answer != nil else { return false }
        return switch timing {
        case .now: ["summary", "focus", "calls"].contains(step.stage)
        case .quiet, .foreground: step.answer == timing.rawValue
        case .silencedByFocus: step.answer == FocusAnswer.silenced.rawValue
        case .deferredToSummary: step.rule == "summary.deferred"
        case .notAllowed: step.stage == "authorization"
        case .nothingToShow: step.rule == "presentation.noAlert"
        }
    }
}

extension Scene {
    fileprivate var isFrontmost: Bool { !device.isLocked && device.isScreenOn && device.foregroundApp == app.bundleID }
}

extension NotificationSettings {
    fileprivate mutating func disableUnsupported() {
        let states: [WritableKeyPath<Self, SettingState>] = [
            \.alert, \.sound, \.badge, \.lockScreen, \.notificationCenter, \.carPlay, \.criticalAlert, \.timeSensitive,
            \.scheduledDelivery, \.directMessages, \.announcement,
        ]
        for state in states where self[keyPath: state] == .notSupported { self[keyPath: state] = .disabled }
    }
}

extension PolicyTables {
    /// Every stage with the names of its rules.
    var listing: [(stage: String, rules: [String])] {
        [
            authorization.listing, critical.listing, level.listing, communication.listing, badge.listing,
            immediacy.listing, summary.listing, focus.listing, calls.listing, presentation.listing, foreground.listing,
            screen.listing, settings.listing, look.listing, sound.listing, haptic.listing, announce.listing,
            carPlay.listing,
        ]
    }
}

extension DecisionTable {
    fileprivate var listing: (stage: String, rules: [String]) { (stage, rows.map(\.name)) }
}

extension MaskTable {
    fileprivate var listing: (stage: String, rules: [String]) { (stage, rows.map(\.name)) }
}
