internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import HTTPTypes
internal import JSON
package import SiriModel
internal import Time

/// A device's suggestions, and why others are missing.
extension AdminAPI {
    var suggestionEndpoints: [Endpoint] {
        [
            Endpoint(
                .get, "/devices/{name}/suggestions", .events, "What a device suggests, and why not more",
                id: "suggestions",
                answer: "Suggestions by surface, and everything donated with the reason for or against it.",
                errors: [404], query: ["surface", "at"]
            ) { request in
                let device = try self.device(request).name
                let surface = try request.query.value("surface", .word(SuggestionSurface.self))
                let at = try request.query.value("at", .instant) ?? gateway.now()
                let answer = gateway.simulator.withSiri(of: device, at: at) { state, context in
                    SuggestionsAnswer(SuggestionScene(state, context), on: surface, at: at)
                }
                return try answer.found(or: "There is no device '\(device)'.")
            }
        ]
    }
}

struct SuggestionsAnswer: APIShape {
    var at: Instant
    /// By surface, then best first.
    var suggestions: [SiriSuggestionAnswer]
    /// Everything donated, and whether it is suggested.
    var keys: [PredictionAnswer]

    /// - Parameter surface: nil for all.
    init(_ scene: SuggestionScene, on surface: SuggestionSurface?, at now: Instant) {
        at = now
        let rows = SurfaceRow.all.filter { $0.surface == surface ?? $0.surface }
        suggestions = rows.flatMap { row in
            let surface = SurfaceAnswer(surface: row.surface, source: row.source)
            return scene.suggestions(on: row.surface).map { Joined(surface, $0) }
        }
        keys = scene.predictions.map { PredictionAnswer($0) }
    }
}

typealias SiriSuggestionAnswer = Joined<SurfaceAnswer, Suggestion>

struct SurfaceAnswer: APIShape {
    var surface: SuggestionSurface
    /// Of the surface's rule.
    var source: String

    static let shape = Shape(name: "SiriSuggestion", ["source": "Of the surface's rule."])
}

extension Suggestion: APIShape {
    package static let shape = Shape([
        "id": "For `runSuggestion`, `acceptSuggestion` and `dismissSuggestion`.",
        "intent": "What the app is launched with.",
        "phrase": "What to say to Siri.",
    ])
}

struct PredictionAnswer: AnswerTable {
    let source: Prediction

    static let rows: [Row<Prediction>] = [
        Row("id", \.id),
        Row("app", \.app),
        Row("verdict", \.verdict),
        Row("reason", \.sentence, "Such as `2 of 3 days`."),
        // Absent without donations in the window, as the members below.
        Row("hits", \.pattern?.hits, "Days with such a donation near the usual time."),
        Row("days", \.pattern?.days, .positive("Days from the first of them to today.")),
        Row("ratio", \.pattern?.ratio, .with("minimum: 0")),
        Row("score", \.pattern?.score, .with("minimum: 0")),
        Row("anchor", \.pattern?.anchor),
        Row("minute", \.pattern?.minute, "The usual time, in minutes after the anchor."),
        Row("place", \.pattern?.place, "Only donations at this place count."),
        Row("predictedAt", \.pattern?.predictedAt),
        Row("trace", { $0.trace.map { JSONValue($0) } }, .list("TraceStep")),
    ]

    static let shape = Shape(about: "Equal donations, and whether they are suggested.", of: rows)
}
