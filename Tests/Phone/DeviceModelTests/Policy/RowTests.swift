import Testing

@testable import DeviceModel

/// A scene for every row of every table.
@Suite("Every rule decides some notification") struct RowTests {
    struct RowCase: Sendable, CustomTestStringConvertible {
        let rule: String
        let inputs: InterruptionInputs
        var testDescription: String { rule }

        init(_ rule: String, _ edits: Scene.Edit...) { (self.rule, inputs) = (rule, Scene(edits).inputs) }
    }

    static let cases = gateCases + timingCases + lookCases + soundCases + speechCases

    static let gateCases: [RowCase] = [
        .init("authorization.notDetermined", Scene.status(.notDetermined)),
        .init("authorization.denied", Scene.status(.denied)),
        .init("authorization.provisional", Scene.status(.provisional)),
        .init("authorization.ephemeral", Scene.status(.ephemeral)),
        .init("authorization.authorized"),

        .init("critical.notAsked"),
        .init("critical.noEntitlement", Scene.level(.critical), Scene.without(.criticalAlerts)),
        .init("critical.off", Scene.level(.critical), { $0.settings.criticalAlert = .disabled }),
        .init("critical.granted", { $0.content.sound = .critical }),

        .init("level.critical", Scene.level(.critical)),
        .init("level.passive", Scene.level(.passive)),
        .init(
            "level.passive.criticalSound", Scene.level(.passive), Scene.without(.criticalAlerts),
            { $0.content.sound = .critical }),
        .init("level.timeSensitive.noEntitlement", Scene.level(.timeSensitive), Scene.without(.timeSensitive)),
        .init("level.timeSensitive.off", Scene.level(.timeSensitive), { $0.settings.timeSensitive = .disabled }),
        .init("level.timeSensitive", Scene.level(.timeSensitive)),
        .init("level.active"),

        .init("communication.noIntent"),
        .init("communication.noEntitlement", Scene.message, Scene.without(.communication)),
        .init("communication.undeclared", Scene.message, { $0.app.userActivityTypes = ["INStartCallIntent"] }),
        .init("communication.valid", Scene.message),

        .init("badge.none"),
        .init("badge.off", { $0.content.badge = 1 }, { $0.settings.badge = .disabled }),
        .init("badge.provisional", { $0.content.badge = 1 }, Scene.status(.provisional)),
        .init("badge.frontmost", { $0.content.badge = 1 }, Scene.frontmost([.banner])),
        .init("badge.set", { $0.content.badge = 1 }),
    ]

    static let timingCases: [RowCase] = [
        .init("timing.frontmost", Scene.frontmost([.banner])),
        .init("timing.provisional", Scene.status(.provisional)),

        .init("summary.off"),
        .init("summary.notScheduled", { $0.device.summary.isEnabled = true }),
        .init("summary.critical", Scene.summary, Scene.level(.critical)),
        .init("summary.timeSensitive", Scene.summary, Scene.level(.timeSensitive)),
        .init("summary.directMessage", Scene.summary, Scene.message),
        .init("summary.deferred", Scene.summary),

        .init("focus.none"),
        .init("F1", Scene.work(), Scene.level(.critical)),
        .init("F2", Scene.work { $0.filters = [VectorTests.personalFilter] }, { $0.content.filterCriteria = "work" }),
        .init("F3", Scene.work(), Scene.call),
        .init(
            "F4", Scene.work(), Scene.message, { $0.content.communication?.notifiesRecipientAnyway = true },
            { $0.app.isFocusStatusAuthorized = true }),
        .init("F5", Scene.work { $0.people.ids = ["contact:C1"] }, Scene.message),
        .init("F6", Scene.work { $0.apps.ids = ["com.example.app"] }),
        .init("F7", Scene.work { $0.allowsTimeSensitive = true }, Scene.level(.timeSensitive)),
        .init("F8", Scene.work()),

        .init("calls.emergencyBypass", Scene.work(), Scene.call, { $0.device.contacts[0].hasEmergencyBypass = true }),
        .init("calls.everyone", Scene.work { $0.allowsCallsFrom = .everyone }, Scene.call),
        .init("calls.allowedPeople", Scene.work { $0.people.ids = ["contact:C1"] }, Scene.call),
        .init(
            "calls.favorites", Scene.work { $0.allowsCallsFrom = .favorites }, Scene.call,
            { $0.device.contacts[0].isFavorite = true }),
        .init("calls.contacts", Scene.work { $0.allowsCallsFrom = .contacts }, Scene.call),
        .init("calls.repeated", Scene.work(), Scene.call, { $0.sinceLastCall = 1000 }),
        .init("calls.silenced", Scene.work { $0.allowsCallsFrom = .nobody }, Scene.call),
    ]

    static let lookCases: [RowCase] = [
        .init("presentation.noAlert", { $0.content.hasAlert = false }),
        .init("presentation.frontmost", Scene.frontmost([.banner])),
        .init("presentation.quiet", Scene.status(.provisional)),
        .init("presentation.deferred", Scene.summary),
        .init("presentation.silenced.lockScreen", Scene.work { $0.showsOnLockScreen = true }),
        .init("presentation.silenced", Scene.work()),
        .init("presentation.passive", Scene.level(.passive)),
        .init("presentation.alert"),

        .init("foreground.noDelegate", Scene.frontmost(nil)),
        .init("foreground.noBanner", Scene.frontmost([.list])),
        .init("foreground.noList", Scene.frontmost([.banner])),

        .init("screen.inUse", Scene.inUse),
        .init("screen.locked"),

        .init("settings.provisional", Scene.status(.provisional), Scene.frontmost([.banner, .list])),
        .init("settings.alert", Scene.inUse, { $0.settings.alert = .disabled }),
        .init("settings.alertStyle", Scene.inUse, { $0.settings.alertStyle = .none }),
        .init("settings.lockScreen", { $0.settings.lockScreen = .disabled }),
        .init("settings.notificationCenter", { $0.settings.notificationCenter = .notSupported }),

        .init("look.timeSensitive", Scene.level(.timeSensitive)),
        .init("look.critical", Scene.level(.critical)),
        .init("look.communication", Scene.message),
        .init("look.persistent", Scene.inUse, { $0.settings.alertStyle = .alert }),
        .init("look.hiddenPreview", { $0.device.showPreviews = .whenAuthenticated }),
        .init("look.hiddenSender", Scene.message, { $0.device.showPreviews = .never }),
        .init("look.keepOrTurnOff", Scene.status(.provisional), { $0.isProvisionalIntroduced = false }),
        .init("look.timeSensitiveIntroduction", Scene.level(.timeSensitive), { $0.isTimeSensitiveIntroduced = false }),
    ]

    static let soundCases: [RowCase] = [
        .init("sound.frontmost", Scene.frontmost([.banner])),
        .init("sound.critical", Scene.level(.critical)),
        .init("sound.withheld", Scene.work()),
        .init("sound.passive", Scene.level(.passive)),
        .init("sound.provisional", Scene.status(.provisional), Scene.frontmost([.sound])),
        .init("sound.setting", { $0.settings.sound = .disabled }),
        .init("sound.none", { $0.content.sound = .none }),
        .init("sound.ringSwitch", Scene.silentSwitch),
        .init("sound.plays"),

        .init("haptic.notDue", Scene.work()),
        .init("haptic.noSound", { $0.content.sound = .none }),
        .init("haptic.setting", { $0.device.haptics.ring = false }),
        .init("haptic.vibrates"),
    ]

    static let speechCases: [RowCase] = [
        .init("announce.off"),
        .init("announce.withheld", Scene.airPods, Scene.work()),
        .init("announce.noAlert", Scene.airPods, { $0.content.hasAlert = false }),
        .init("announce.passive", Scene.airPods, Scene.level(.passive)),
        .init("announce.setting", Scene.airPods, { $0.settings.announcement = .disabled }),
        .init("announce.route", Scene.airPods, { $0.device.audioRoute = .otherHeadphones }),
        .init("announce.headphones", Scene.airPods, { $0.device.announce.onHeadphones = false }),
        .init("announce.inUse", Scene.airPods, Scene.inUse),
        .init("announce.communication", Scene.airPods, Scene.message, { $0.device.audioRoute = .homepod }),
        .init("announce.homepod", Scene.airPods, Scene.level(.timeSensitive), { $0.device.audioRoute = .homepod }),
        .init("announce.timeSensitive", Scene.airPods, Scene.level(.timeSensitive)),
        .init("announce.critical", Scene.airPods, Scene.level(.critical)),
        .init("announce.everything", Scene.airPods, { $0.settings.announcesEverything = true }),
        .init("announce.notChosen", Scene.airPods),

        .init("carPlay.notConnected"),
        .init("carPlay.withheld", Scene.carPlay, Scene.work()),
        .init("carPlay.noAlert", Scene.carPlay, { $0.content.hasAlert = false }),
        .init("carPlay.passive", Scene.carPlay, Scene.level(.passive)),
        .init("carPlay.setting", Scene.carPlay, Scene.message, { $0.settings.carPlay = .disabled }),
        .init("carPlay.read", Scene.carPlay, Scene.message, { $0.device.announce.isEnabled = true }),
        .init("carPlay.communication", Scene.carPlay, Scene.message),
        .init(
            "carPlay.category", Scene.carPlay, { $0.content.categoryIdentifier = "trip" },
            { $0.app.categories = [NotificationCategory(identifier: "trip", options: [.allowInCarPlay])] }),
        .init("carPlay.other", Scene.carPlay),
    ]

    /// Tables in which every row may contribute; in the others the last row tried decides.
    static let masks: Set<String> = ["foreground", "screen", "settings", "look"]

    @Test("the row decides its stage", arguments: cases) func decides(_ row: RowCase) throws {
        let trace = explain(row.inputs).trace
        let step = try #require(trace.last { $0.rule == row.rule })
        #expect(step.answer != nil)
        #expect(!step.source.isEmpty)
        guard !Self.masks.contains(step.stage) else { return }
        #expect(trace.last { $0.stage == step.stage }?.rule == row.rule)
    }

    @Test("every fact has its own bit") func claims() {
        #expect(Fact.allCases.count <= UInt128.bitWidth)
        #expect(Fact.allCases.reduce(into: [] as Facts) { $0.insert($1) }.bits.nonzeroBitCount == Fact.allCases.count)
    }

    @Test("every row of every table has a test case") func complete() {
        let rules = PolicyTables.all.listing.flatMap(\.rules)
        #expect(Set(rules).count == rules.count)
        #expect(Set(Self.cases.map(\.rule)) == Set(rules))
    }
}
