package import Fields

extension App: FieldDescribed {
    package static let fields: [Field<App>] = [
        Field("bundleId", \.bundleID, .name, "The bundle identifier; topics are made from it."),
        Field(
            "displayName", \.displayName, .name,
            "The name under the icon; the last part of the bundle identifier unless given."),
        Field("team", \.team, .optional(.text), "The developer team's identifier."),
        Field("entitlements", \.entitlements, .list(.name), "The entitlements' keys."),
        Field("categories", \.categories, .list(.object), "What setNotificationCategories was called with last."),
        Field(
            "localizations", \.localizations,
            .map(.map(.text, of: "texts by key"), of: "objects of texts by key, by language"),
            "Localizable.strings: language, then key, then text."),
        Field("userActivityTypes", \.userActivityTypes, .list(.name), "NSUserActivityTypes of the Info.plist."),
        Field("supportedIntents", \.supportedIntents, .list(.name), "What the app's Intents extension supports."),
        Field(
            "presentationOptions", \.presentationOptions, .optional(.list(.word())),
            "What willPresent answers while the app is in front; absent when it has no delegate."),
        Field(
            "isFocusStatusAuthorized", \.isFocusStatusAuthorized, .flag,
            "Whether the person lets the app see the Focus status."),
        Field(
            "providesNotificationSettings", \.providesNotificationSettings, .flag,
            "Whether the app offers notification settings of its own."),
        Field(
            "hasMarketingConsent", \.hasMarketingConsent, .optional(.flag),
            "Whether the person agreed to marketing messages; absent when nobody said."),
        Field(
            "hasServiceExtension", \.hasServiceExtension, .flag,
            "Whether the app contains a notification service extension."),
        Field(
            "extension", \.extension, .optional(.object),
            "The notification service extension that is run for its pushes."),
        Field(
            "soundNames", \.soundNames, .optional(.list(.name)),
            "The sound files of the app; while absent, every name counts as there."),
        Field(
            "settings", \.settings, .object, "Its notification settings on a device where nobody has changed them."),
    ]

    package static let checks: [FieldCheck<App>] = [
        .filled("app.bundleId", "bundleId", \.bundleID),
        .filled("app.displayName", "displayName", \.displayName),
        .unique("app.categories", "categories", \.categories, by: "identifier", \.identifier),
    ]

    package static var blank: App { App(bundleID: "") }

    package var untouched: App { App(bundleID: bundleID) }
}
