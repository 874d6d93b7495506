package import Fields
package import JSON

/// What an app declares about its Live Activities.
package struct LiveActivities: FieldDescribed, Hashable {
    package var supported = true
    package var frequentKey = false
    package var types: [ActivityType] = []

    package init() {}

    /// nil when the app declares no type of that name.
    package func type(_ name: String) -> ActivityType? { types.first { $0.name == name } }

    /// An app without declared types accepts every type and state.
    package var acceptsEverything: Bool { types.isEmpty }

    package static let fields: [Field<LiveActivities>] = [
        Field("supported", \.supported, .flag, "NSSupportsLiveActivities of the Info.plist."),
        Field("frequentKey", \.frequentKey, .flag, "NSSupportsLiveActivitiesFrequentUpdates of the Info.plist."),
        Field(
            "types", \.types, .list(.object, count: (0...32, "at most 32")),
            "The types of activities; without any, the app accepts every type and content."),
    ]

    package static let checks: [FieldCheck<LiveActivities>] = [.unique("types", \.types, by: "name", \.name)]
}

/// A type of `ActivityAttributes`.
package struct ActivityType: Sendable, Hashable {
    package var name: String
    package var attributes = SwiftType.structure([])
    package var contentState = SwiftType.structure([])
    package var template: ActivityTemplate?
}

/// How an activity reads: texts with members of the content or the attributes in braces, such as `Step {step}`.
package struct ActivityTemplate: Sendable, Hashable {
    package var title: String
    package var lines: [String] = []
}

extension ActivityType: FieldDescribed {
    package init() { self.init(name: "") }

    package static let fields: [Field<ActivityType>] = [
        Field("name", \.name, .name, "The Swift type's name, the value of attributes-type.").required,
        Field("attributes", \.attributes, .structure, "The static members with their types."),
        Field("contentState", \.contentState, .structure, "The members of ContentState with their types."),
        Field("template", \.template, .optional(.object), "How the activity reads on the screen."),
    ]

    package static let checks: [FieldCheck<ActivityType>] = [
        FieldCheck { type in
            guard let template = type.template else { return [] }
            let place = FieldPath().member("template")
            let texts =
                [(place.member("title"), template.title)]
                + template.lines.enumerated().map { (place.member("lines").element($0), $1) }
            return texts.flatMap { place, text in type.problems(of: text, at: place) }
        }
    ]

    private func problems(of text: String, at place: FieldPath) -> [FieldProblem] {
        text.placeholders.compactMap { name in
            guard !isKnown(name) else { return nil }
            let known = (contentState.members + attributes.members).map(\.name)
            let hint = NearestName.of(name, among: known).map { "did you mean {\($0)}?" }
            let all = "known are \(known.joined(separator: ", "))"
            return FieldProblem(place, "names the unknown member {\(name)}", hint ?? all)
        }
    }

    private func isKnown(_ name: String) -> Bool {
        [contentState, attributes].contains { root in
            var type: SwiftType? = root
            for part in name.split(separator: ".", omittingEmptySubsequences: false) {
                guard type?.wrapped != .any else { return true }
                type = type?.member(String(part))
            }
            return type != nil
        }
    }
}

extension ActivityTemplate: FieldDescribed {
    package init() { self.init(title: "") }

    package static let fields: [Field<ActivityTemplate>] = [
        Field("title", \.title, .name, "The first line; a member in braces is replaced by its value.").required,
        Field("lines", \.lines, .list(.name, count: (0...8, "at most 8")), "The other lines."),
    ]
}

// MARK: Texts

/// An activity as a person reads it.
package struct ActivityText: Sendable, Hashable {
    package var title: String
    package var lines: [String]
}

extension ActivityText {
    /// Without a declared template, lists the content's members.
    package init(
        type name: String, attributes: JSONValue, content: JSONValue, app: App, device: DeviceConditions
    ) {
        let type = app.liveActivities?.type(name)
        let calendar = LocalCalendar(timeZone: device.timeZone)
        func text(_ name: Substring) -> String {
            let parts = name.split(separator: ".").map(String.init)
            for (json, type) in [(content, type?.contentState), (attributes, type?.attributes)] {
                var (value, kind): (JSONValue?, SwiftType?) = (json, type)
                for part in parts { (value, kind) = (value?[part], kind?.member(part)) }
                if let value { return value.shown(as: kind, calendar) }
            }
            return ""
        }
        if let template = type?.template {
            title = template.title.filled(text)
            lines = template.lines.map { $0.filled(text) }
        } else {
            title = name
            if case .object(let members) = content {
                lines = members.keys.map { "\($0): \(text($0[...]))" }
            } else {
                lines = []
            }
        }
    }
}

extension JSONValue {
    /// A date as `2026-11-23 09:30` in the device's time zone.
    fileprivate func shown(as type: SwiftType?, _ calendar: LocalCalendar?) -> String {
        switch (self, type?.wrapped) {
        case (.null, _): return ""
        case (_, .date):
            guard let date, let text = calendar?.text(date) else { return self.text }
            return String(text.prefix(16)).replacing("T", with: " ")
        case (.array(let bounds), .dateRange):
            return bounds.map { $0.shown(as: .date, calendar) }.joined(separator: " – ")
        case (.array(let elements), let type):
            let element: SwiftType? = if case .list(let element) = type { element } else { nil }
            return elements.map { $0.shown(as: element, calendar) }.joined(separator: ", ")
        case (.string(let text), _): return text
        default: return text
        }
    }
}

extension String {
    /// The names in braces.
    fileprivate var placeholders: [String] {
        var names: [String] = []
        _ = filled { name in
            names.append(String(name))
            return ""
        }
        return names
    }

    fileprivate func filled(_ value: (Substring) -> String) -> String {
        var text = ""
        var rest = self[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            text += rest[..<start] + value(rest[start...].dropFirst()[..<end])
            rest = rest[end...].dropFirst()
        }
        return text + rest
    }
}
