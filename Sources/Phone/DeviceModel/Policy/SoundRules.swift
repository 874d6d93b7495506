/// Whether a sound plays (B.9).
package enum SoundAnswer: String, PolicyAnswer {
    case notDue = "no sound is due"
    case absent = "there is no sound to play"
    case muted = "the sound is muted"
    case plays = "the sound plays"
    case critical = "the critical sound plays"
}

let soundTable = DecisionTable<Situation, SoundAnswer>(
    stage: "sound",
    rows: [
        .init("sound.frontmost", .notDue, "doc: UNNotificationPresentationOptions")
            .asks("does the foreground app's willPresent omit .sound?", when: [.isLeftToApp], unless: [.letsSound]),
        .init("sound.critical", .critical, "WWDC21 10091; HIG Notifications")
            .asks(
                {
                    $0.inputs.context.assumptions.criticalSoundNeedsDictionary
                        ? "is it a critical alert with a critical sound?" : "is it a critical alert with a sound?"
                }, when: [.isCritical, .hasSoundForCritical]),
        .init("sound.withheld", .notDue, "WWDC21 10091; HIG Notifications")
            .asks({ "does it not alert now (\($0.timing))?" }, unless: [.isAlerting]),
        .init("sound.passive", .notDue, "WWDC21 10091")
            .asks("is it passive?", when: [.isPassive], unless: [.isLeftToApp]),
        .init("sound.provisional", .notDue, "inferred")
            .asks("is the app's authorization provisional?", when: [.isQuiet]),
        .init("sound.setting", .notDue, "doc: UNNotificationSettings")
            .asks("are the app's sounds turned off?", unless: [.isSoundOn]),
        .init("sound.none", .absent, "gk").asks("does the content name no sound?", unless: [.hasSound]),
        .init("sound.ringSwitch", .muted, "HIG Notifications")
            .asks("is the ring switch on silent?", when: [.isRingSwitchSilent]),
        .otherwise("sound.plays", .plays, "WWDC21 10091"),
    ])

/// Whether the device vibrates.
enum HapticAnswer: String, PolicyAnswer {
    case still = "no vibration"
    case vibrates = "the device vibrates"
}

/// The person's setting decides on vibration, not the app (S3-24).
let hapticTable = DecisionTable<Situation, HapticAnswer>(
    stage: "haptic",
    rows: [
        .init("haptic.notDue", .still, "gk").asks("is no sound due?", unless: [.isSoundDue]),
        .init("haptic.noSound", .still, "gk")
            .asks("does the content name no sound?", when: [.isSoundDue, .hapticNeedsSound], unless: [.hasSound]),
        .init("haptic.setting", .still, "HIG Notifications")
            .asks(
                { "are vibrations off while the ring switch is on \($0.device.ringSwitch.rawValue)?" },
                unless: [.isHapticOn]),
        .otherwise("haptic.vibrates", .vibrates, "HIG Notifications"),
    ])
