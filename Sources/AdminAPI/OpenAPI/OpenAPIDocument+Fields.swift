internal import DeviceModel
internal import Fields
internal import Gateway

extension OpenAPIDocument {
    /// The schemas of the types that have a table of fields, and of the types in them.
    static let describedSchemas: String = {
        var components = FieldComponents()
        let conditions = DeviceConditions.descriptions
        let settings = NotificationSettings.descriptions
        for schema in [
            App.schema, DeviceConditions.schema, FaultRule.schema, NotificationContent.schema, Person.schema,
        ] {
            _ = components.type(of: schema, for: .answer)
        }
        components.add("App", App.descriptions, for: .edit)
        components.add("FaultRule", FaultRule.descriptions, for: .creation)
        components.add("Device", conditions, for: .answer, besides: deviceMembers)
        components.add("Device", conditions, for: .edit, besides: deviceEditMembers)
        components.add("AppOnDevice", settings, for: .answer, besides: appOnDeviceMembers)
        components.add("AppOnDevice", settings, for: .edit, besides: ignored(DeviceEdit.ignoredOfApp))
        components.add("DeviceSummary", [], for: .answer, besides: deviceSummaryMembers)
        components.add("Fault", FaultRule.descriptions, for: .answer, besides: faultMembers)
        return components.lines.joined(separator: "\n")
    }()

    /// What a list tells of a fault rule beside it.
    private static let faultMembers: [FieldComponents.Member] = [
        .always("matched", "type: integer, minimum: 0", "How often it fitted, whether its turn had come or not."),
        .always("fired", "type: integer, minimum: 0", "How often it fired."),
        .always("setAt", "$ref: \"#/components/schemas/Time\"", "Since when it holds."),
    ]

    /// What a device has beside its conditions.
    private static let deviceMembers: [FieldComponents.Member] =
        deviceSummaryMembers + [
            .always(
                "apps", "type: object, additionalProperties: {$ref: \"#/components/schemas/AppOnDevice\"}",
                "Its apps, by bundle identifier.")
        ]

    /// What a device may be written with beside its conditions.
    private static let deviceEditMembers: [FieldComponents.Member] =
        [
            .maybe("name", "type: string, minLength: 1, maxLength: 128", "The one in the path, when it is there."),
            .maybe(
                "registrations", "type: array, items: {$ref: \"#/components/schemas/NewRegistration\"}", "Its tokens."),
            .maybe(
                "apps",
                "type: object, propertyNames: {$ref: \"#/components/schemas/Topic\"}, additionalProperties: "
                    + "{anyOf: [{$ref: \"#/components/schemas/AppOnDeviceEdit\"}, {type: \"null\"}]}",
                "Settings by bundle identifier; null goes back to the app's own."),
        ]
        + ignored([
            "createdAt", "notificationCount", "storedCount", "droppedCount", "eventCount", "counts",
        ])

    /// What only reading gives, and writing it back may therefore contain.
    private static func ignored(_ names: [String]) -> [FieldComponents.Member] {
        names.map { .maybe($0, "", "Ignored.") }
    }

    /// What the list tells of a device.
    private static let deviceSummaryMembers: [FieldComponents.Member] = [
        .always("name", "type: string, minLength: 1, maxLength: 128", "Its name."),
        .always("registrations", "type: array, items: {$ref: \"#/components/schemas/Registration\"}", "Its tokens."),
        .always("createdAt", "$ref: \"#/components/schemas/Time\"", "When it was made."),
        .always("notificationCount", "type: integer, minimum: 0", "What the inbox holds."),
        .always("storedCount", "type: integer, minimum: 0", "Pushes that wait for it."),
        .always("droppedCount", "type: integer, minimum: 0", "What a full inbox dropped."),
        .always(
            "eventCount", "type: integer, minimum: 0", "The number of its newest event: where to wait for the next."),
        .always("counts", "$ref: \"#/components/schemas/Counts\"", "What became of its pushes so far."),
    ]

    /// What an app has on a device beside its settings.
    private static let appOnDeviceMembers: [FieldComponents.Member] = [
        .always("badgeCount", "type: integer, minimum: 0", "The number on its icon."),
        .maybe(
            "prompt", "enum: [timeSensitiveIntro, timeSensitiveReview, provisional]",
            "What the system asked about it and got no answer to yet."),
        .always("isTerminated", "type: boolean", "Whether the person ended it, so that nothing wakes it."),
        .maybe(
            "categories", "type: array, items: {$ref: \"#/components/schemas/NotificationCategory\"}",
            "What it registered there by itself; absent while the app's own hold."),
    ]
}
