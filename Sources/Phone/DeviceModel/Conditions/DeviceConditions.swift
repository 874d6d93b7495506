package import Fields
package import Time

/// Everything about a device, except its apps, that a decision may depend on.
package struct DeviceConditions: FieldDescribed, Hashable {
    package var locale = "en_US"
    package var timeZone = "UTC"
    package var isLocked = true
    package var isScreenOn = false
    package var isUnlockedSinceBoot = true
    package var isPoweredOn = true
    package var isOnline = true { didSet { if isOnline { offlineUntil = nil } } }
    package var offlineUntil: Instant?
    package var isSavingPower = false
    package var ringSwitch = RingSwitch.ring
    package var haptics = Haptics()
    package var showPreviews = ShowPreviews.always
    package var audioRoute = AudioRoute.none
    package var isCarPlayConnected = false
    package var hasDynamicIsland = true
    package var osVersion = OSVersion(26)
    package var showsActivitiesWhenLocked = true
    package var announce = Announce()
    package var foregroundApp: String?
    package var person: String?
    package var focus = FocusSettings()
    package var summary = SummarySettings()
    package var alwaysShowsSuggestions = false
    package var contacts: [Contact] = []

    package init() {}

    package var isInUse: Bool { !isLocked && isScreenOn }

    /// A locked phone shows no app.
    package func isForeground(_ app: String) -> Bool { isInUse && foregroundApp == app }

    package var isReachable: Bool { isOnline && isPoweredOn }

    package enum RingSwitch: String, CaseIterable, Sendable { case ring, silent }

    /// Whether the device vibrates with a sound, by the ring switch's position.
    package struct Haptics: FieldDescribed, Hashable {
        package var ring = true
        package var silent = true

        package init() {}

        package static let fields: [Field<Haptics>] = [
            Field("ring", \.ring, .flag, "Whether it vibrates with the switch on ring."),
            Field("silent", \.silent, .flag, "Whether it vibrates with the switch on silent."),
        ]
    }

    package enum AudioRoute: String, CaseIterable, Sendable {
        case none, airpodsPro, airpodsMax, homepod, otherHeadphones
    }

    /// Settings > Notifications > Announce Notifications.
    package struct Announce: FieldDescribed, Hashable {
        package var isEnabled = false
        package var onHeadphones = true
        package var inCarPlay = true

        package init() {}

        package static let fields: [Field<Announce>] = [
            Field("isEnabled", \.isEnabled, .flag, "Whether Siri announces notifications."),
            Field("onHeadphones", \.onHeadphones, .flag, "Whether it does so on headphones."),
            Field("inCarPlay", \.inCarPlay, .flag, "Whether it does so in the car."),
        ]
    }

    package static let fields: [Field<DeviceConditions>] = [
        Field("locale", \.locale, .locale, "The language and region."),
        Field("timeZone", \.timeZone, .timeZone, "The time zone of the device's clock."),
        Field("isLocked", \.isLocked, .flag, "Whether the device is locked."),
        Field("isScreenOn", \.isScreenOn, .flag, "Whether the screen is lit."),
        Field("isUnlockedSinceBoot", \.isUnlockedSinceBoot, .flag, "Whether it has been unlocked since it started."),
        Field("isPoweredOn", \.isPoweredOn, .flag, "Whether the device is on."),
        Field("isOnline", \.isOnline, .flag, "Whether the device can reach APNs."),
        Field(
            "offlineUntil", \.offlineUntil, .optional(.instant),
            "When the device can reach APNs again; absent if it is online or stays offline."),
        Field(
            "isSavingPower", \.isSavingPower, .flag, "Whether it saves power; APNs then stores pushes that can wait."),
        Field("ringSwitch", \.ringSwitch, .word(), "The position of the ring switch."),
        Field("haptics", \.haptics, .object, "Whether it vibrates, by the position of the ring switch."),
        Field("showPreviews", \.showPreviews, .word(), "When texts are shown; apps can override it."),
        Field("audioRoute", \.audioRoute, .word(), "Where sound plays."),
        Field("isCarPlayConnected", \.isCarPlayConnected, .flag, "Whether a car's display is connected."),
        Field("hasDynamicIsland", \.hasDynamicIsland, .flag, "Whether Live Activities have a Dynamic Island."),
        Field("osVersion", \.osVersion, .osVersion, "The version of iOS, on which features of Live Activities depend."),
        Field(
            "showsActivitiesWhenLocked", \.showsActivitiesWhenLocked, .flag,
            "Settings > Face ID & Passcode > Allow Access When Locked > Live Activities."),
        Field("announce", \.announce, .object, "Settings > Notifications > Announce Notifications."),
        Field("foregroundApp", \.foregroundApp, .optional(.name), "The app in the foreground, if any."),
        Field("person", \.person, .optional(.name), "Whose device it is: a person's devices share reservations."),
        Field("focus", \.focus, .object, "The Focus modes and the active one."),
        Field("summary", \.summary, .object, "Settings > Notifications > Scheduled Summary."),
        Field(
            "alwaysShowsSuggestions", \.alwaysShowsSuggestions, .flag,
            "Whether Siri suggests every donated action at any time (WidgetKit Developer Mode)."),
        Field("contacts", \.contacts, .list(.object), "The entries of the Contacts app."),
    ]

    package static let checks: [FieldCheck<DeviceConditions>] = [
        .unique("contacts", \.contacts, by: "id", \.id),
        FieldCheck(at: "offlineUntil", found: "is set on a device that is online", remedy: "set isOnline to false, too")
        {
            $0.isOnline && $0.offlineUntil != nil
        },
    ]
}

/// A version of iOS.
package struct OSVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let major: Int
    package let minor: Int

    package init(_ major: Int, _ minor: Int = 0) { (self.major, self.minor) = (major, minor) }

    package static func < (left: Self, right: Self) -> Bool { (left.major, left.minor) < (right.major, right.minor) }

    package var description: String { "\(major).\(minor)" }
}

extension FieldFormat {
    static var osVersion: FieldFormat<OSVersion> {
        text(
            "a version of iOS as a text, such as \"17.2\"",
            form: TextForm(pattern: #"^(0|[1-9][0-9]{0,2})\.(0|[1-9][0-9]{0,2})$"#),
            read: { text in
                let numbers = text.split(separator: ".").compactMap { Int($0) }
                guard numbers.count == 2, numbers.allSatisfy((0..<1000).contains) else { return nil }
                let version = OSVersion(numbers[0], numbers[1])
                return version.description == text ? version : nil
            },
            write: \.description)
    }
}
