import Foundation
import TestSupport
import Testing

@testable import DeviceModel

/// The effect of each assumption, and edge cases of the tables.
@Suite("Assumptions and edge cases of the policy") struct AssumptionTests {
    @Test("the Focus is evaluated before the summary") func focusFirst() {
        var scene = Scene(Scene.work(), Scene.summary)
        #expect(scene.outcome.timing == .deferredToSummary)
        scene.assumptions.summaryPrecedesFocus = false
        #expect(scene.outcome.timing == .silencedByFocus)
        scene.device.focus.active = nil
        #expect(scene.outcome.timing == .deferredToSummary)
    }

    @Test("S3-6 a message is judged by its sender alone") func senderOnly() {
        var scene = Scene(Scene.work { $0.apps.ids = ["com.example.app"] }, Scene.message)
        #expect(scene.outcome.timing == .now)
        scene.assumptions.focusUsesSenderOnly = true
        #expect(scene.outcome.timing == .silencedByFocus)
        scene.content.communication = nil
        #expect(scene.outcome.timing == .now)
    }

    @Test("an unentitled critical level becomes the assumed level, which needs its own entitlement") func downgrade() {
        var scene = Scene(Scene.level(.critical), Scene.without(.criticalAlerts))
        #expect(scene.outcome.level == .active)
        scene.assumptions.criticalDowngrade = .timeSensitive
        #expect(scene.outcome.level == .timeSensitive)
        scene.settings.timeSensitive = .notSupported
        #expect(scene.outcome.level == .active)
        scene.assumptions.criticalDowngrade = .passive
        #expect(scene.outcome.level == .passive)
        scene.assumptions.criticalDowngrade = .critical
        #expect(scene.outcome.level == .active)
    }

    @Test("an unentitled critical sound becomes an ordinary one and does not change the level") func refusedSound() {
        var scene = Scene(Scene.level(.timeSensitive), Scene.without(.criticalAlerts), { $0.content.sound = .critical })
        #expect(scene.outcome.level == .timeSensitive)
        #expect(scene.outcome.presentation.contains(.sound))
        #expect(!scene.outcome.presentation.contains(.criticalSound))
        scene.device.ringSwitch = .silent
        #expect(!scene.outcome.presentation.contains(.sound))
    }

    @Test("S0-19 B.1.4 an unentitled critical sound makes a passive notification active, unless assumed otherwise")
    func refusedSoundRaises() {
        var scene = Scene(Scene.level(.passive), Scene.without(.criticalAlerts), { $0.content.sound = .critical })
        #expect(scene.outcome.level == .active)
        #expect(scene.outcome.presentation == .lockedAlert)
        scene.content.sound = .ordinary
        #expect(scene.outcome.level == .passive)
        scene.content.sound = .critical
        scene.assumptions.criticalSoundRaises = false
        #expect(scene.outcome.level == .passive)
        #expect(scene.outcome.presentation.isDisjoint(with: [.sound, .screenLit]))
        scene.app.entitlements.append(Entitlement.criticalAlerts.rawValue)
        #expect(scene.outcome.level == .critical)
    }

    @Test("the plain sound of a critical alert ignores the ring switch, unless assumed otherwise")
    func plainSoundOfACriticalAlert() {
        var scene = Scene(Scene.level(.critical), Scene.silentSwitch, { $0.content.sound = .ordinary })
        #expect(scene.outcome.presentation.isSuperset(of: [.sound, .criticalSound]))
        scene.assumptions.criticalSoundNeedsDictionary = true
        #expect(scene.outcome.level == .critical)
        #expect(scene.outcome.presentation.isDisjoint(with: [.sound, .criticalSound]))
        scene.content.sound = .critical
        #expect(scene.outcome.presentation.isSuperset(of: [.sound, .criticalSound]))
    }

    @Test("a critical level assumed to become passive stays passive despite its unentitled sound")
    func passiveDowngradeStays() {
        var scene = Scene(Scene.level(.critical), Scene.without(.criticalAlerts), { $0.content.sound = .critical })
        scene.assumptions.criticalDowngrade = .passive
        #expect(scene.outcome.level == .passive)
    }

    @Test("an assumption missing from an older journal has its default") func olderAssumptions() throws {
        let older = try JSONDecoder().decode(Assumptions.self, from: Data(#"{"actionsShown":3}"#.utf8))
        #expect(older == Assumptions.with { $0.actionsShown = 3 })
    }

    @Test("a critical alert without a sound plays nothing") func silentCritical() {
        let outcome = Scene(Scene.level(.critical), { $0.content.sound = .none }).outcome
        #expect(outcome.presentation.isDisjoint(with: [.sound, .criticalSound, .haptic]))
        #expect(outcome.presentation.contains(.screenLit))
    }

    @Test("a critical alert of a provisionally authorized app is not delivered quietly") func criticalOnTrial() {
        let outcome = Scene(Scene.status(.provisional), Scene.level(.critical)).outcome
        #expect(outcome.timing == .now)
        #expect(outcome.presentation.contains(.criticalSound))
    }

    @Test("a locked device shows banners if assumed") func lockedBanner() {
        var scene = Scene()
        scene.assumptions.locksBanners = false
        #expect(scene.outcome.presentation.contains([.banner, .lockScreen]))
    }

    @Test("S3-24 a notification without a sound vibrates if assumed") func hapticAlone() {
        var scene = Scene({ $0.content.sound = .none })
        #expect(!scene.outcome.presentation.contains(.haptic))
        scene.assumptions.hapticNeedsSound = false
        #expect(scene.outcome.presentation.contains(.haptic))
        scene.content.level = .passive
        #expect(!scene.outcome.presentation.contains(.haptic))
    }

    @Test("headphones announce while the device is in use if assumed") func announcesInUse() {
        var scene = Scene(Scene.airPods, Scene.message, Scene.inUse)
        #expect(!scene.outcome.presentation.contains(.announced))
        scene.assumptions.announcesOnlyWhenLocked = false
        #expect(scene.outcome.presentation.contains(.announced))
    }

    @Test("S0-24 CarPlay reads messages aloud if set") func carPlay() {
        var scene = Scene(Scene.carPlay, Scene.message)
        #expect(scene.outcome.presentation.intersection([.carPlay, .carPlayRead]) == .carPlay)
        scene.device.announce.isEnabled = true
        #expect(scene.outcome.presentation.contains([.carPlay, .carPlayRead]))
        scene.device.announce.inCarPlay = false
        #expect(!scene.outcome.presentation.contains(.carPlayRead))
    }

    @Test("a push without a text shows nothing, but plays its sound unless silenced") func soundOnly() {
        var scene = Scene({ $0.content.hasAlert = false }, { $0.content.badge = 3 })
        #expect(scene.outcome.timing == .nothingToShow)
        #expect(scene.outcome.presentation == [.badge, .sound, .haptic])
        Scene.work()(&scene)
        #expect(scene.outcome.timing == .nothingToShow)
        #expect(scene.outcome.presentation == .badge)
    }

    @Test("S3-19 hidden previews hide the sender, unless the category shows the title") func hiddenSender() {
        var scene = Scene(Scene.message, { $0.device.showPreviews = .never })
        #expect(scene.outcome.presentation.intersection([.avatar, .hiddenPreview]) == .hiddenPreview)
        scene.app.categories = [NotificationCategory(identifier: "chat", options: [.hiddenPreviewsShowTitle])]
        scene.content.categoryIdentifier = "chat"
        #expect(scene.outcome.presentation.contains([.avatar, .hiddenPreview]))
    }

    @Test("a missed call follows the rules of a message") func missedCall() {
        var scene = Scene(Scene.work { $0.allowsCallsFrom = .everyone }, Scene.call)
        #expect(scene.outcome.timing == .now)
        scene.content.communication?.isMissedCall = true
        #expect(scene.outcome.timing == .silencedByFocus)
    }

    @Test(
        "S0-38 S2-5 S2-15 an Intents extension declares an intent as NSUserActivityTypes does",
        arguments: [Scene.message, Scene.call])
    func intentsExtension(_ edit: @escaping Scene.Edit) {
        var scene = Scene(edit)
        scene.app.supportedIntents = scene.app.userActivityTypes
        scene.app.userActivityTypes = []
        #expect(scene.outcome.isCommunication)
    }

    @Test("the frontmost app's deprecated option alert means banner and list") func deprecatedOption() {
        #expect(Scene(Scene.frontmost([.alert])).outcome.presentation == [.banner, .notificationCenter])
        #expect(
            Scene(Scene.frontmost([.list, .badge]), { $0.content.badge = 2 }).outcome.presentation
                == [.notificationCenter, .badge])
    }
}
