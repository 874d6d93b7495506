package import DeviceModel

/// Inputs of the decisions about a donated reservation; one bit each.
package enum ReservationFact: UInt8, CaseIterable, Codable, Sendable {
    case isDuplicate, isAcknowledged, hasEnded, hasStart
    /// Of the stored reservation.
    case isKnown, hasEvent, isCancelled
    /// Of the donated one.
    case isConfirmed, cancels, isUnchanged
    case isFromApp, isForeground, isFirst
}

/// A donated reservation and its facts.
package struct ReservationDecision: Sendable, Decidable {
    package var facts: FactSet<ReservationFact> = []
    package let reference: String
}

/// Whether a reservation may change the calendar (G.1).
package enum IntakeVerdict: String, PolicyAnswer, CaseIterable {
    case accepted = "Siri accepts the reservation"
    case duplicate = "rejected: two or more reservations use the same itemReference"
    case notAcknowledged = "no event: the person has not seen the What's New screen of Calendar"
    case ended = "no event: Siri won't add events to the calendar if the reservation has already ended"
    case noStart = "no event: the start is unknown"

    var finding: String? {
        switch self {
        case .accepted: nil
        case .duplicate: "reservation.itemReference.duplicate"
        case .notAcknowledged: "calendar.whatsNew"
        case .ended: "reservation.ended"
        case .noStart: "reservation.start.missing"
        }
    }
}

package let intakeTable = DecisionTable<ReservationDecision, IntakeVerdict>(
    stage: "intake",
    rows: [
        .init("G1.2", .duplicate, "doc: WWDC20 10197")
            .asks(
                { "does another reservation of the response have the reference \($0.reference)?" },
                when: [.isDuplicate]),
        .init("G1.3", .notAcknowledged, "doc: WWDC20 10197")
            .asks("is the What's New screen of Calendar not acknowledged?", unless: [.isAcknowledged]),
        // A cancellation takes effect even if the time is past or missing.
        .init("G1.cancel", .accepted, "design")
            .asks("is a known reservation canceled?", when: [.isKnown, .cancels]),
        .init("G1.5", .noStart, "WWDC19 243 (S4-21)").asks("is the start missing?", unless: [.hasStart]),
        .init("G1.4", .ended, "doc: WWDC20 10197").asks("is the end in the past?", when: [.hasEnded]),
        .otherwise("G1.ok", .accepted, "WWDC19 243 (S4-2)"),
    ])

/// The effect of a donation on the event (G.2).
package enum LifeCycleVerdict: String, PolicyAnswer, CaseIterable {
    case add, update, cancel, restore, store, none
}

package let lifeCycleTable = DecisionTable<ReservationDecision, LifeCycleVerdict>(
    stage: "lifeCycle",
    rows: [
        .init("G2.cancel", .cancel, "WWDC19 243 (S4-29)")
            .asks("does it cancel an event?", when: [.hasEvent, .cancels]),
        .init("G2.unchanged", .none, "design").asks("is it unchanged?", when: [.isKnown, .isUnchanged]),
        .init("G2.update", .update, "WWDC19 243 (S4-28)").asks("does it have an event?", when: [.hasEvent]),
        .init("G2.restore", .restore, "design")
            .asks("does it confirm a canceled event?", when: [.isCancelled, .isConfirmed]),
        .init("G2.add", .add, "WWDC19 243 (S4-2)").asks("is it confirmed?", when: [.isConfirmed]),
        .otherwise("G2.store", .store, "design"),
    ])

/// Whether the device says that an event was added (G.4).
package enum AnnouncementVerdict: String, PolicyAnswer, CaseIterable {
    case announced = "a notification is shown"
    case silent = "no notification"
}

package let announcementTable = DecisionTable<ReservationDecision, AnnouncementVerdict>(
    stage: "notification",
    rows: [
        .init("G4.source", .silent, "design").asks("is it not from an app on this device?", unless: [.isFromApp]),
        .init("G4.background", .silent, "WWDC19 243 (S4-26)")
            .asks("is the app not in the foreground?", unless: [.isForeground]),
        .init("G4.first", .silent, "doc: WWDC20 10197").asks("was it donated before?", unless: [.isFirst]),
        .otherwise("G4.show", .announced, "WWDC19 243 (S4-15)"),
    ])
