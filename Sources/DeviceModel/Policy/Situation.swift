/// What a stage decides from: the inputs, and what the stages before it decided.
///
/// Not copyable, so that rows look at it without retaining its many strings.
struct Situation: ~Copyable {
    let inputs: InterruptionInputs
    /// As far as it is decided.
    var outcome = InterruptionOutcome()
    var authorization = AuthorizationAnswer.full
    var critical = CriticalAnswer.notAsked
    var sound = SoundAnswer.notDue

    init(_ inputs: consuming InterruptionInputs) { self.inputs = inputs }

    var content: ContentTraits { _read { yield inputs.content } }
    var device: DeviceConditions { _read { yield inputs.circumstances.device } }
    var app: App { _read { yield inputs.circumstances.app } }
    var settings: NotificationSettings { _read { yield inputs.circumstances.settings } }
    var standing: StandingFacts { _read { yield inputs.circumstances.standing } }
    var assumptions: Assumptions { _read { yield inputs.circumstances.assumptions } }

    var level: InterruptionLevel { outcome.level }
    var timing: Timing { outcome.timing }
    var isCommunication: Bool { outcome.isCommunication }
    var isCritical: Bool { outcome.level == .critical }

    /// Somewhere on a screen.
    var isVisible: Bool { !outcome.presentation.isDisjoint(with: .surfaces) }
    /// Alerted as its level says: nothing holds it back.
    var isAlerting: Bool { timing == .now || timing == .foreground }
    /// Quiet whatever the content asks for; critical alerts are authorized by themselves.
    var isProvisional: Bool { authorization == .quiet && !isCritical }
}

extension Presentation {
    /// Where a notification can be seen.
    static let surfaces: Self = [.banner, .lockScreen, .notificationCenter]
}
