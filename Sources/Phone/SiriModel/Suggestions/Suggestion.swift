internal import DeviceModel
package import JSON

/// Where the system shows suggestions (F.4).
package enum SuggestionSurface: String, CaseIterable, Codable, Sendable {
    case lockScreen, spotlight, siriWidget, smartStack, watchFace, shareSheet, focusPeople, nowPlaying
    case shortcutsGallery, voiceShortcuts, maps
}

/// One entry of a surface.
package struct Suggestion: Hashable, Codable, Sendable {
    package enum Kind: String, CaseIterable, Codable, Sendable {
        /// Runs an intent.
        case action
        /// Adds a widget to the Smart Stack.
        case widget
        /// Rotates the Smart Stack to one of its widgets.
        case rotation
        /// Opens a conversation with the shared item.
        case conversation
        /// Allows a person in a Focus.
        case focusPerson
        case media
        // Of a reservation.
        case checkIn, timeToLeave, maps, doNotDisturb
    }

    package var id: String
    package var kind: Kind
    package var app: String
    package var title: String
    /// For people.
    package var reason: String
    package var intent: JSONValue?
    /// Of a widget.
    package var widgetKind: String?
    /// `contact:ID` or `person:BUNDLE/ID`.
    package var person: String?
    package var focus: String?
    /// The phrase for Siri.
    package var phrase: String?
}

extension Suggestion {
    /// - Parameters:
    ///   - title: nil for the intent's.
    ///   - reason: nil for that of the prediction.
    init(
        _ prediction: Prediction, _ kind: Kind = .action, in app: App, title: String? = nil, reason: String? = nil,
        phrase: String? = nil
    ) {
        let intent = prediction.runnableIntent
        self.init(
            id: prediction.id, kind: kind, app: prediction.app, title: title ?? app.title(of: intent, prediction.key),
            reason: reason ?? prediction.sentence, intent: intent, phrase: phrase)
    }
}

extension Prediction {
    /// The latest donated intent as a shortcut: without the parameters outside the combination.
    var runnableIntent: JSONValue {
        guard let key, case .object(let members) = latest.donation.intent,
            latest.donation.intentClass != UserActivity.className
        else { return latest.donation.intent }
        return .object(members.filter { $0.key == "class" || key.parameters.contains($0.key) })
    }
}

extension App {
    /// The combination's title with its parameters, else the activity's or the intent's title.
    func title(of intent: JSONValue, _ key: DonationKey?) -> String {
        let name = intent.intentClass ?? ""
        guard let definition = self.intent(name) else { return intent["title"]?.string?.ifAny ?? name }
        let combination = definition.combinations.first { $0.parameters.sorted() == key?.parameters }
        guard let title = combination?.title, !title.isEmpty else {
            return definition.title.isEmpty ? name : definition.title
        }
        return definition.parameters.reduce(title) { text, parameter in
            text.replacing("${\(parameter.name)}", with: intent[parameter.name]?.shownText ?? "")
        }
    }

    /// An intent runs without opening its app if its combination says so and an Intents extension handles it.
    func runsInBackground(_ intent: JSONValue) -> Bool {
        guard let name = intent.intentClass, supportedIntents.contains(name) else { return false }
        guard case .object(let members) = intent else { return false }
        let names = members.keys.filter { $0 != "class" }.sorted()
        return self.intent(name)?.combinations.contains { $0.background && $0.parameters.sorted() == names } ?? false
    }
}

extension JSONValue {
    /// A parameter's value as people read it.
    fileprivate var shownText: String {
        let names = ["displayString", "title", "displayName", "spoken", "name", "identifier"]
        return string?.ifAny ?? names.lazy.compactMap { self[$0]?.string?.ifAny }.first ?? text
    }
}
