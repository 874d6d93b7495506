internal import DeviceModel
internal import Foundation
package import JSON
internal import Time

/// A person whom the system suggests allowing in a Focus (S1-20).
package struct FocusOffer: Hashable, Codable, Sendable {
    package var focus: String
    package var person: String
    package var name: String
    package var app: String
    /// How many outgoing donations support it.
    package var strength: Int

    package var id: String { "focus/\(focus)/\(person)" }

    /// Whether the device has the Focus, and it does not allow the person yet.
    func isOpen(on device: DeviceConditions) -> Bool {
        device.focus.modes.contains { $0.id == focus && !$0.people.allows(person) }
    }

    /// The `details` of its event.
    package var details: JSONObject {
        [
            "kind": .string("focusPerson"), "suggestion": .string(id), "focus": .string(focus),
            "person": .string(person), "name": .string(name), "strength": .integer(strength),
        ]
    }
}

extension DonationStore {
    /// Outgoing donations to a person during a Focus (E.6).
    func strength(of person: PersonMatch, in focus: String, _ context: DeviceContext) -> Int {
        // Before the person confirmed the contact, donations named the app's person.
        let ids = [person.id] + (person.contact?.people ?? [])
        return entries.count { entry in
            let age = context.now.milliseconds(since: entry.at)
            return entry.context.focus == focus && age >= 0 && age <= context.assumptions.focusPersonWindow
                && entry.people.contains { ids.contains($0) }
        }
    }
}

extension SuggestionScene {
    /// Conversations, ranked by how often and how recently the person wrote (E.6).
    var conversations: [Suggestion] {
        var scores: [String: (score: Double, latest: DonationEntry, prediction: Prediction)] = [:]
        let byKey = Dictionary(predictions.map { ($0.id, $0) }) { first, _ in first }
        let halfLife = Double(Int64(context.assumptions.shareSheetHalfLife) * .day)
        for entry in store.entries where entry.at <= context.now {
            guard entry.donation.intentClass == CommunicationContext.Intent.sendMessage.rawValue,
                let key = entry.keys.first, let prediction = byKey["\(entry.app)/\(key.text)"]
            else { continue }
            let weight: Double =
                switch entry.donation.direction {
                case .outgoing: 1
                case .incoming: context.assumptions.shareSheetIncomingWeight
                case .unspecified: 0
                }
            let score = weight * pow(0.5, Double(context.now.milliseconds(since: entry.at)) / halfLife)
            scores[prediction.id, default: (0, entry, prediction)].score += score
            scores[prediction.id]?.latest = entry
        }
        let ranked = scores.values.filter { $0.score > 0 }.sorted { first, second in
            if first.score != second.score { return first.score > second.score }
            return first.latest.number > second.latest.number
        }
        return ranked.map { score, latest, prediction in
            let communication = latest.donation.communication
            let names = communication?.recipients.filter { !$0.isMe }.map(\.shownName).joined(separator: ", ")
            return Suggestion(
                prediction, .conversation, in: context.app(prediction.app),
                title: communication?.groupName ?? names ?? "", reason: "score \((score * 1000).rounded() / 1000)")
        }
    }

    var focusPeople: [Suggestion] {
        offers.map { offer in
            Suggestion(
                id: offer.id, kind: .focusPerson, app: offer.app, title: "Allow \(offer.name)",
                reason: "\(offer.strength) outgoing interactions during the Focus", person: offer.person,
                focus: offer.focus)
        }
    }
}
