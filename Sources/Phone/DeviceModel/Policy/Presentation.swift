package import Time

/// A push's effects on the device, as bits in the order of their events; `Presentation.words` explains each.
package struct Presentation: OptionSet, Sendable, Hashable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Whether it has any of these; what `OptionSet` has is not specialised for other modules (Swift 6.3).
    package func hasAny(of others: Presentation) -> Bool { rawValue & others.rawValue != 0 }

    /// How many of these it has.
    package func count(of others: Presentation) -> Int { (rawValue & others.rawValue).nonzeroBitCount }

    /// Assumption: how long a temporary banner is up, and how long an alert lights the screen, in milliseconds.
    package static let bannerTime: Int64 = 5000

    /// Whether a banner is up, or the screen lit, that an alert at `instant` began; not before it, when the clock went back.
    package static func isUp(since instant: Instant, at now: Instant) -> Bool {
        (0..<bannerTime).contains(now.milliseconds(since: instant))
    }

    package static let badge = Self(rawValue: 1 << 0)
    package static let banner = Self(rawValue: 1 << 1)
    package static let lockScreen = Self(rawValue: 1 << 2)
    package static let notificationCenter = Self(rawValue: 1 << 3)
    package static let screenLit = Self(rawValue: 1 << 4)
    package static let sound = Self(rawValue: 1 << 5)
    package static let haptic = Self(rawValue: 1 << 6)
    package static let announced = Self(rawValue: 1 << 7)
    package static let carPlay = Self(rawValue: 1 << 8)
    package static let carPlayRead = Self(rawValue: 1 << 9)
    package static let timeSensitiveLabel = Self(rawValue: 1 << 10)
    /// Set apart from the rest: Time Sensitive and critical notifications.
    package static let prominent = Self(rawValue: 1 << 11)
    package static let avatar = Self(rawValue: 1 << 12)
    package static let provisionalPrompt = Self(rawValue: 1 << 13)
    package static let timeSensitivePrompt = Self(rawValue: 1 << 14)
    package static let persistentBanner = Self(rawValue: 1 << 15)
    package static let criticalSound = Self(rawValue: 1 << 16)
    package static let whileInFocus = Self(rawValue: 1 << 17)
    package static let hiddenPreview = Self(rawValue: 1 << 18)
    /// Not an effect, so it has no word: a notification without a sound that a Focus silenced.
    package static let soundless = Self(rawValue: 1 << 19)
    /// Not an effect: PushKit's `mustReport` of a VoIP push.
    package static let mustReport = Self(rawValue: 1 << 20)

    static let all = Self(rawValue: .max)
}

extension Presentation: CustomStringConvertible {
    /// Each bit in order, with its name in the API and in traces and its wording for people.
    package static let words: [(bit: Presentation, name: String, words: String)] = [
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
        (.prominent, "prominent", "prominent"),
        (.avatar, "avatar", "with the sender's picture"),
        (.provisionalPrompt, "provisionalPrompt", "with Keep and Turn Off"),
        (.timeSensitivePrompt, "timeSensitivePrompt", "with an explanation of Time Sensitive"),
        (.persistentBanner, "persistentBanner", "persistent banner"),
        (.criticalSound, "criticalSound", "ignoring the ring switch"),
        (.whileInFocus, "whileInFocus", "under \"While in Focus\""),
        (.hiddenPreview, "hiddenPreview", "text hidden"),
    ]

    /// The lock screen's section for notifications that a Focus silenced.
    package static let focusSection = "whileInFocus"

    /// Whether the person is told at once. One who looks at the lock screen sees a notification appear, unless it is passive.
    func tells(_ level: InterruptionLevel) -> Bool {
        hasAny(of: [.banner, .screenLit, .sound, .haptic, .announced, .carPlay, .carPlayRead])
            || level != .passive && hasAny(of: .lockScreen)
    }

    package var names: [String] { Self.words.filter { contains($0.bit) }.map(\.name) }

    package var description: String { isEmpty ? "nothing" : names.joined(separator: ", ") }

    /// May be empty.
    var sentencePart: String { Self.words.filter { contains($0.bit) }.map(\.words).joined(separator: ", ") }
}
