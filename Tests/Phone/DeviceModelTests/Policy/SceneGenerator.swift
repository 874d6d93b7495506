import TestSupport

@testable import DeviceModel

/// Random scenes from a seed.
struct SceneGenerator {
    private var random: SplitMix

    init(seed: UInt64) { random = SplitMix(state: seed) }

    mutating func scene() -> Scene {
        var scene = Scene()
        changeContent(&scene)
        changeApp(&scene)
        changeSettings(&scene.settings)
        changeDevice(&scene.device)
        changeAssumptions(&scene.assumptions)
        scene.isTimeSensitiveIntroduced = flip()
        scene.isProvisionalIntroduced = flip()
        scene.sinceLastCall = pick([nil, 1000, 180_000, 180_001])
        return scene
    }

    private mutating func changeContent(_ scene: inout Scene) {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: Scene.call(&scene)
        case 1: Scene.message(&scene)
        default: break
        }
        scene.content.communication?.isMissedCall = flip()
        scene.content.communication?.notifiesRecipientAnyway = flip()
        if flip() { scene.content.communication?.sender.contactIdentifier = nil }
        scene.content.level = pick([nil] + InterruptionLevel.allCases.map { $0 })
        scene.content.sound = pick(ContentTraits.SoundKind.allCases)
        scene.content.badge = pick([nil, 0, 7])
        scene.content.hasAlert = !rarely()
        scene.content.filterCriteria = pick([nil, "personal", "work"])
        scene.content.categoryIdentifier = pick(["", "trip", "unknown"])
    }

    private mutating func changeApp(_ scene: inout Scene) {
        scene.app.entitlements = Entitlement.allCases.map(\.rawValue).filter { _ in !rarely() }
        if rarely() { scene.app.userActivityTypes = [] }
        if rarely() { scene.app.supportedIntents = ["INSendMessageIntent"] }
        scene.app.categories = [NotificationCategory(identifier: "trip", options: [.allowInCarPlay])]
        scene.app.isFocusStatusAuthorized = flip()
        scene.app.presentationOptions = rarely() ? nil : PresentationOption.allCases.filter { _ in flip() }
    }

    private mutating func changeSettings(_ settings: inout NotificationSettings) {
        settings.authorizationStatus = flip() ? .authorized : pick(NotificationSettings.AuthorizationStatus.allCases)
        settings.alert = state()
        settings.sound = state()
        settings.badge = state()
        settings.lockScreen = state()
        settings.notificationCenter = state()
        settings.carPlay = state()
        settings.criticalAlert = state()
        settings.timeSensitive = state()
        settings.scheduledDelivery = state()
        settings.directMessages = state()
        settings.announcement = state()
        settings.announcesEverything = flip()
        settings.alertStyle = pick(NotificationSettings.AlertStyle.allCases)
        settings.showPreviews = pick([nil] + ShowPreviews.allCases.map { $0 })
    }

    private mutating func changeDevice(_ device: inout DeviceConditions) {
        device.isLocked = flip()
        device.isScreenOn = flip()
        device.ringSwitch = pick(DeviceConditions.RingSwitch.allCases)
        device.haptics.ring = flip()
        device.haptics.silent = flip()
        device.showPreviews = pick(ShowPreviews.allCases)
        device.audioRoute = pick(DeviceConditions.AudioRoute.allCases)
        device.isCarPlayConnected = flip()
        device.announce.isEnabled = flip()
        device.announce.onHeadphones = flip()
        device.announce.inCarPlay = flip()
        device.foregroundApp = pick([nil, "com.example.app", "com.example.other"])
        device.summary.isEnabled = flip()
        device.focus.modes = [focus()]
        device.focus.active = pick([nil, "work", "no such mode"])
    }

    private mutating func focus() -> Focus {
        var focus = Focus()
        focus.id = "work"
        focus.people.mode = pick(Focus.Selection.Mode.allCases)
        focus.people.ids = pick([[], ["contact:C1"]])
        focus.apps.mode = pick(Focus.Selection.Mode.allCases)
        focus.apps.ids = pick([[], ["com.example.app"]])
        focus.allowsTimeSensitive = flip()
        focus.timeSensitiveOptOutApps = pick([[], ["com.example.app"]])
        focus.allowsCallsFrom = pick(Focus.CallScope.allCases)
        focus.allowsRepeatedCalls = flip()
        focus.showsOnLockScreen = flip()
        focus.filters = flip() ? [VectorTests.personalFilter] : []
        return focus
    }

    private mutating func changeAssumptions(_ assumptions: inout Assumptions) {
        assumptions.focusUsesSenderOnly = rarely()
        assumptions.criticalDowngrade = pick(InterruptionLevel.allCases)
        assumptions.criticalSoundRaises = !rarely()
        assumptions.locksBanners = !rarely()
        assumptions.hapticNeedsSound = !rarely()
        assumptions.announcesOnlyWhenLocked = !rarely()
        assumptions.summaryPrecedesFocus = flip()
    }

    private mutating func flip() -> Bool { Bool.random(using: &random) }
    private mutating func rarely() -> Bool { Int.random(in: 0..<8, using: &random) == 0 }
    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: values.indices, using: &random)]
    }

    /// Enabled more often than not.
    private mutating func state() -> NotificationSettings.SettingState {
        flip() ? .enabled : pick(NotificationSettings.SettingState.allCases)
    }
}
