package import Fields

/// Everything about a device, except its apps, that a decision may depend on.
package struct DeviceConditions: Sendable, Hashable {
    package var locale = "en_US"
    package var timeZone = "UTC"
    package var isLocked = true
    package var isScreenOn = false
    package var isUnlockedSinceBoot = true
    package var isPoweredOn = true
    package var isOnline = true
    package var isSavingPower = false
    package var ringSwitch = RingSwitch.ring
    package var haptics = Haptics()
    package var showPreviews = ShowPreviews.always
    package var audioRoute = AudioRoute.none
    package var isCarPlayConnected = false
    package var announce = Announce()
    package var foregroundApp: String?
    package var focus = FocusSettings()
    package var summary = SummarySettings()
    package var contacts: [Contact] = []

    package init() {}

    package enum RingSwitch: String, CaseIterable, Sendable {
        case ring, silent
    }

    /// Whether the device vibrates with a sound, by the ring switch's position.
    package struct Haptics: Sendable, Hashable {
        package var ring = true
        package var silent = true

        package init() {}
    }

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

extension DeviceConditions: FieldDescribed {
    package static let fields: [Field<DeviceConditions>] = [
        Field("locale", \.locale, .locale, "The language and region."),
        Field("timeZone", \.timeZone, .timeZone, "Where the device's clock is."),
        Field("isLocked", \.isLocked, .flag, "Whether the device is locked."),
        Field("isScreenOn", \.isScreenOn, .flag, "Whether the screen is lit."),
        Field(
            "isUnlockedSinceBoot", \.isUnlockedSinceBoot, .flag, "Whether the passcode was entered since the start."),
        Field("isPoweredOn", \.isPoweredOn, .flag, "Whether the device runs."),
        Field("isOnline", \.isOnline, .flag, "Whether the device reaches APNs."),
        Field(
            "isSavingPower", \.isSavingPower, .flag, "Whether the device asked APNs to hold back what can wait."),
        Field("ringSwitch", \.ringSwitch, .word(), "The switch at the side."),
        Field("haptics", \.haptics, .object, "Whether the device vibrates, by the position of the switch."),
        Field(
            "showPreviews", \.showPreviews, .word(), "When texts are shown, for apps that have no setting of their own."
        ),
        Field("audioRoute", \.audioRoute, .word(), "Where sound goes."),
        Field("isCarPlayConnected", \.isCarPlayConnected, .flag, "Whether a car's display is connected."),
        Field("announce", \.announce, .object, "Settings > Notifications > Announce Notifications."),
        Field(
            "foregroundApp", \.foregroundApp, .optional(.name),
            "The bundle identifier of the app in front; absent on the home screen."),
        Field("focus", \.focus, .object, "The Focus modes, and which of them is on."),
        Field("summary", \.summary, .object, "Settings > Notifications > Scheduled Summary."),
        Field("contacts", \.contacts, .list(.object), "Who is in the Contacts app."),
    ]

    package static let checks: [FieldCheck<DeviceConditions>] = [
        .unique("contacts", \.contacts, by: "id", \.id)
    ]
}

extension DeviceConditions.Haptics: FieldDescribed {
    package static let fields: [Field<DeviceConditions.Haptics>] = [
        Field("ring", \.ring, .flag, "Whether it vibrates while the switch says ring."),
        Field("silent", \.silent, .flag, "Whether it vibrates while the switch says silent."),
    ]
}

extension DeviceConditions.Announce: FieldDescribed {
    package static let fields: [Field<DeviceConditions.Announce>] = [
        Field("isEnabled", \.isEnabled, .flag, "Whether Siri announces notifications."),
        Field("onHeadphones", \.onHeadphones, .flag, "Whether to headphones."),
        Field("inCarPlay", \.inCarPlay, .flag, "Whether in the car."),
    ]
}
