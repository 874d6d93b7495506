package import DeviceModel
internal import JSON

/// The candidates for all surfaces at an instant.
package struct SuggestionScene {
    package let predictions: [Prediction]
    let store: DonationStore
    let offers: [FocusOffer]
    let reservations: [Suggestion]
    let context: DeviceContext
    private let isHandled: (_ id: String) -> Bool

    /// - Parameter context: `now` may be another time than the device's.
    package init(_ state: SiriState, _ context: DeviceContext) {
        store = state.donations
        self.context = context
        predictions = state.suggestions.predictions(store, context)
        offers = state.suggestions.offers
        reservations = state.reservations(context)
        isHandled = { state.suggestions.isHandled($0, context) }
    }

    /// The contents of a surface without what the person answered today, best first.
    package func suggestions(on surface: SuggestionSurface) -> [Suggestion] {
        guard let row = SurfaceRow.all.first(where: { $0.surface == surface }) else { return [] }
        let own = reservations.filter { row.kinds.contains($0.kind) }
        let open = row.items(self).filter { row.isList || !isHandled($0.id) }
        return own + open.prefix(row.count(context.assumptions))
    }

    var suggested: [Prediction] { predictions.filter { $0.verdict == .suggested } }

    var actions: [Suggestion] { suggested.map { Suggestion($0, in: context.app($0.app)) } }
}

/// A surface: its contents, its limit, and its rule.
package struct SurfaceRow: Sendable {
    package let surface: SuggestionSurface
    package let source: String
    /// Its suggestions from reservations, not limited in number (G.5).
    let kinds: [Suggestion.Kind]
    let count: @Sendable (Assumptions) -> Int
    let items: @Sendable (SuggestionScene) -> [Suggestion]

    /// Lists what was donated, whatever the person answered.
    var isList: Bool { [.shareSheet, .shortcutsGallery, .voiceShortcuts].contains(surface) }

    private init(
        _ surface: SuggestionSurface, _ source: String, kinds: [Suggestion.Kind] = [],
        count: @escaping @Sendable (Assumptions) -> Int = { _ in 50 },
        _ items: @escaping @Sendable (SuggestionScene) -> [Suggestion]
    ) {
        (self.surface, self.source, self.kinds, self.count, self.items) = (surface, source, kinds, count, items)
    }

    package static let all: [SurfaceRow] = [
        SurfaceRow(
            .lockScreen, "S1-17, S4-1, S4-17", kinds: [.checkIn, .timeToLeave, .doNotDisturb],
            count: \.suggestionsOnLockScreen
        ) { $0.actions },
        SurfaceRow(.spotlight, "S1-17, S4-17", kinds: [.checkIn], count: \.suggestionsInSpotlight) { $0.actions },
        SurfaceRow(.siriWidget, "S1-17", count: \.suggestionsInWidget) { $0.actions },
        SurfaceRow(.smartStack, "S1-16, S1-25, doc: WWDC21-10049") { $0.widgets + $0.hintedWidgets },
        SurfaceRow(.watchFace, "S1-24, doc: Defining Relevant Shortcuts") { $0.watchFace },
        SurfaceRow(.shareSheet, "S1-19, E.4, E.6") { $0.conversations },
        SurfaceRow(.focusPeople, "S1-20, E.6") { $0.focusPeople },
        SurfaceRow(.nowPlaying, "S1-22, S1-23") { $0.media },
        SurfaceRow(.shortcutsGallery, "S1-18") { $0.gallery },
        SurfaceRow(.voiceShortcuts, "S1-18") { $0.voiceShortcuts },
        SurfaceRow(.maps, "S4-1, S4-3", kinds: [.maps]) { _ in [] },
    ]
}

// MARK: Widgets

extension SuggestionScene {
    /// Widgets whose configuration intent is predicted: suggested if not in the stack, otherwise shown (S1-16).
    fileprivate var widgets: [Suggestion] {
        suggested.flatMap { prediction in
            let app = context.app(prediction.app)
            let kinds = (app.widgets ?? []).filter { $0.configurationIntent == prediction.latest.donation.intentClass }
            return kinds.map { widget in
                let placed = context.widgets(app.bundleID).filter { $0.kind == widget.kind }
                let isPlaced = placed.contains { shown in
                    guard let intent = shown.intent, let key = prediction.key else { return false }
                    return DonationKey.keys(of: intent, in: app, on: context.device).contains(key)
                }
                var suggestion = Suggestion(prediction, isPlaced ? .rotation : .widget, in: app)
                suggestion.widgetKind = widget.kind
                suggestion.id = "\(suggestion.kind.rawValue)/\(widget.kind)/\(prediction.id)"
                return suggestion
            }
        }
    }

    /// Widgets that relevant shortcuts refer to; only dates count, or no conditions at all (WWDC21-10049).
    fileprivate var hintedWidgets: [Suggestion] {
        relevantShortcuts { shortcut in
            let dates = shortcut.providers.filter { $0.start != nil }
            return shortcut.widgetKind != nil
                && (shortcut.providers.isEmpty
                    || dates.contains { $0.holdsDate(at: context.now, context.device.calendar) })
        }.map { suggestion in
            let isPlaced = context.widgets(suggestion.app).contains { $0.kind == suggestion.widgetKind }
            var suggestion = suggestion
            suggestion.kind = isPlaced ? .rotation : .widget
            suggestion.id = "\(suggestion.kind.rawValue)/\(suggestion.widgetKind ?? "")/\(suggestion.id)"
            return suggestion
        }
    }

    fileprivate var watchFace: [Suggestion] {
        relevantShortcuts { shortcut in
            shortcut.providers.contains { $0.holds(at: context.now, context.device, context.place) }
        }
    }

    private func relevantShortcuts(where isRelevant: (RelevantShortcut) -> Bool) -> [Suggestion] {
        store.shortcuts.sorted { $0.key < $1.key }.flatMap { bundleID, list in
            list.enumerated().filter { isRelevant($0.element) }.map { index, shortcut in
                let title = shortcut.title ?? context.app(bundleID).title(of: shortcut.intent, nil)
                return Suggestion(
                    id: "shortcut/\(bundleID)/\(index)", kind: .action, app: bundleID, title: title,
                    reason: shortcut.providers.isEmpty ? "when the app is usually used" : "relevant now",
                    intent: shortcut.intent, widgetKind: shortcut.widgetKind)
            }
        }
    }
}

// MARK: Shortcuts and media

extension SuggestionScene {
    /// Every configurable intent that was donated, newest first.
    fileprivate var gallery: [Suggestion] {
        newest.filter { prediction in
            let name = prediction.latest.donation.intentClass ?? ""
            return context.app(prediction.app).intent(name)?.configurableInShortcuts == true && prediction.key != nil
        }.map { Suggestion($0, in: context.app($0.app), reason: "donated, and configurable in Shortcuts") }
    }

    fileprivate var voiceShortcuts: [Suggestion] {
        newest.compactMap { prediction in
            prediction.latest.donation.intent["suggestedInvocationPhrase"]?.string?.ifAny.map { phrase in
                Suggestion(
                    prediction, in: context.app(prediction.app), reason: "donated with a suggested phrase",
                    phrase: phrase)
            }
        }
    }

    /// Media played most recently or predicted, and upcoming media; an app may allow only the latter (S1-23).
    fileprivate var media: [Suggestion] {
        let played = newest.filter { $0.latest.donation.intentClass == "INPlayMediaIntent" && $0.key != nil }
        let upcoming = store.media.sorted { $0.key < $1.key }.flatMap { app, media in
            media.intents.enumerated().map { index, intent in
                Suggestion(
                    id: "upcoming/\(app)/\(index)", kind: .media, app: app, title: intent.mediaTitle,
                    reason: "announced by the app", intent: intent)
            }
        }
        let known = played.filter { prediction in
            let type = prediction.latest.donation.intent.mediaType
            return store.media[prediction.app]?.predictionModes[type ?? ""] != .onlyPredictSuggestedIntents
        }
        return known.sorted { ($0.verdict == .suggested ? 0 : 1) < ($1.verdict == .suggested ? 0 : 1) }.map {
            Suggestion($0, .media, in: context.app($0.app), title: $0.latest.donation.intent.mediaTitle)
        } + upcoming
    }

    private var newest: [Prediction] { predictions.sorted { $0.latest.number > $1.latest.number } }
}

extension JSONValue {
    private var mediaItem: JSONValue? {
        if let container = self["mediaContainer"], container != .null { return container }
        if case .array(let items)? = self["mediaItems"] { return items.first }
        return nil
    }

    fileprivate var mediaTitle: String {
        mediaItem?["title"]?.string?.ifAny ?? mediaItem?["identifier"]?.string?.ifAny ?? "INPlayMediaIntent"
    }

    fileprivate var mediaType: String? { mediaItem?["type"]?.string?.ifAny }
}
