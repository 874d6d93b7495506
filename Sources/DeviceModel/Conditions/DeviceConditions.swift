/// A device as its person holds it: everything about it that a decision may depend on, apart from apps.
package struct DeviceConditions: Sendable, Hashable {
    /// The language and region, such as `ja_JP`.
    package var locale = "en_US"
    /// The IANA name of the time zone, such as `Asia/Tokyo`.
    package var timeZone = "UTC"
    package var isLocked = true
    package var isScreenOn = false
    /// Whether the passcode was entered since the start.
    package var isUnlockedSinceBoot = true
    package var isPoweredOn = true
    /// Whether the device reaches APNs.
    package var isOnline = true
    /// Whether the device asked APNs to hold back what can wait.
    package var isSavingPower = false
    package var ringSwitch = RingSwitch.ring
    package var haptics = Haptics()
    /// When texts are shown, for apps that have no setting of their own.
    package var showPreviews = ShowPreviews.always
    package var audioRoute = AudioRoute.none
    package var isCarPlayConnected = false
    package var announce = Announce()
    /// The bundle identifier of the app in front; nil on the home screen.
    package var foregroundApp: String?
    package var focus = FocusSettings()
    package var summary = SummarySettings()
    package var contacts: [Contact] = []

    /// A locked device in somebody's pocket.
    package init() {}

    package enum RingSwitch: String, CaseIterable, Sendable {
        case ring, silent
    }

    /// Whether the device vibrates with a sound, by the position of the switch.
    package struct Haptics: Sendable, Hashable {
        package var ring = true
        package var silent = true

        package init() {}
    }

    /// Where sound goes.
    package enum AudioRoute: String, CaseIterable, Sendable {
        case none, airpodsPro, airpodsMax, homepod, otherHeadphones
    }

    /// Settings > Notifications > Announce Notifications.
    package struct Announce: Sendable, Hashable {
        package var isEnabled = false
        package var onHeadphones = true
        package var inCarPlay = true

        package init() {}
    }
}
