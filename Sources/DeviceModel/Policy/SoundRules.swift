/// What is heard (B.9).
enum SoundAnswer: String, Sendable, CustomStringConvertible {
    /// Nothing asks for attention by ear.
    case notDue = "no sound is due"
    /// A sound would be due, but the content has none.
    case absent = "there is no sound to play"
    /// The ring switch keeps it from being heard.
    case muted = "the sound is muted"
    case plays = "the sound plays"
    case critical = "the critical sound plays"

    var description: String { rawValue }
}

/// Whether a sound is due and heard.
let soundTable = DecisionTable<SoundAnswer>(
    stage: "sound",
    rows: [
        .init("sound.frontmost", .notDue, "doc: UNNotificationPresentationOptions") { _ in
            "does the frontmost app's willPresent answer without .sound?"
        } when: {
            $0.timing == .foreground && !$0.standing.frontmostOptions.contains(.sound)
        },
        .init("sound.critical", .critical, "seed 0, 3") { _ in
            "is it a critical alert with a sound?"
        } when: {
            $0.isCritical && $0.content.sound != .none
        },
        .init("sound.withheld", .notDue, "seed 0, 3") {
            "does it not alert now (\($0.timing))?"
        } when: {
            !$0.isAlerting
        },
        .init("sound.passive", .notDue, "seed 0") { _ in
            "is it passive?"
        } when: {
            $0.level == .passive && $0.timing != .foreground
        },
        .init("sound.provisional", .notDue, "inferred") { _ in
            "is the app on trial (provisional)?"
        } when: {
            $0.isProvisional
        },
        .init("sound.setting", .notDue, "doc: UNNotificationSettings") { _ in
            "are the app's sounds turned off?"
        } when: {
            $0.settings.sound != .enabled
        },
        .init("sound.none", .absent, "gk") { _ in
            "does the content name no sound?"
        } when: {
            $0.content.sound == .none
        },
        .init("sound.ringSwitch", .muted, "seed 3") { _ in
            "is the ring switch on silent?"
        } when: {
            $0.device.ringSwitch == .silent
        },
        .otherwise("sound.plays", .plays, "seed 0"),
    ])

/// Whether the device vibrates.
enum HapticAnswer: String, Sendable, CustomStringConvertible {
    case still = "no vibration"
    case vibrates = "the device vibrates"

    var description: String { rawValue }
}

/// A vibration is the person's setting, never the app's request (S3-24).
let hapticTable = DecisionTable<HapticAnswer>(
    stage: "haptic",
    rows: [
        .init("haptic.notDue", .still, "gk") { _ in
            "is no sound due?"
        } when: {
            $0.sound == .notDue
        },
        .init("haptic.noSound", .still, "gk") { _ in
            "does the content name no sound?"
        } when: {
            $0.sound == .absent && $0.assumptions.hapticNeedsSound
        },
        .init("haptic.setting", .still, "seed 3") {
            "are vibrations off while the ring switch is on \($0.device.ringSwitch.rawValue)?"
        } when: {
            !($0.device.ringSwitch == .ring ? $0.device.haptics.ring : $0.device.haptics.silent)
        },
        .otherwise("haptic.vibrates", .vibrates, "seed 3"),
    ])
