package import APNs
package import Fields

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
