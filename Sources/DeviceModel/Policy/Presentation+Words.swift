extension Presentation: CustomStringConvertible {
    /// Every bit with its name in API and traces and its words for people, in the order of the bits.
    static let words: [(bit: Presentation, name: String, words: String)] = [
        (.badge, "badge", "badge set"),
        (.banner, "banner", "banner"),
        (.lockScreen, "lockScreen", "on the lock screen"),
        (.notificationCenter, "notificationCenter", "in Notification Center"),
        (.screenLit, "screenLit", "screen lit"),
        (.sound, "sound", "sound"),
        (.haptic, "haptic", "vibration"),
        (.announced, "announced", "read out by Siri"),
        (.carPlay, "carPlay", "shown in CarPlay"),
        (.carPlayRead, "carPlayRead", "read out in CarPlay"),
        (.timeSensitiveLabel, "timeSensitiveLabel", "labelled Time Sensitive"),
        (.prominent, "prominent", "set apart from the rest"),
        (.avatar, "avatar", "with the sender's picture"),
        (.provisionalPrompt, "provisionalPrompt", "with Keep and Turn Off"),
        (.timeSensitivePrompt, "timeSensitivePrompt", "Time Sensitive notifications explained"),
        (.persistentBanner, "persistentBanner", "the banner stays"),
        (.criticalSound, "criticalSound", "whatever the ring switch says"),
        (.whileInFocus, "whileInFocus", "under \"While in Focus\""),
        (.hiddenPreview, "hiddenPreview", "text hidden"),
    ]

    /// The name of the lock screen's section for what a Focus silenced.
    package static let focusSection = "whileInFocus"
    /// Every name.
    package static var allNames: [String] { words.map(\.name) }

    /// The names of the bits, in their order, such as `banner`, `notificationCenter`.
    package var names: [String] { Self.words.filter { contains($0.bit) }.map(\.name) }

    /// The names, separated by commas; `nothing` when there is none.
    package var description: String { isEmpty ? "nothing" : names.joined(separator: ", ") }

    /// In words for people; empty when there is nothing.
    var sentencePart: String { Self.words.filter { contains($0.bit) }.map(\.words).joined(separator: ", ") }
}
