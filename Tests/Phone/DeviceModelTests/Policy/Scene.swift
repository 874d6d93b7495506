import TestSupport

@testable import DeviceModel

/// A push on a device, edited by tests: an alert with a sound from an app with every permission, on a
/// locked device without any modes.
struct Scene: Sendable {
    typealias Edit = @Sendable (inout Scene) -> Void

    var device = DeviceConditions()
    var app = App(bundleID: "com.example.app", entitlements: Entitlement.allCases.map(\.rawValue))
    var settings = NotificationSettings()
    var assumptions = Assumptions()
    var content = ContentTraits()
    var sinceLastCall: Int64?
    var isTimeSensitiveIntroduced = true
    var isProvisionalIntroduced = true

    init(_ edits: Edit...) { self.init(edits) }

    init(_ edits: [Edit]) {
        content.hasAlert = true
        content.sound = .ordinary
        app.userActivityTypes = CommunicationContext.Intent.allCases.map(\.rawValue)
        for edit in edits { edit(&self) }
    }

    var inputs: InterruptionInputs {
        let context = PolicyContext(device: device, app: app, settings: settings, assumptions: assumptions)
        var inputs = InterruptionInputs(content: content, context: context)
        inputs.sinceLastCall = sinceLastCall
        inputs.isTimeSensitiveIntroduced = isTimeSensitiveIntroduced
        inputs.isProvisionalIntroduced = isProvisionalIntroduced
        return inputs
    }

    var outcome: InterruptionOutcome { MadeDecision(inputs, last: nil).outcome }
    var trace: [TraceStep] { explain(inputs).trace }
}

/// Edits that tests combine.
extension Scene {
    static func level(_ level: InterruptionLevel) -> Edit { { $0.content.level = level } }

    static func status(_ status: NotificationSettings.AuthorizationStatus) -> Edit {
        { $0.settings.authorizationStatus = status }
    }

    static func without(_ entitlement: Entitlement) -> Edit {
        { $0.app.entitlements.removeAll { $0 == entitlement.rawValue } }
    }

    /// A Focus called Work that allows nothing, unless edited.
    static func work(_ edits: (inout Focus) -> Void...) -> Edit {
        let focus = Focus.with { focus in
            (focus.id, focus.name, focus.allowsTimeSensitive) = ("work", "Work", false)
            for edit in edits { edit(&focus) }
        }
        return {
            $0.device.focus.modes = [focus]
            $0.device.focus.active = focus.id
        }
    }

    /// From Kim, whom the device knows by e-mail as contact C1.
    @Sendable static func message(_ scene: inout Scene) { scene.talk(.sendMessage) }

    /// From Kim too.
    @Sendable static func call(_ scene: inout Scene) { scene.talk(.startCall) }

    private mutating func talk(_ intent: CommunicationContext.Intent) {
        device.contacts = [.made("C1", "Kim", emails: ["kim@example.com"])]
        content.communication = .with {
            $0.intent = intent
            ($0.sender.displayName, $0.sender.contactIdentifier) = ("Kim", "C1")
            $0.sender.handle = .init(value: "kim@example.com", type: .emailAddress)
        }
    }

    /// The app is in the foreground, and its delegate answers with options; nil for no delegate.
    static func frontmost(_ options: [PresentationOption]?) -> Edit {
        {
            inUse(&$0)
            $0.device.foregroundApp = $0.app.bundleID
            $0.app.presentationOptions = options
        }
    }

    @Sendable static func inUse(_ scene: inout Scene) {
        scene.device.isLocked = false
        scene.device.isScreenOn = true
    }

    /// A summary at 08:00 and 18:00 that includes the app.
    @Sendable static func summary(_ scene: inout Scene) {
        scene.device.summary.isEnabled = true
        scene.settings.scheduledDelivery = .enabled
    }

    @Sendable static func airPods(_ scene: inout Scene) {
        scene.device.announce.isEnabled = true
        scene.device.audioRoute = .airpodsPro
    }

    @Sendable static func carPlay(_ scene: inout Scene) { scene.device.isCarPlayConnected = true }

    @Sendable static func silentSwitch(_ scene: inout Scene) { scene.device.ringSwitch = .silent }
}

extension Presentation {
    /// The effects of an alert on a locked device.
    static let lockedAlert: Self = [.lockScreen, .notificationCenter, .screenLit, .sound, .haptic]
}
