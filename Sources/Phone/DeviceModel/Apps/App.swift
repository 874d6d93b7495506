package import APNs
package import Fields
package import JSON

/// An app as its developer defines it, the same on every device.
package struct App: FieldDescribed, Hashable {
    package var bundleID: String
    package var displayName: String
    package var team: String?
    package var entitlements: [String] = []
    package var categories: [NotificationCategory] = []
    package var localizations: [String: [String: String]] = [:]
    package var userActivityTypes: [String] = []
    package var supportedIntents: [String] = []
    package var presentationOptions: [PresentationOption]?
    package var isFocusStatusAuthorized = false
    package var providesNotificationSettings = false
    package var hasMarketingConsent: Bool?
    package var hasServiceExtension = false
    package var `extension`: ServiceExtension? {
        didSet { hasServiceExtension = `extension` != nil || hasServiceExtension && oldValue == nil }
    }
    package var soundNames: [String]?
    /// nil when the app declares nothing: it then accepts every Live Activity.
    package var liveActivities: LiveActivities?
    // nil if the app does not declare it; the device then accepts every push of that type.
    package var backgroundModes: [String]?
    package var pushkit: PushKitTypes?
    package var ptt: Bool?
    package var locationExtension: Bool?
    package var widgets: [PushSurface]?
    package var controls: [PushSurface]?
    package var isBroadcastEnabled = true
    /// Its custom intents.
    package var intents: [IntentDefinition]?
    package var settings = NotificationSettings()

    package init(bundleID: String, displayName: String? = nil, team: String? = nil, entitlements: [String] = []) {
        self.bundleID = bundleID
        self.displayName = displayName ?? bundleID.split(separator: ".").last.map(String.init) ?? bundleID
        self.team = team
        self.entitlements = entitlements
    }

    /// Calendar, which notifies about events that Siri adds.
    package static let calendar = App(
        bundleID: "com.apple.mobilecal", displayName: "Calendar", entitlements: [Entitlement.timeSensitive.rawValue])

    package func has(_ entitlement: Entitlement) -> Bool { entitlements.contains(entitlement.rawValue) }

    /// Whether pushes may wake the app; an app that declares no modes is taken to have this one.
    package var hasRemoteNotificationMode: Bool { backgroundModes?.contains("remote-notification") ?? true }

    package var definitions: [IntentDefinition] { intents ?? [] }

    package func intent(_ name: String) -> IntentDefinition? { intents?.first { $0.intent == name } }

    package func category(_ identifier: String) -> NotificationCategory? {
        identifier.isEmpty ? nil : categories.first { $0.identifier == identifier }
    }

    package static let fields: [Field<App>] = [
        Field("bundleId", \.bundleID, .name, "The bundle identifier; topics are made from it.").required,
        Field("displayName", \.displayName, .name, "The name under the icon; default: the last part of bundleId.")
            .required,
        Field("team", \.team, .optional(.text), "The developer team's identifier."),
        Field("entitlements", \.entitlements, .list(.name), "The entitlements' keys."),
        Field("categories", \.categories, .list(.object), "The categories that setNotificationCategories registered."),
        Field(
            "localizations", \.localizations,
            .map(.map(.text, of: "texts by key"), of: "objects of texts by key, by language"),
            "Localizable.strings: language, then key, then text."),
        Field("userActivityTypes", \.userActivityTypes, .list(.name), "NSUserActivityTypes of the Info.plist."),
        Field("supportedIntents", \.supportedIntents, .list(.name), "What the app's Intents extension supports."),
        Field(
            "presentationOptions", \.presentationOptions, .optional(.list(.word())),
            "What willPresent returns; absent without a delegate."),
        Field("isFocusStatusAuthorized", \.isFocusStatusAuthorized, .flag, "Whether it may read the Focus status."),
        Field(
            "providesNotificationSettings", \.providesNotificationSettings, .flag,
            "Whether it has notification settings of its own."),
        Field(
            "hasMarketingConsent", \.hasMarketingConsent, .optional(.flag), "Consent to marketing; absent if unknown."),
        Field("hasServiceExtension", \.hasServiceExtension, .flag, "Whether it contains a service extension."),
        Field("extension", \.extension, .optional(.object), "The service extension that runs for its pushes."),
        Field("soundNames", \.soundNames, .optional(.list(.name)), "The app's sound files; if absent, all exist."),
        Field(
            "liveActivities", \.liveActivities, .optional(.object),
            "The Live Activities; if absent, the app accepts every type and content."),
        Field(
            "backgroundModes", \.backgroundModes, .optional(.list(.name)),
            "UIBackgroundModes of the Info.plist; background pushes need remote-notification."),
        Field("pushkit", \.pushkit, .optional(.object), "What the app registers for with PushKit."),
        Field("ptt", \.ptt, .optional(.flag), "Whether the app uses the Push to Talk framework."),
        Field("locationExtension", \.locationExtension, .optional(.flag), "Whether it has a location push extension."),
        Field("widgets", \.widgets, .optional(.list(.object)), "The widgets that it offers."),
        Field("controls", \.controls, .optional(.list(.object)), "The controls that it offers."),
        Field(
            "isBroadcastEnabled", \.isBroadcastEnabled, .flag,
            "Whether it has the broadcast capability; without it, its channels are deleted for good."),
        Field(
            "intents", \.intents, .optional(.list(.object, count: IntentDefinition.count)),
            "Its custom intents."),
        Field("settings", \.settings, .object, "The app's notification settings until the person changes them."),
    ]

    package static let checks: [FieldCheck<App>] = [
        .unique("categories", \.categories, by: "identifier", \.identifier),
        .unique("intents", \.definitions, by: "intent", \.intent),
        FieldCheck { app in
            app.entitlements.enumerated().compactMap { index, name in
                guard Entitlement(rawValue: name) == nil,
                    let nearest = NearestName.of(name, among: Entitlement.allCases.map(\.rawValue))
                else { return nil }
                return FieldProblem(
                    FieldPath().member("entitlements").element(index), "is '\(name)'", "did you mean \(nearest)?")
            }
        },
    ]

    package init() { self.init(bundleID: "") }

    package var untouched: App { App(bundleID: bundleID) }
}

/// The entitlements that affect pushes (Apple, "Bundle resources: Entitlements").
package enum Entitlement: String, CaseIterable, Sendable {
    case timeSensitive = "com.apple.developer.usernotifications.time-sensitive"
    case criticalAlerts = "com.apple.developer.usernotifications.critical-alerts"
    case communication = "com.apple.developer.usernotifications.communication"
    case filtering = "com.apple.developer.usernotifications.filtering"
    case locationPush = "com.apple.developer.location.push"
}

/// How a notification may be shown over the frontmost app (`UNNotificationPresentationOptions`).
package enum PresentationOption: String, CaseIterable, Sendable {
    case badge, sound, list, banner
    /// Deprecated; means banner and list.
    case alert
}

/// A widget or a control that an app offers.
package struct PushSurface: FieldDescribed, Hashable {
    package var kind = ""
    /// Whether it has a push handler.
    package var push = true
    /// The class of the intent that configures it; nil for none.
    package var configurationIntent: String?

    package init() {}

    package static let fields: [Field<PushSurface>] = [
        Field("kind", \.kind, .name, "Its kind, as in its configuration.").required,
        Field("push", \.push, .flag, "Whether it has a push handler."),
        Field(
            "configurationIntent", \.configurationIntent, .optional(.name),
            "The class of the intent that configures a widget."),
    ]
}

/// A widget or control that the person placed.
package struct PlacedSurface: FieldDescribed, Hashable {
    package var id = ""
    package var kind = ""
    package var content = ""
    package var intent: JSONValue?

    package init() {}

    package static let fields: [Field<PlacedSurface>] = [
        Field("id", \.id, .name, "Its identifier on the device.").required,
        Field("kind", \.kind, .name, "Its kind, as the app declares it.").required,
        Field("content", \.content, .text, "The widget's current text or the control's value; pushes replace it."),
        Field("intent", \.intent, .optional(.anyObject), "The intent that configures a widget, with its class."),
    ]
}

/// What an app registers for with PushKit; a member is nil when the app does not declare it.
package struct PushKitTypes: FieldDescribed, Hashable {
    package var voip: Bool?
    package var fileprovider: Bool?

    package init() {}

    package static let fields: [Field<PushKitTypes>] = [
        Field("voip", \.voip, .optional(.flag), "Whether it registers for VoIP pushes."),
        Field("fileprovider", \.fileprovider, .optional(.flag), "Whether it registers for file provider pushes."),
    ]
}

extension App {
    /// Whether the app declares pushes of this type; the device accepts undeclared types.
    package func declares(_ type: PushType) -> Bool {
        switch type {
        case .background: backgroundModes != nil
        case .voip: pushkit?.voip != nil
        case .fileprovider: pushkit?.fileprovider != nil
        case .pushtotalk: ptt != nil
        case .location: locationExtension != nil
        case .widgets: widgets != nil
        case .controls: controls != nil
        case .alert, .complication, .liveactivity, .mdm: false
        }
    }

    /// True for a kind of an app that declares none.
    package func takesPush(_ surface: String, among declared: [PushSurface]?) -> Bool {
        declared.map { $0.contains { $0.kind == surface && $0.push } } ?? true
    }
}
