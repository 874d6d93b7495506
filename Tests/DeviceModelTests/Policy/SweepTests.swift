import Testing

@testable import DeviceModel

/// What holds whatever is on, over random scenes from a fixed seed.
@Suite("Policy sweep")
struct SweepTests {
    static let scenes: [Scene] = {
        var generator = SceneGenerator(seed: 20_260_105)
        return (0..<4000).map { _ in generator.scene() }
    }()

    @Test("the trace changes nothing, ends every stage with an answer and names known rules only")
    func tracing() {
        let rules = Set(policyTables.flatMap(\.rules))
        for scene in Self.scenes {
            let explained = explain(scene.inputs)
            #expect(explained.outcome == scene.outcome)
            #expect(explained.trace.allSatisfy { rules.contains($0.rule) })
            for (stage, _) in policyTables where stage != "timing" {
                guard let last = explained.trace.last(where: { $0.stage == stage }) else { continue }
                #expect(last.answer != nil, "\(stage)")
            }
        }
    }

    @Test("S3-1 nothing of a notification that is not allowed")
    func notAllowed() {
        for scene in Self.scenes {
            let isAllowed = ![.denied, .notDetermined].contains(scene.settings.authorizationStatus)
            #expect((scene.outcome.timing == .notAllowed) == !isAllowed)
            if !isAllowed { #expect(scene.outcome.presentation.isEmpty) }
        }
    }

    @Test("S0-19 S3-7 S3-8 critical always sounds when entitled, unless the app is in front and decides")
    func critical() {
        var count = 0
        for scene in Self.scenes {
            let outcome = scene.outcome
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
        #expect(count > 100)
    }

    @Test("S3-4 what a Focus silences makes no noise and no light, and is in Notification Center")
    func silenced() {
        for scene in Self.scenes where scene.outcome.timing == .silencedByFocus {
            let presentation = scene.outcome.presentation
            #expect(presentation.isDisjoint(with: [.banner, .screenLit, .sound, .haptic, .announced, .carPlay]))
            #expect(presentation.contains(.notificationCenter) == (scene.settings.notificationCenter == .enabled))
        }
    }

    @Test("S0-9 nothing but the badge of what waits for the summary")
    func deferred() {
        for scene in Self.scenes where scene.outcome.timing == .deferredToSummary {
            #expect(scene.outcome.presentation.subtracting(.badge).isEmpty)
        }
    }

    @Test("S0-16 a passive one neither lights nor sounds nor speaks, unless the frontmost app wants it")
    func passive() {
        for scene in Self.scenes where scene.outcome.level == .passive && !scene.isFrontmost {
            #expect(scene.outcome.presentation.isDisjoint(with: [.banner, .screenLit, .sound, .haptic, .announced]))
        }
    }

    @Test("S0-26 only entitled Time Sensitive notifications are labelled")
    func label() {
        for scene in Self.scenes where scene.outcome.presentation.contains(.timeSensitiveLabel) {
            #expect(scene.outcome.level == .timeSensitive && scene.app.has(.timeSensitive))
        }
    }

    @Test("S3-8 an ordinary sound never plays while the ring switch is on silent")
    func ringSwitch() {
        for scene in Self.scenes where scene.device.ringSwitch == .silent && scene.outcome.level != .critical {
            #expect(!scene.outcome.presentation.contains(.sound))
        }
    }

    @Test("a setting that is not supported counts as disabled")
    func notSupported() {
        for scene in Self.scenes {
            var disabled = scene
            disabled.settings.disableUnsupported()
            #expect(disabled.outcome == scene.outcome)
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
