import APNs
import DeviceModel
import JSON
import TestSupport
import Testing

@testable import LiveModel

/// Every row of L3: one setting is wrong, and one rule decides.
@Suite struct ServiceRuleTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var rule: String
        var kind: PushType
        var payload = "{}"
        var subject: String?
        var isOverBudget = false
        var verdict: ServiceVerdict
        var edit: @Sendable (inout ServiceFixture) throws -> Void

        init(
            _ rule: String, _ kind: PushType, _ verdict: ServiceVerdict, payload: String = "{}", subject: String? = nil,
            isOverBudget: Bool = false, _ edit: @escaping @Sendable (inout ServiceFixture) throws -> Void
        ) {
            (self.rule, self.kind, self.verdict, self.edit) = (rule, kind, verdict, edit)
            (self.payload, self.subject, self.isOverBudget) = (payload, subject, isOverBudget)
        }

        var testDescription: String { rule }
    }

    /// An app that declares everything and has everything.
    static func fixture() throws -> ServiceFixture {
        var fixture = ServiceFixture { app in
            app.backgroundModes = ["remote-notification"]
            app.pushkit = .with { ($0.voip, $0.fileprovider) = (true, true) }
            app.ptt = true
            app.locationExtension = true
            app.widgets = [PushSurface("scores"), PushSurface("still", push: false)]
            app.controls = [PushSurface("door"), PushSurface("lamp", push: false)]
        }
        fixture.open(ServiceFixture.app)
        try fixture.set { settings in
            settings.channel = "Team"
            settings.widgets = [.init("w1", "scores"), .init("w2", "scores"), .init("w3", "still")]
            settings.controls = [.init("c1", "door"), .init("c2", "lamp")]
        }
        fixture.device.foregroundApp = nil
        return fixture
    }

    static let rows = [
        Row("background.mode", .background, .discarded(.backgroundModeMissing)) { $0.app.backgroundModes = ["audio"] },
        Row("background.terminated", .background, .discarded(.appTerminated)) { $0.isTerminated = true },
        Row("background.timeout", .background, .delivered(.notHandled)) { $0.reply { $0.background = .timeout } },
        Row("background.wakes", .background, .delivered(.wakes)) { $0.reply { $0.background = .newData } },
        Row("voip.registered", .voip, .discarded(.notRegistered)) { $0.app.pushkit?.voip = false },
        Row("voip.withheld", .voip, .discarded(.voipWithheld)) { fixture in
            fixture.reply { $0.voip = .replying(.nothing) }
            for _ in 0..<4 { _ = fixture.push(.voip) }
        },
        Row("voip.filtered", .voip, .delivered(.filtered)) {
            $0.device.focus.switchOn { $0.allowsCallsFrom = .nobody }
        },
        Row("voip.rings", .voip, .delivered(.rings)) { _ in },
        Row("voip.rings", .voip, .delivered(.rings)) { $0.device.focus.switchOn { $0.allowsCallsFrom = .everyone } },
        Row("voip.stale", .voip, .delivered(.exemptStale)) { fixture in
            fixture.device.osVersion = OSVersion(26, 4)
            fixture.age = 60_000
            fixture.reply { $0.voip = .replying(.nothing) }
        },
        Row("voip.killed", .voip, .delivered(.killed)) { fixture in
            fixture.device.osVersion = OSVersion(26, 3)
            fixture.age = 60_000
            fixture.reply { $0.voip = .replying(.nothing) }
        },
        Row("voip.killed", .voip, .delivered(.killed)) { fixture in
            fixture.device.osVersion = OSVersion(26, 4)
            fixture.age = 59_999
            fixture.reply { $0.voip = .replying(.nothing) }
        },
        Row("widgets.version", .widgets, .discarded(.unsupported)) { $0.device.osVersion = OSVersion(18, 6) },
        Row("widgets.reload", .widgets, .delivered(.reloaded)) { $0.device.osVersion = OSVersion(26) },
        Row("controls.version", .controls, .discarded(.unsupported), subject: "c1") {
            $0.device.osVersion = OSVersion(17, 7)
        },
        Row("controls.reload", .controls, .delivered(.controlReloaded), subject: "c1") {
            $0.device.osVersion = OSVersion(18)
        },
        Row("voip.existing", .voip, .delivered(.alreadyReported)) { fixture in
            fixture.reply { $0.voip = .replying(.reportExisting) }
            try fixture.set { $0.call = .active }
        },
        Row("voip.foreground", .voip, .delivered(.exempt)) { fixture in
            fixture.reply { $0.voip = .replying(.nothing) }
            fixture.open(ServiceFixture.app)
        },
        Row("voip.call", .voip, .delivered(.exempt)) { fixture in
            fixture.reply { $0.voip = .replying(.nothing) }
            try fixture.set { $0.call = .ringing }
        },
        Row("voip.timeout", .voip, .delivered(.killedLater)) { $0.reply { $0.voip = .replying(.timeout) } },
        Row("voip.killed", .voip, .delivered(.killed)) { $0.reply { $0.voip = .replying(.nothing) } },
        Row("voip.killed", .voip, .delivered(.killed)) { $0.reply { $0.voip = .replying(.reportExisting) } },
        Row("ptt.version", .pushtotalk, .discarded(.unsupported)) { $0.device.osVersion = OSVersion(15) },
        Row("ptt.registered", .pushtotalk, .discarded(.notRegistered)) { $0.app.ptt = false },
        Row("ptt.joined", .pushtotalk, .discarded(.channelNotJoined)) { try $0.set { $0.channel = nil } },
        Row("ptt.leave", .pushtotalk, .delivered(.leaves)) { $0.reply { $0.pushtotalk = .replying(.leave) } },
        Row("ptt.leave", .pushtotalk, .delivered(.leaves)) { $0.reply { $0.pushtotalk = .replying(.timeout) } },
        Row("ptt.error", .pushtotalk, .delivered(.failed)) { $0.reply { $0.pushtotalk = .replying(.error) } },
        Row("ptt.error", .pushtotalk, .delivered(.failed)) { fixture in
            fixture.assumptions.pttTimeoutLeaves = false
            fixture.reply { $0.pushtotalk = .replying(.timeout) }
        },
        Row("ptt.halfDuplex", .pushtotalk, .delivered(.transmitting)) { fixture in
            try fixture.set { ($0.isTransmitting, $0.isHalfDuplex) = (true, true) }
        },
        Row("ptt.participant", .pushtotalk, .delivered(.speaks)) { try $0.set { $0.isTransmitting = true } },
        Row("location.extension", .location, .discarded(.extensionMissing)) { $0.app.locationExtension = false },
        Row("location.entitlement", .location, .discarded(.entitlementMissing)) { $0.app.entitlements = [] },
        Row("location.always", .location, .discarded(.locationNotAuthorized)) {
            try $0.set { $0.locationAuthorization = .whenInUse }
        },
        Row("location.timeout", .location, .delivered(.locationTimedOut)) {
            $0.reply { $0.location = .replying(.timeout) }
        },
        Row("location.none", .location, .delivered(.notLocated)) { $0.reply { $0.location = .replying(.none) } },
        Row("location.reported", .location, .delivered(.located)) { _ in },
        Row("fileprovider.registered", .fileprovider, .discarded(.notRegistered)) {
            $0.app.pushkit?.fileprovider = false
        },
        Row("fileprovider.domain", .fileprovider, .delivered(.unknownDomain), payload: #"{"domain":"home"}"#) {
            fixture in
            try fixture.set { $0.fileProviderDomains = ["work"] }
        },
        Row(
            "fileprovider.workingSet", .fileprovider, .delivered(.containerIgnored),
            payload: #"{"container-identifier":"x"}"#
        ) {
            fixture in try fixture.set { $0.isReplicated = true }
        },
        Row(
            "fileprovider.signals", .fileprovider, .delivered(.signalled),
            payload: #"{"container-identifier":"NSFileProviderWorkingSetContainerItemIdentifier","domain":"work"}"#
        ) { fixture in try fixture.set { ($0.fileProviderDomains, $0.isReplicated) = (["work"], true) } },
        Row("mdm.enrolled", .mdm, .discarded(.notEnrolled)) { try $0.set { $0.isEnrolled = false } },
        Row("mdm.magic", .mdm, .discarded(.wrongPushMagic), payload: #"{"mdm":"other"}"#) { fixture in
            try fixture.set { $0.pushMagic = "magic" }
        },
        Row("mdm.unlocked", .mdm, .delivered(.notNow)) { fixture in
            fixture.device.isUnlockedSinceBoot = false
            fixture.reply { $0.mdm = [.acknowledged] }
        },
        Row("mdm.wakes", .mdm, .delivered(.replied), payload: #"{"mdm":"magic"}"#) { fixture in
            try fixture.set { ($0.isEnrolled, $0.pushMagic) = (true, "magic") }
        },
        Row("widgets.placed", .widgets, .discarded(.noWidget)) { fixture in
            try fixture.set { $0.widgets.removeAll { $0.kind == "scores" } }
        },
        Row("widgets.budget", .widgets, .discarded(.budgetExceeded)) { $0.assumptions.widgetBudget = 0 },
        Row("widgets.reload", .widgets, .delivered(.reloaded)) { _ in },
        Row("widgets.reload", .widgets, .delivered(.reloaded)) { fixture in
            fixture.assumptions.widgetBudget = 0
            try fixture.set { $0.isWidgetDeveloperMode = true }
        },
        Row("controls.placed", .controls, .discarded(.noControl), subject: "c2") { _ in },
        Row("controls.placed", .controls, .discarded(.noControl)) { _ in },
        Row("controls.reload", .controls, .delivered(.controlReloaded), subject: "c1") { _ in },
        Row("complication.face", .complication, .discarded(.noComplication)) {
            try $0.set { $0.hasComplication = false }
        },
    ]

    @Test("L3 every rule of every push type decides some push", arguments: rows) func decides(_ row: Row) throws {
        var fixture = try Self.fixture()
        try row.edit(&fixture)
        let result = fixture.push(row.kind, row.payload, subject: row.subject, isOverBudget: row.isOverBudget)
        #expect(result.verdict == row.verdict)
        #expect(result.reason == row.verdict.discardReason)
        let facts = try #require(fixture.table.result(of: fixture.pushCount)).facts
        let trace = ServiceRules.trace(row.kind, facts)
        #expect(trace.last?.rule == row.rule)
        #expect(trace.last?.answer == row.verdict.description)
        #expect(trace.dropLast().allSatisfy { $0.answer == nil })
    }

    @Test("L3 the complication budget belongs to the device") func complication() {
        let table = ServiceRules.table(for: .complication)
        #expect(table?.decide([], nil) == .delivered(.complicationUpdated))
        #expect(table?.decide([.isOverBudget], nil) == .discarded(.budgetExceeded))
    }

    @Test("L3 every outcome is covered by a row") func coversEveryOutcome() {
        let reached = Self.rows.compactMap { if case .delivered(let outcome) = $0.verdict { outcome } else { nil } }
        #expect(Set(reached).union([.complicationUpdated]) == Set(ServiceOutcome.allCases))
    }

    @Test("L3 every rule is covered by a row") func coversEveryRule() {
        let names = PushType.allCases.flatMap { ServiceRules.table(for: $0)?.rows.map(\.name) ?? [] }
        #expect(Set(names).count == names.count)
        #expect(Set(Self.rows.map(\.rule)).union(["complication.budget", "complication.update"]) == Set(names))
    }

    @Test("L3 an app without declared services gets its pushes as before", arguments: PushType.allCases)
    func acceptsTheUndeclared(_ kind: PushType) {
        var fixture = ServiceFixture()
        let result = fixture.push(kind)
        #expect(result.verdict == nil && result.events.isEmpty)
        #expect(fixture.table == ServiceTable())
    }
}

extension ServiceReplies.VoIPReply {
    static func replying(_ kind: Kind) -> Self { .with { $0.reply = kind } }
}

extension ServiceReplies.PushToTalkReply {
    static func replying(_ kind: Kind) -> Self { .with { $0.reply = kind } }
}

extension ServiceReplies.LocationReply {
    static func replying(_ kind: Kind) -> Self { .with { $0.reply = kind } }
}

extension FocusSettings {
    mutating func switchOn(_ edit: (inout Focus) -> Void) {
        modes = [.with(edit)]
        modes[0].id = "work"
        active = "work"
    }
}
