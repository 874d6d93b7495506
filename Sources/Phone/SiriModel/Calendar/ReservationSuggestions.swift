package import DeviceModel
package import Time

/// A suggestion that follows from a reservation (G.5).
package struct ReservationSuggestion: Sendable, Hashable {
    package enum Kind: String, CaseIterable, Codable, Sendable { case checkIn, timeToLeave, maps, doNotDisturb }

    package var kind: Kind
    /// The calendar event.
    package var event: UInt64
    package var app: String?
    package var title: String
    package var from: Instant
    /// Inclusive.
    package var to: Instant

    var id: String { "reservation/\(event)/\(kind.rawValue)" }
}

extension Suggestion {
    init(_ reservation: ReservationSuggestion) {
        let kind: Kind =
            switch reservation.kind {
            case .checkIn: .checkIn
            case .timeToLeave: .timeToLeave
            case .maps: .maps
            case .doNotDisturb: .doNotDisturb
            }
        self.init(
            id: reservation.id, kind: kind, app: reservation.app ?? App.calendar.bundleID, title: reservation.title,
            reason: "from \(reservation.from.text) to \(reservation.to.text)")
    }
}

extension CalendarTable {
    /// The effect of a tap on one of its suggestions; nil if there is no such suggestion or choice.
    func outcome(
        of choice: SuggestionChoice, about id: String, _ context: DeviceContext
    ) throws(DeviceError) -> SuggestionOutcome? {
        guard let suggestion = suggestions(context).first(where: { $0.id == id }) else { return nil }
        switch (suggestion.kind, choice) {
        case (.checkIn, .run): return .open(try checkIn(suggestion.event, context))
        case (.timeToLeave, .run), (.maps, .run): return .open(try directions(suggestion.event))
        case (.doNotDisturb, .accept): return .doNotDisturb(until: suggestion.to)
        case (_, .dismiss), (.checkIn, .accept), (.timeToLeave, .accept), (.maps, .accept), (.doNotDisturb, .run):
            return nil
        }
    }

    /// What applies now.
    package func suggestions(_ context: DeviceContext) -> [ReservationSuggestion] {
        items.flatMap { item in
            item.windows(context, leaveAt: leaveAt(item, context)).lazy
                .filter { $0.from <= context.now && context.now <= $0.to && item.allows($0.kind, context) }
                .map { item.suggestion($0, context) }
        }
    }

    /// When the person must leave; nil if the way is unknown.
    func leaveAt(_ item: CalendarItem, _ context: DeviceContext) -> Instant? {
        let assumptions = context.assumptions
        guard item.isActive, let start = item.reservation.start, let place = item.reservation.place else { return nil }
        var travel = settings.travelTime
        if travel == nil, let distance = place.distance(from: context.place) {
            travel = Int64(distance * 3600 / Double(max(1, assumptions.travelSpeed)))
        }
        guard let travel else { return nil }
        let early = item.reservation.kind == .flight ? assumptions.flightArrivesEarly : 0
        return start.advanced(by: -early).advanced(by: -travel).advanced(by: -assumptions.leaveBuffer)
    }
}

extension CalendarItem {
    /// When a suggestion applies, both ends included.
    fileprivate typealias Window = (kind: ReservationSuggestion.Kind, from: Instant, to: Instant)

    fileprivate func windows(_ context: DeviceContext, leaveAt: Instant?) -> [Window] {
        guard isActive, let start = reservation.start, let end = reservation.end else { return [] }
        let assumptions = context.assumptions
        var found: [Window] = []
        if let range = checkIn?.validDuration, let from = range.start?.instant, let to = range.end?.instant {
            found.append((.checkIn, from, to))
        }
        if let leaveAt, leaveAt < start { found.append((.timeToLeave, leaveAt, start)) }
        let isFlight = reservation.kind == .flight
        if reservation.place != nil {
            let lead = isFlight ? assumptions.mapsFlightLead : assumptions.mapsLead
            found.append((.maps, start.advanced(by: -lead), isFlight ? end : start))
        }
        if reservation.kind == .restaurant || reservation.kind == .ticketedEvent {
            found.append((.doNotDisturb, start.advanced(by: -assumptions.doNotDisturbLead), end))
        }
        return found
    }

    /// Whether the suggestion's conditions other than the time hold.
    fileprivate func allows(_ kind: ReservationSuggestion.Kind, _ context: DeviceContext) -> Bool {
        switch kind {
        case .checkIn: checkInLaunch(context) != nil
        case .timeToLeave, .maps: true
        case .doNotDisturb:
            (reservation.place?.distance(from: context.place)).map {
                $0 <= Double(context.assumptions.doNotDisturbDistance)
            } ?? false
        }
    }

    fileprivate func suggestion(_ window: Window, _ context: DeviceContext) -> ReservationSuggestion {
        let title = EventContent(reservation, locale: context.device.locale).title
        return ReservationSuggestion(
            kind: window.kind, event: number, app: source.app,
            title: window.kind == .checkIn ? checkIn?.userActivity.title ?? title : title, from: window.from,
            to: window.to)
    }

    /// When a suggestion may appear or disappear, and when the time to leave is recomputed.
    func boundaries(_ context: DeviceContext, leaveAt: Instant?) -> [Instant] {
        var instants = windows(context, leaveAt: leaveAt).flatMap { [$0.from, $0.to.advanced(by: 1)] }
        guard isActive, !isLeaveShown, let start = reservation.start, reservation.place != nil else { return instants }
        let assumptions = context.assumptions
        let interval = max(.minute, assumptions.leaveInterval)
        let first = start.advanced(by: -assumptions.leaveLead)
        let passed = context.now.milliseconds(since: first)
        let next = passed < 0 ? first : first.advanced(by: (passed / interval + 1) * interval)
        if next < start { instants.append(next) }
        return instants
    }
}
