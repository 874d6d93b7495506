internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import HTTPTypes
package import JSON
package import SiriModel
package import Time

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

package struct SuggestionsAnswer: APIShape {
    package var at: Instant
    /// By surface, then best first.
    package var suggestions: [SiriSuggestionAnswer]
    /// Everything donated, and whether it is suggested.
    package var keys: [PredictionAnswer]

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

package typealias SiriSuggestionAnswer = Joined<SurfaceAnswer, Suggestion>

package struct SurfaceAnswer: APIShape {
    package var surface: SuggestionSurface
    /// Of the surface's rule.
    package var source: String

    package static let shape = Shape(name: "SiriSuggestion", ["source": "Of the surface's rule."])
}

extension Suggestion: APIShape {
    package static let shape = Shape([
        "id": "For `runSuggestion`, `acceptSuggestion` and `dismissSuggestion`.",
        "intent": "What the app is launched with.",
        "phrase": "What to say to Siri.",
    ])
}

package struct PredictionAnswer: APIShape {
    package var id: String
    package var app: String
    package var verdict: PredictionVerdict
    package var reason: String
    /// nil without donations in the window; so are the members below.
    package var hits: Int?
    package var days: Int?
    package var ratio: Double?
    package var score: Double?
    package var anchor: Pattern.Anchor?
    /// After the anchor.
    package var minute: Int?
    package var place: String?
    package var predictedAt: Instant?
    package var trace: [JSONValue]

    package static let shape = Shape(
        about: "Equal donations, and whether they are suggested.",
        [
            "reason": "Such as `2 of 3 days`.",
            "hits": "Days with such a donation near the usual time.",
            "days": .positive("Days from the first of them to today."),
            "ratio": .with("minimum: 0"),
            "score": .with("minimum: 0"),
            "minute": "The usual time, in minutes after the anchor.",
            "place": "Only donations at this place count.",
            "trace": .list("TraceStep"),
        ])

    init(_ prediction: Prediction) {
        (id, app) = (prediction.id, prediction.app)
        (verdict, reason) = (prediction.verdict, prediction.sentence)
        if let pattern = prediction.pattern {
            (hits, days, ratio, score) = (pattern.hits, pattern.days, pattern.ratio, pattern.score)
            (anchor, minute, place) = (pattern.anchor, pattern.minute, pattern.place)
            predictedAt = pattern.predictedAt
        }
        trace = prediction.trace.map { JSONValue($0) }
    }
}
