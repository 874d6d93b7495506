package import DeviceModel

/// A donation, and what is known around it, for `Lint` to judge.
package struct DonationSubject: Sendable {
    package var donation: Donation
    /// Where the app was.
    package var appState: Donation.AppState
    /// What the app donated just before, for the same action: in the same run of its extension, or within a second.
    package var recent: [Donation]

    package init(_ donation: Donation, from appState: Donation.AppState, recent: [Donation] = []) {
        self.donation = donation
        self.appState = appState
        self.recent = recent
    }
}

/// A donation with what several rules ask for, worked out once.
struct DonationFacts {
    let subject: DonationSubject
    /// Of a message or a call.
    let people: CommunicationContext?

    init(_ subject: DonationSubject) {
        self.subject = subject
        // A picture that is named is given, wherever it is.
        people = try? CommunicationContext(intent: subject.donation.intent, isLenient: true) { _ in "given" }
    }
}
