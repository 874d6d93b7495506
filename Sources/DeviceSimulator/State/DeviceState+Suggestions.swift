internal import APNs
internal import DeviceModel
internal import JSON

/// The system takes people of apps for contacts, and asks whether they are (S0-32, E.3).
extension DeviceState {
    /// Suggests the contact that has the name of a notification's sender, if that is all that is known of the sender.
    mutating func suggestContact(
        _ inputs: InterruptionInputs, _ outcome: InterruptionOutcome, _ sequence: UInt64, at now: Instant
    ) {
        guard outcome.timing != .notAllowed, outcome.timing != .nothingToShow,
            let suggestion = inputs.sender?.suggestion
        else { return }
        note(.suggestion, sequence, app: suggestion.app, suggestion.details(isConfirmed: false), at: now)
    }

    /// The person agrees: from now on the sender is the contact, for every Focus and every call.
    ///
    /// - Throws: `SimulatorError.noSuggestion` when nothing is suggested, or no longer.
    mutating func confirmContact(
        _ place: Int, _ act: DeviceAct, at now: Instant, in catalog: AppCatalog
    ) throws(SimulatorError) {
        let item = inbox[place]
        var device = conditions.value
        guard item.places.contains(.communication),
            let sender = extended[item.sequence]?.record?.value.content?.communication?.sender,
            let suggestion = PersonMatch(sender, in: device, bundleID: item.bundleID).suggestion,
            let contact = device.contacts.firstIndex(where: { $0.id == suggestion.contact })
        else { throw .noSuggestion(item.sequence) }
        note(.act(act), at: now)
        device.contacts[contact].people.append(suggestion.person)
        become(device, focusCause: "person", at: now, in: catalog)
        note(.suggestion, item.sequence, app: suggestion.app, suggestion.details(isConfirmed: true), at: now)
    }
}

extension ContactAssociation {
    /// The suggestion as an event tells it.
    fileprivate func details(isConfirmed: Bool) -> [String: JSONValue] {
        [
            "kind": .string("contactAssociation"), "person": .string(person), "name": .string(name),
            "contact": .string(contact), "isConfirmed": .bool(isConfirmed),
        ]
    }
}
