package import Fields

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
        .unique("contacts.id", "contacts", \.contacts, by: "id", \.id)
    ]

    package static var blank: Self { Self() }
}

extension DeviceConditions.Haptics: FieldDescribed {
    package static let fields: [Field<DeviceConditions.Haptics>] = [
        Field("ring", \.ring, .flag, "Whether it vibrates while the switch says ring."),
        Field("silent", \.silent, .flag, "Whether it vibrates while the switch says silent."),
    ]

    package static var blank: Self { Self() }
}

extension DeviceConditions.Announce: FieldDescribed {
    package static let fields: [Field<DeviceConditions.Announce>] = [
        Field("isEnabled", \.isEnabled, .flag, "Whether Siri announces notifications."),
        Field("onHeadphones", \.onHeadphones, .flag, "Whether to headphones."),
        Field("inCarPlay", \.inCarPlay, .flag, "Whether in the car."),
    ]

    package static var blank: Self { Self() }
}

extension SummarySettings: FieldDescribed {
    private static let timeCount = (
        range: timesPerDay, words: "\(timesPerDay.lowerBound) to \(timesPerDay.upperBound)"
    )

    package static let fields: [Field<SummarySettings>] = [
        Field("isEnabled", \.isEnabled, .flag, "Whether there is a summary."),
        Field("times", \.times, .list(.wallTime, count: timeCount), "When it comes, in the device's time zone."),
        Field("showsNext", \.showsNext, .flag, "Whether Notification Center shows what waits for the next one."),
    ]

    package static var blank: Self { Self() }
}
