package import Fields
package import JSON

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
