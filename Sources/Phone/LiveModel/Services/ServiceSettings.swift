package import DeviceModel
package import Fields

/// What the person, the app or an administrator has set up on the device for the app's pushes.
package struct ServiceSettings: FieldDescribed, Hashable {
    package var call = CallState.none
    package var channel: String?
    package var isTransmitting = false
    package var isHalfDuplex = false
    package var speaker: String?
    package var locationAuthorization = LocationAuthorization.always
    package var fileProviderDomains: [String]?
    package var isReplicated = false
    package var isEnrolled: Bool?
    package var pushMagic: String?
    package var widgets: [PlacedSurface] = []
    package var controls: [PlacedSurface] = []
    package var isWidgetDeveloperMode = false
    package var hasComplication = true

    package init() {}

    package enum CallState: String, CaseIterable, Sendable { case none, ringing, active }

    package enum LocationAuthorization: String, CaseIterable, Sendable { case always, whenInUse, denied, notDetermined }

    package static let placedLimit = 100
    private static let placed = FieldFormat<[PlacedSurface]>.list(
        .object, count: (0...placedLimit, "at most \(placedLimit)"))

    package static let fields: [Field<ServiceSettings>] = [
        Field("call", \.call, .word(), "The app's call: ringing to active answers it, none declines or ends it."),
        Field(
            "channel", \.channel, .optional(.name),
            "The joined Push to Talk channel; joining needs the app in the foreground."),
        Field("isTransmitting", \.isTransmitting, .flag, "Whether the person speaks on the channel."),
        Field("isHalfDuplex", \.isHalfDuplex, .flag, "Whether only one side may speak at a time."),
        Field("speaker", \.speaker, .optional(.name), "The remote participant who speaks; pushes change it."),
        Field("locationAuthorization", \.locationAuthorization, .word(), "When the app may use the location."),
        Field(
            "fileProviderDomains", \.fileProviderDomains, .optional(.list(.name)),
            "The registered domains; if absent, all are accepted."),
        Field("isReplicated", \.isReplicated, .flag, "Whether the file provider is a replicated extension."),
        Field(
            "isEnrolled", \.isEnrolled, .optional(.flag),
            "Whether the device is enrolled in device management; if absent, every MDM push is accepted."),
        Field("pushMagic", \.pushMagic, .optional(.name), "What `mdm` must equal; if absent, all are accepted."),
        Field("widgets", \.widgets, placed, "The app's widgets that the person placed."),
        Field("controls", \.controls, placed, "The app's controls that the person placed; each has a token."),
        Field("isWidgetDeveloperMode", \.isWidgetDeveloperMode, .flag, "Whether widgets reload without a budget."),
        Field("hasComplication", \.hasComplication, .flag, "Whether the active watch face shows its complication."),
    ]

    package static let checks: [FieldCheck<ServiceSettings>] = [
        .unique("widgets", \.widgets, by: "id", \.id),
        .unique("controls", \.controls, by: "id", \.id),
    ]
}
