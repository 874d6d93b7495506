package import Fields

/// A custom intent as its developer defines it (`.intentdefinition`; S1-5).
package struct IntentDefinition: FieldDescribed, Hashable {
    /// The class, such as `OrderCoffeeIntent`.
    package var intent = ""
    package var category = ""
    package var title = ""
    package var eligibleForWidgets = false
    package var eligibleForSuggestions = true
    package var configurableInShortcuts = false
    package var types: [ObjectType] = []
    package var enums: [Enumeration] = []
    package var parameters: [Parameter] = []
    package var combinations: [Combination] = []

    package init() {}

    package struct ObjectType: FieldDescribed, Hashable {
        package var name = ""
        /// Types by name.
        package var fields: [String: String] = [:]

        package init() {}

        package static let fields: [Field<ObjectType>] = [
            Field("name", \.name, .name, "Its name.").required,
            Field(
                "fields", \.fields, .map(.name, of: "types by name"), "Its members' types; identifier identifies it."),
        ]
    }

    package struct Enumeration: FieldDescribed, Hashable {
        package var name = ""
        package var cases: [String] = []

        package init() {}

        package static let fields: [Field<Enumeration>] = [
            Field("name", \.name, .name, "Its name.").required,
            Field("cases", \.cases, .list(.name, count: IntentDefinition.count), "Its cases."),
        ]
    }

    package struct Parameter: FieldDescribed, Hashable {
        package var name = ""
        /// Such as `String`, `Object<City>`, `Enum<Size>` or `[Person]`.
        package var type = ""

        package init() {}

        /// Whether every donation has another value (S1-27).
        package var isDate: Bool { type == "Date" || type == "DateComponents" }

        package static let fields: [Field<Parameter>] = [
            Field("name", \.name, .name, "The property's name.").required,
            Field("type", \.type, .name, "Such as String, DateComponents, Object<City> or Enum<Size>.").required,
        ]
    }

    /// Parameters that identify an action to suggest (S1-6).
    package struct Combination: FieldDescribed, Hashable {
        package var parameters: [String] = []
        /// Such as `Order ${size} ${item}`.
        package var title = ""
        package var subtitle: String?
        /// Whether the intent runs without opening the app.
        package var background = false

        package init() {}

        package static let fields: [Field<Combination>] = [
            Field("parameters", \.parameters, .list(.name), "The parameters, by name."),
            Field("title", \.title, .text, "The suggestion's text; ${name} stands for a parameter."),
            Field("subtitle", \.subtitle, .optional(.text), "The second line."),
            Field("background", \.background, .flag, "Whether it runs without opening the app."),
        ]
    }

    package static let fields: [Field<IntentDefinition>] = [
        Field("intent", \.intent, .name, "The class.").required,
        Field("category", \.category, .text, "Such as order or information."),
        Field("title", \.title, .text, "The title in Shortcuts."),
        Field("eligibleForWidgets", \.eligibleForWidgets, .flag, "Whether it configures widgets."),
        Field("eligibleForSuggestions", \.eligibleForSuggestions, .flag, "Whether Siri may suggest it."),
        Field("configurableInShortcuts", \.configurableInShortcuts, .flag, "Whether Shortcuts offers it."),
        Field("types", \.types, .list(.object, count: count), "Its own object types."),
        Field("enums", \.enums, .list(.object, count: count), "Its enumerations."),
        Field("parameters", \.parameters, .list(.object, count: count), "Its parameters."),
        Field(
            "combinations", \.combinations, .list(.object, count: count),
            "The sets of parameters that identify an action to suggest."),
    ]

    package static let checks: [FieldCheck<IntentDefinition>] = [
        .unique("parameters", \.parameters, by: "name", \.name),
        FieldCheck { definition in
            definition.parameters.enumerated().compactMap { index, parameter in
                definition.problem(ofType: parameter.type).map { remedy in
                    let place = FieldPath().member("parameters").element(index).member("type")
                    return FieldProblem(place, "is \"\(parameter.type.prefix(60))\"", remedy)
                }
            }
        },
        FieldCheck { definition in
            let names = definition.parameters.map(\.name)
            return definition.combinations.enumerated().flatMap { index, combination in
                combination.parameters.enumerated().filter { !names.contains($0.element) }.map { place, name in
                    let path = FieldPath().member("combinations").element(index).member("parameters").element(place)
                    return FieldProblem(
                        path, "is \"\(name.prefix(60))\"", "accepted: \(names.joined(separator: ", "))")
                }
            }
        },
    ]

    package static let builtInTypes = [
        "String", "Integer", "Decimal", "Boolean", "Date", "DateComponents", "TimeInterval", "Person", "Placemark",
        "URL", "Currency", "Payment", "File",
    ]

    static let count = (range: 0...64, words: "at most 64")

    /// Names the valid types of a parameter; nil if this is one of them.
    fileprivate func problem(ofType text: String) -> String? {
        let name = text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
        let known =
            Self.builtInTypes + types.map { "Object<\($0.name)>" } + enums.map { "Enum<\($0.name)>" }
        if known.contains(name) { return nil }
        let hint = NearestName.of(name, among: known).map { "; did you mean \($0)?" } ?? ""
        return "accepted: \(known.joined(separator: ", ")), or one of them in brackets\(hint)"
    }
}
