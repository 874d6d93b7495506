open class INGetReservationDetailsIntent: INIntent {
    public let reservationContainerReference: INSpeakableString?
    public let reservationItemReferences: [INSpeakableString]?

    public init(
        reservationContainerReference: INSpeakableString?, reservationItemReferences: [INSpeakableString]? = nil
    ) {
        self.reservationContainerReference = reservationContainerReference
        self.reservationItemReferences = reservationItemReferences
    }
}

public enum INGetReservationDetailsIntentResponseCode: Int, Sendable, CaseIterable {
    case unspecified, ready, inProgress, success, failure, failureRequiringAppLaunch
}

open class INGetReservationDetailsIntentResponse: INIntentResponse {
    public let code: INGetReservationDetailsIntentResponseCode
    open var reservations: [INReservation]?

    public init(code: INGetReservationDetailsIntentResponseCode, userActivity: NSUserActivity?) {
        self.code = code
        super.init()
        self.userActivity = userActivity
    }
}
