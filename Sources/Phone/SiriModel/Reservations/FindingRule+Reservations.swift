package import DeviceModel
internal import Fields
package import JSON

extension FindingRule {
    private static let session = "WWDC19 243"
    private static let nextYear = "doc: WWDC20 10197"

    /// Reported about donated reservations (G.1) and about markup (G.8).
    package static let reservations = [
        FindingRule(
            "reservation.invalid", .error, "D.3", "ignored: the reservation cannot be read",
            fix: #"{"class": "INRestaurantReservation", "itemReference": {"id": "R1", "spoken": "Dinner"}, …}"#),
        FindingRule(
            "reservation.none", .error, "G.1", "ignored: the response has no reservations",
            fix: "response.reservations = [reservation]"),
        FindingRule(
            "reservation.activityType.intent", .warning, "\(session) (S4-14)",
            "the app declares no NSUserActivityTypes with INGetReservationDetailsIntent; Show in App fails",
            fix: "userActivityTypes: [INGetReservationDetailsIntent]"),
        FindingRule(
            "reservation.activityType.action", .warning, "\(session) (S4-14)",
            "the app does not declare the action's activity type in NSUserActivityTypes",
            fix: "userActivityTypes: [INGetReservationDetailsIntent, com.example.checkin]"),
        FindingRule(
            "reservation.itemReference.duplicate", .error, nextYear,
            "rejected: two or more reservations use the same itemReference",
            fix: #""itemReference": {"id": "B9C8-XX815", "spoken": "Flight XX 815"}"#),
        FindingRule(
            "calendar.whatsNew", .warning, nextYear,
            "no event: the person has not acknowledged the What's New screen of Calendar",
            fix: #"PATCH /devices/{name}/calendar {"whatsNewAcknowledged": true}"#),
        FindingRule(
            "reservation.ended", .warning, nextYear,
            "no event: Siri won't add events to the calendar if the reservation has already ended",
            fix: "donate before the end"),
        FindingRule(
            "reservation.start.missing", .error, "\(session) (S4-21)", "no event: the start is missing",
            fix: #""reservationDuration": {"start": {"local": "2026-01-05T19:00:00", "tz": "Asia/Tokyo"}}"#),
        FindingRule(
            "reservation.place.missing", .warning, "\(session) (S4-20)",
            "without a position, Siri neither says when to leave nor offers directions",
            fix: #""restaurantLocation": {"name": "Ginza", "latitude": 35.67, "longitude": 139.76}"#),
        FindingRule(
            "reservation.airport.unknown", .info, "S4-7",
            "Pushcote's table lacks the airport; the event shows its code only", fix: #""iataCode": "SFO""#),
        FindingRule(
            "reservation.timeZone.missing", .warning, "\(session) (S4-8)", "a time without a time zone counts as UTC",
            fix: #"{"local": "2026-01-05T10:00:00", "tz": "America/Los_Angeles"}"#),
        FindingRule(
            "reservation.itemReferences.notNil", .warning, "\(session) (S4-13)",
            "reservationItemReferences must be nil in a donation; the system fills it when it launches the app",
            fix: "INGetReservationDetailsIntent(reservationContainerReference: container)"),
        FindingRule(
            "reservation.container.shared", .warning, "\(session) (S4-12)",
            "several items need a container reference of their own", fix: #"{"id": "B9C8", "spoken": "Paris"}"#),
        FindingRule(
            "reservation.text.decorated", .warning, "\(session) (S4-19)",
            "Siri labels the details itself; give the bare value", fix: #""reservationNumber": "B9C8""#),
        FindingRule(
            "reservation.action.title", .warning, "\(session) (S4-10)",
            "an action's title is shown on the lock screen: give it one, of at most 40 characters",
            fix: #""title": "Check in for Flight XX 815""#),
        FindingRule(
            "reservation.action.webpageURL", .info, "\(session) (S4-18)",
            "without a webpageURL, devices without the app do not suggest check-in",
            fix: #""webpageURL": "https://example.com/checkin/B9C8""#),
        FindingRule(
            "reservation.unrelated", .info, "\(session) (S4-27)",
            "the donation has reservations with different numbers; donate those on screen",
            fix: "one donation for each reservation"),
    ]

    static func reservation(_ id: String) -> FindingRule {
        guard let rule = knownReservation(id) else { preconditionFailure("there is no rule \(id)") }
        return rule
    }

    fileprivate static func knownReservation(_ id: String) -> FindingRule? {
        (reservations + markup).first { $0.id == id }
    }
}

extension ReservationDonation {
    /// Findings about a donation of reservations; none for other donations.
    package static func findings(for donation: Donation, by app: App?) -> [Finding] {
        do throws(FieldError) {
            return try ReservationDonation(donation)?.findings(for: app, Assumptions()) ?? []
        } catch {
            return error.problems.map { FindingRule.reservation("reservation.invalid").finding(at: "", $0.description) }
        }
    }

    /// Findings that change no outcome.
    ///
    /// - Parameter app: nil for markup.
    package func findings(for app: App?, _ assumptions: Assumptions) -> [Finding] {
        var found: [Finding] = []
        func note(_ id: String, at path: String = "", _ detail: String = "", if isTrue: Bool) {
            if isTrue { found.append(FindingRule.reservation("reservation.\(id)").finding(at: path, detail)) }
        }
        note("none", at: "response.reservations", if: reservations.isEmpty)
        note("itemReferences.notNil", at: "intent.reservationItemReferences", if: itemReferences != nil)
        let declared = app?.userActivityTypes
        note("activityType.intent", if: declared?.contains(Self.intentClass) == false)
        let references = reservations.map(\.itemReference.key)
        let isShared = container.map { references.contains($0.key) } ?? true
        note(
            "container.shared", at: "intent.reservationContainerReference",
            if: app != nil && reservations.count > 1 && isShared)
        let numbers = Set(reservations.map(\.reservationNumber))
        note("unrelated", if: assumptions.unrelatedReservationsWarn && numbers.count > 1)
        for (index, reservation) in reservations.enumerated() {
            let path = "response.reservations[\(index)]"
            found += reservation.findings(at: path, declared: declared)
        }
        return found
    }
}

extension Reservation {
    fileprivate func findings(at path: String, declared: [String]?) -> [Finding] {
        var found: [Finding] = []
        func note(_ id: String, _ member: String, _ detail: String = "", if isTrue: Bool) {
            guard isTrue else { return }
            found.append(FindingRule.reservation("reservation.\(id)").finding(at: "\(path)\(member)", detail))
        }
        note("timeZone.missing", "", if: !times.hasTimeZones)
        let airports = [flight?.departure.airport, flight?.arrival.airport].compactMap(\.self)
        for airport in airports { note("airport.unknown", ".flight", airport.code ?? "", if: airport.known == nil) }
        note("place.missing", "", if: place?.latitude == nil && airports.isEmpty)
        for (member, text) in [
            (".reservationNumber", reservationNumber), (".flight.flightNumber", flight?.flightNumber),
        ] {
            note("text.decorated", member, text ?? "", if: text?.isDecorated ?? false)
        }
        for (index, action) in actions.enumerated() {
            let member = ".actions[\(index)].userActivity"
            let activity = action.userActivity
            note(
                "activityType.action", member, activity.activityType,
                if: declared?.contains(activity.activityType) == false)
            note("action.title", member, if: !(1...40).contains(activity.title?.count ?? 0))
            note("action.webpageURL", member, if: activity.webpageURL == nil)
        }
        return found
    }
}

extension String {
    /// Whether a value repeats its label: `Flight 815`, `#B9C8`.
    fileprivate var isDecorated: Bool {
        let labels = ["flight", "reservation", "confirmation", "booking", "number", "no.", "#"]
        return contains(":") || labels.contains { lowercased().hasPrefix($0) }
    }
}

extension [Finding] {
    /// Reads what `json` has written; without the findings of unknown rules.
    package init(reported json: JSONValue?) {
        self = (json?.elements ?? []).compactMap { finding in
            guard case .string(let id)? = finding["id"], case .string(let message)? = finding["message"],
                let rule = FindingRule.knownReservation(id)
            else { return nil }
            let path = if case .string(let path)? = finding["path"] { path } else { "" }
            return Finding(id, rule.severity, at: path, message, source: rule.source, fix: rule.fix)
        }
    }

    package var json: JSONValue {
        .array(
            map { finding in
                [
                    "id": .string(finding.id), "severity": .string(finding.severity.rawValue),
                    "message": .string(finding.message), "path": .nonEmpty(finding.path),
                ]
            })
    }
}

extension FindingRule {
    private static let document = "doc: Siri Event Suggestions Markup"

    /// Reported about mails and web pages (G.8).
    package static let markup = [
        FindingRule(
            "markup.none", .warning, document, "there is no reservation as JSON-LD or Microdata",
            fix: #"<script type="application/ld+json">{"@type": "FlightReservation", …}</script>"#),
        FindingRule(
            "markup.json", .error, document, "ignored: the script is not valid JSON, or not an object or a list",
            fix: #"{"@context": "http://schema.org", "@type": "FlightReservation", "reservationId": "B9C8"}"#),
        FindingRule(
            "markup.type.unknown", .warning, document, "ignored: Siri does not know this type of reservation",
            fix: ReservationType.all.map(\.markup).joined(separator: ", ")),
        FindingRule(
            "markup.tooMany", .error, "design",
            "ignored: a document may have \(ReservationDonation.limit) reservations",
            fix: "one mail for each booking"),
        FindingRule(
            "markup.status.unknown", .error, document,
            "no event: reservationStatus must be ReservationConfirmed or ReservationCancelled",
            fix: #""reservationStatus": "http://schema.org/ReservationConfirmed""#),
        FindingRule(
            "markup.reservationId.missing", .error, document,
            "without reservationId, Siri cannot recognize an update or a cancellation",
            fix: #""reservationId": "B9C8""#),
        FindingRule(
            "markup.time.invalid", .error, document, "ignored: the time is not in ISO 8601",
            fix: #""departureTime": "2026-01-05T10:00:00-08:00""#),
        FindingRule(
            "markup.time.offset", .warning, document, "a time without an offset counts as UTC",
            fix: #""departureTime": "2026-01-05T10:00:00-08:00""#),
        FindingRule(
            "markup.url.https", .warning, document, "the url must have the scheme https", fix: #""url": "https://…""#),
    ]
}
