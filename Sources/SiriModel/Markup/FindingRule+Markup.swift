package import DeviceModel

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
