package import DeviceModel
package import Fields
internal import JSON
package import Time

/// The reservations known to Siri on a device, and their events (G).
package struct CalendarTable: Equatable, Codable, Sendable {
    /// Not a limit of iOS.
    package static let limit = 200

    /// In the order in which Siri found them.
    package private(set) var items: [CalendarItem] = []
    package private(set) var settings = CalendarSettings()
    /// How many were evicted.
    package private(set) var evictedCount = 0
    private var lastNumber: UInt64 = 0
    /// The events of the next notification, and when it appears (G.4).
    private var announced: [UInt64] = []
    private var announcesAt: Instant?
    private var dueAt: Instant?

    /// Without reservations.
    var withoutItems: CalendarTable {
        var table = CalendarTable()
        table.settings = settings
        return table
    }

    var sums: [(name: String, value: Int)] {
        [("lastNumber of the calendar", Int(clamping: lastNumber)), ("evictedCount of the calendar", evictedCount)]
            + items.flatMap { [("revision", $0.revision), ("version", $0.version)] }
    }

    package func due(after now: Instant) -> Instant? { dueAt.flatMap { $0 > now ? $0 : nil } }

    // MARK: The person's other devices

    /// What is for them.
    package var own: [CalendarItem] { items.filter { $0.formerPerson == nil } }

    /// What they have, too.
    package var shared: [CalendarItem] { own.filter { $0.isUnshared != true } }

    package var hasUnshared: Bool { items.contains { $0.formerPerson == nil && $0.isUnshared == true } }

    /// The device now belongs to another person, or to nobody. What it got while it belonged to nobody is the new person's.
    package mutating func changePerson(from former: String?, to person: String?) {
        for index in items.indices {
            if items[index].formerPerson == nil {
                items[index].formerPerson = former
                if former == nil { items[index].isUnshared = true }
            } else if items[index].formerPerson == person {
                items[index].formerPerson = nil
            }
        }
    }

    /// - Parameter changed: The numbers of items that wait until this device can be reached.
    package mutating func hold(_ changed: [UInt64]) {
        for index in items.indices where changed.contains(items[index].number) { items[index].isUnshared = true }
    }

    /// The other devices get all of them now.
    package mutating func share() {
        for index in items.indices where items[index].formerPerson == nil { items[index].isUnshared = nil }
    }

    package func item(_ number: UInt64) -> CalendarItem? { items.first { $0.number == number } }

    // MARK: Reservations

    /// Adds the reservations of a donation or of markup.
    ///
    /// - Parameter isForeground: Whether the person sees the reservation in the app.
    package mutating func take(
        _ donation: ReservationDonation, from source: ReservationSource, isForeground: Bool, _ context: DeviceContext,
        _ effects: inout DeviceEffects
    ) {
        let former = items
        let findings = donation.findings(for: source.app.map { context.app($0) }, context.assumptions)
        if donation.reservations.isEmpty {
            effects.emit(.calendarEvent, app: source.app, ["act": .string("rejected"), "findings": findings.json])
        }
        let references = Dictionary(grouping: donation.reservations, by: \.itemReference.key).mapValues(\.count)
        let moved = self.moved(to: donation.reservations.map { (new: $0, source: source) })
        for (ordinal, reservation) in donation.reservations.enumerated() {
            let index = items.firstIndex { $0.isSame(as: reservation, from: source) } ?? moved[ordinal]
            var facts = facts(of: reservation, from: source, at: index, context)
            facts.insert(.isDuplicate, if: references[reservation.itemReference.key] != 1)
            facts.insert(.isFromApp, if: source.kind == .app)
            facts.insert(.isForeground, if: isForeground)
            let own = findings.filter {
                $0.path.hasPrefix("response.reservations[\(ordinal)]")
                    || ordinal == 0 && !$0.path.hasPrefix("response.reservations")
            }
            var item = CalendarItem(
                source: source, container: donation.container, reservation: reservation, updatedAt: context.now)
            item.isDonatedHere = source.kind == .app
            if let index { item.version = items[index].version + 1 }
            apply(item, at: index, facts, own, context, &effects)
        }
        // Items change in place, and new ones are at the end.
        let places = items.indices.filter { $0 >= former.count || items[$0] != former[$0] }
        let changed = places.map { items[$0].number }
        if !changed.isEmpty { effects.requests.append(.shareReservations(changed: changed)) }
        evictExcess()
        schedule(context)
    }

    /// By ordinal, the item that a reservation moves to another day; none that another one of them names.
    private func moved(to reservations: [(new: Reservation, source: ReservationSource)]) -> [Int: Int] {
        let known = reservations.map { other in items.firstIndex { $0.isSame(as: other.new, from: other.source) } }
        var named = Set(known.compactMap(\.self))
        var moved: [Int: Int] = [:]
        for (ordinal, other) in reservations.enumerated() where known[ordinal] == nil {
            let index = items.indices.first {
                !named.contains($0) && items[$0].isMoved(to: other.new, from: other.source)
            }
            guard let index else { continue }
            named.insert(index)
            moved[ordinal] = index
        }
        return moved
    }

    /// - Parameter isShared: Whether another device has accepted it: an event then follows it even into the past.
    private func facts(
        of reservation: Reservation, from source: ReservationSource, at index: Int?, isShared: Bool = false,
        _ context: DeviceContext
    ) -> FactSet<ReservationFact> {
        var facts: FactSet<ReservationFact> = []
        facts.insert(.isAcknowledged, if: settings.isWhatsNewAcknowledged)
        facts.insert(.hasStart, if: reservation.start != nil)
        let isFollowed = isShared && index.map { items[$0].hasEvent } ?? false
        facts.insert(.hasEnded, if: !isFollowed && reservation.end.map { $0 < context.now } ?? false)
        facts.insert(.isConfirmed, if: reservation.status == .confirmed)
        facts.insert(.cancels, if: reservation.status == .canceled)
        facts.insert(.isFirst, if: index == nil)
        guard let index else { return facts }
        facts.insert(.isKnown)
        facts.insert(.hasEvent, if: items[index].hasEvent)
        facts.insert(.isCancelled, if: items[index].state == .cancelled)
        facts.insert(.isUnchanged, if: items[index].reservation == items[index].taking(reservation, from: source))
        return facts
    }

    /// Decides about one reservation and reports the outcome.
    private mutating func apply(
        _ item: CalendarItem, at index: Int?, _ facts: FactSet<ReservationFact>, _ findings: [Finding],
        _ context: DeviceContext, _ effects: inout DeviceEffects
    ) {
        let reservation = item.reservation
        let decision = ReservationDecision(facts: facts, reference: reservation.itemReference.key)
        let trace = Trace()
        let intake = intakeTable.decide(decision, trace) ?? .accepted
        var findings = findings
        var act = "rejected"
        var number = index.map { items[$0].number }
        if let id = intake.finding {
            findings.append(FindingRule.reservation(id).finding(at: "", reservation.itemReference.key))
        } else {
            let verdict = lifeCycleTable.decide(decision, trace) ?? .none
            act = verdict.act
            number = change(item, at: index, verdict)
            if verdict == .add, let number, announcementTable.decide(decision, trace) == .announced {
                announce(number, context)
            }
        }
        let content = EventContent(reservation, locale: context.device.locale)
        effects.emit(
            .calendarEvent, app: item.source.app,
            [
                "act": .string(act), "event": number.map { .integer($0) }, "source": .string(item.source.kind.rawValue),
                "item": .string(reservation.itemReference.key), "title": .string(content.title),
                "rule": (trace.steps.last { $0.stage != "notification" }?.rule).map { .string($0) },
                "rules": .strings(trace.steps.map(\.sentence)), "findings": findings.isEmpty ? nil : findings.json,
            ])
    }

    /// - Returns: The item's number.
    private mutating func change(_ new: CalendarItem, at index: Int?, _ verdict: LifeCycleVerdict) -> UInt64 {
        guard let index else {
            lastNumber += 1
            var item = new
            item.number = lastNumber
            if verdict == .add { item.state = .inbox }
            items.append(item)
            return lastNumber
        }
        items[index].adopt()
        items[index].isDonatedHere = items[index].isDonatedHere || new.isDonatedHere
        if items[index].isOtherKind(new.source) { items[index].isInMarkup = true }
        guard verdict != .none else { return items[index].number }
        if items[index].reservation.start != new.reservation.start { items[index].isLeaveShown = false }
        items[index].reservation = items[index].taking(new.reservation, from: new.source)
        items[index].container = new.container ?? items[index].container
        items[index].updatedAt = new.updatedAt
        items[index].version = new.version
        items[index].revision += 1
        // An app knows more than the mail about the same booking.
        if new.source.kind == .app { items[index].source = new.source }
        switch verdict {
        case .add, .restore: items[index].state = .inbox
        case .cancel:
            items[index].state = .cancelled
            announced.removeAll { $0 == items[index].number }
            if announced.isEmpty { announcesAt = nil }
        case .update, .store, .none: break
        }
        return items[index].number
    }

    /// Applies a change from another device of the same person (G.7).
    ///
    /// - Parameter changed: The numbers of the items that changed; the others were reported before, even if rejected.
    package mutating func merge(
        _ others: [CalendarItem], changed: [UInt64], _ context: DeviceContext, _ effects: inout DeviceEffects
    ) {
        let moved = self.moved(to: others.map { (new: $0.reservation, source: $0.source) })
        for (ordinal, other) in others.enumerated() {
            // One without a number is the same only if nothing has changed.
            let equal = items.firstIndex { $0.source == other.source && $0.reservation == other.reservation }
            let index =
                equal ?? items.firstIndex { $0.isSame(as: other.reservation, from: other.source) } ?? moved[ordinal]
            if let index {
                let isNewer = other.isNewer(than: items[index])
                // A later change was made for the former person.
                if isNewer || items[index].reservation == other.reservation { items[index].adopt() }
                if other.isInMarkup == true { items[index].isInMarkup = true }
                guard isNewer else { continue }
                if items[index].reservation == other.reservation {
                    // Otherwise the devices would differ about which later change is newer.
                    (items[index].updatedAt, items[index].version) = (other.updatedAt, other.version)
                    continue
                }
            }
            let facts = facts(of: other.reservation, from: other.source, at: index, isShared: true, context)
            let decision = ReservationDecision(facts: facts, reference: other.reservation.itemReference.key)
            guard changed.contains(other.number) || intakeTable.decide(decision, nil) == .accepted else { continue }
            var item = CalendarItem(
                source: other.source, container: other.container, reservation: other.reservation,
                updatedAt: other.updatedAt, version: other.version)
            item.isInMarkup = other.isInMarkup
            apply(item, at: index, facts, [], context, &effects)
        }
        evictExcess()
        schedule(context)
    }

    /// Evicts a cancelled or past item if there is one, otherwise the oldest.
    private mutating func evictExcess() {
        while items.count > Self.limit {
            let index = items.firstIndex { !$0.isActive } ?? 0
            announced.removeAll { $0 == items[index].number }
            items.remove(at: index)
            evictedCount += 1
        }
    }

    // MARK: Acts

    /// - Throws: When the input is impossible; nothing has changed then.
    package mutating func reduce(
        _ input: CalendarInput, _ context: DeviceContext, _ effects: inout DeviceEffects
    ) throws(DeviceError) {
        switch input {
        case .settings(let new): settings = new
        case .markup(let donation, let source): take(donation, from: source, isForeground: false, context, &effects)
        case .add(let number): try answer(number, .added, context, &effects)
        case .ignore(let number): try answer(number, .ignored, context, &effects)
        // The device opens the resulting app or page.
        case .open, .checkIn: _ = try launch(for: input, context)
        }
        schedule(context)
    }

    private mutating func answer(
        _ number: UInt64, _ state: CalendarItem.State, _ context: DeviceContext, _ effects: inout DeviceEffects
    ) throws(DeviceError) {
        let item = try find(number)
        guard item.hasEvent, let index = items.firstIndex(where: { $0.number == number }) else {
            throw DeviceError(.conflict, "the event \(number) is \(item.state.rawValue), so it is not in the inbox")
        }
        items[index].state = state
        effects.emit(
            .calendarEvent, app: item.source.app,
            [
                "act": .string(state.rawValue), "event": .integer(number),
                "item": .string(item.reservation.itemReference.key),
            ])
    }

    /// The app or page that an input opens; nil if none.
    package func launch(for input: CalendarInput, _ context: DeviceContext) throws(DeviceError) -> CalendarLaunch? {
        switch input {
        case .open(let number, let isWhole): try launch(number, isWhole: isWhole, context)
        case .checkIn(let number): try checkIn(number, context)
        case .settings, .markup, .add, .ignore: nil
        }
    }

    func find(_ number: UInt64) throws(DeviceError) -> CalendarItem {
        guard let item = item(number) else { throw DeviceError(.missing, "the calendar has no event \(number)") }
        return item
    }

    // MARK: Time

    /// Events outlive their app; they then link to the reservation's page (G.3).
    package mutating func uninstall(_ bundleID: String, _ context: DeviceContext) {
        for index in items.indices where items[index].source.app == bundleID { items[index].isDonatedHere = false }
        schedule(context)
    }

    package mutating func advance(_ context: DeviceContext, _ effects: inout DeviceEffects) {
        if let announcesAt, announcesAt <= context.now { present(&effects, context) }
        for index in items.indices where !items[index].isLeaveShown {
            guard let leaveAt = leaveAt(items[index], context), leaveAt <= context.now,
                let start = items[index].reservation.start, context.now < start
            else { continue }
            items[index].isLeaveShown = true
            effects.requests.append(.present(.leave(items[index], context)))
        }
        schedule(context)
    }

    mutating func setBack(_ clock: ClockReturn, _ context: DeviceContext) {
        for index in items.indices { items[index].setBack(clock) }
        clock.move(&announcesAt)
        schedule(context)
    }

    private mutating func announce(_ number: UInt64, _ context: DeviceContext) {
        announced.append(number)
        announcesAt = announcesAt ?? context.now.advanced(by: context.assumptions.calendarGrouping)
    }

    private mutating func present(_ effects: inout DeviceEffects, _ context: DeviceContext) {
        let items = announced.compactMap { item($0) }
        (announced, announcesAt) = ([], nil)
        if !items.isEmpty { effects.requests.append(.present(.added(items, context))) }
    }

    /// Computes the next instant at which time changes something. Depends on the device's place and conditions.
    package mutating func schedule(_ context: DeviceContext) {
        let instants = items.flatMap { $0.boundaries(context, leaveAt: leaveAt($0, context)) }
        dueAt = (instants + [announcesAt].compactMap(\.self)).filter { $0 > context.now }.min()
    }
}

extension LifeCycleVerdict {
    fileprivate var act: String {
        switch self {
        case .add: "added"
        case .update: "updated"
        case .cancel: "cancelled"
        case .restore: "restored"
        case .store: "stored"
        case .none: "unchanged"
        }
    }
}

/// What the person sets in Calendar.
package struct CalendarSettings: FieldDescribed, Hashable {
    /// Without it, Siri adds no events (G.1).
    package var isWhatsNewAcknowledged = true
    /// A scripted travel time to every place, in milliseconds; nil computes it from the distance.
    package var travelTime: Int64?

    package init() {}

    package static let fields: [Field<CalendarSettings>] = [
        Field(
            "whatsNewAcknowledged", \.isWhatsNewAcknowledged, .flag,
            "Whether the person has seen the What's New screen of Calendar."),
        Field(
            "travelTime", \.travelTime, .optional(.milliseconds),
            "How long the way to any place takes; if absent, computed from the distance."),
    ]
}

/// An act that concerns the calendar.
package enum CalendarInput: Hashable, Codable, Sendable {
    case settings(CalendarSettings)
    /// A mail or a page with reservations in schema.org's form.
    case markup(ReservationDonation, ReservationSource)
    /// "Add to Calendar".
    case add(UInt64)
    case ignore(UInt64)
    /// "Show in App", of the item or of the whole reservation.
    case open(UInt64, isWhole: Bool)
    /// The check-in suggestion.
    case checkIn(UInt64)
}
