/// A device as its person holds it: everything about it that a decision may depend on, apart from apps.
public struct DeviceConditions: Sendable, Hashable {
    /// The language and region, such as `ja_JP`.
    public var locale = "en_US"
    /// The IANA name of the time zone, such as `Asia/Tokyo`.
    public var timeZone = "UTC"
    public var isLocked = true
    public var isScreenOn = false
    /// Whether the passcode was entered since the start.
    public var isUnlockedSinceBoot = true
    public var isPoweredOn = true
    /// Whether the device reaches APNs.
    public var isOnline = true
    /// Whether the device asked APNs to hold back what can wait.
    public var isSavingPower = false
    public var ringSwitch = RingSwitch.ring
    public var haptics = Haptics()
    /// When texts are shown, for apps that have no setting of their own.
    public var showPreviews = ShowPreviews.always
    public var audioRoute = AudioRoute.none
    public var isCarPlayConnected = false
    public var announce = Announce()
    /// The bundle identifier of the app in front; nil on the home screen.
    public var foregroundApp: String?
    public var focus = FocusSettings()
    public var summary = SummarySettings()
    public var contacts: [Contact] = []

    /// A locked device in somebody's pocket.
    public init() {}

    /// The switch at the side.
    public enum RingSwitch: String, CaseIterable, Sendable {
        case ring, silent
    }

    /// Whether the device vibrates with a sound, by the position of the switch.
    public struct Haptics: Sendable, Hashable {
        public var ring = true
        public var silent = true

        public init() {}
    }

    /// Where sound goes.
    public enum AudioRoute: String, CaseIterable, Sendable {
        case none, airpodsPro, airpodsMax, homepod, otherHeadphones
    }

    /// Settings > Notifications > Announce Notifications.
    public struct Announce: Sendable, Hashable {
        public var isEnabled = false
        public var onHeadphones = true
        public var inCarPlay = true

        public init() {}
    }
}
