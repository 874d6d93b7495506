package import DeviceModel
internal import JSON
internal import Synchronization

package struct EventQuery: Sendable {
    package var device: String
    package var kinds: [DeviceEvent.Kind]
    package var notification: UInt64?
    /// An additional condition of the caller.
    package var condition: (@Sendable (DeviceEvent) -> Bool)?
    /// A cursor: only events with greater numbers.
    package var since: UInt64
    package var limit: Int

    package init(
        device: String, kinds: [DeviceEvent.Kind] = [], notification: UInt64? = nil, since: UInt64 = 0, limit: Int = 100
    ) {
        self.device = device
        self.kinds = kinds
        self.notification = notification
        self.since = since
        self.limit = max(1, limit)
    }
}

package typealias EventPage = QueryPage<DeviceEvent>

extension DeviceEvent: Numbered {}

extension DeviceSimulator {
    /// Matching events, oldest first; empty when the device does not exist.
    package func events(_ query: EventQuery) -> EventPage {
        var (query, page) = (query, EventPage(next: query.since))
        let records = store.withLock { store in
            let state = store.devices[query.device]?.state
            page.life = store.life(of: query.device)
            page.droppedCount = state?.counts.dropped ?? 0
            page.hasGap = state?.lastLostEvent ?? 0 > query.since
            // The cursor is of a former device of the name, or from before a state was loaded: it must not skip this one's events.
            if let state, query.since > state.lastEvent { (query.since, page.hasGap) = (state.lastEvent, true) }
            return store.eventRecords(query)
        }
        page.next = query.since
        for record in records {
            for event in record.events {
                page.scannedCount += 1
                guard !query.matches(event) || page.add(event, limit: query.limit) else { return page }
            }
        }
        page.next = max(page.next, records.last?.numbers.upperBound ?? 0)
        return page
    }

    /// Whether events are gone because there was no room, and not because somebody cleared them.
    package func hasEvictedEvents(of device: String, after number: UInt64) -> Bool {
        store.withLock { store in
            guard let state = store.devices[device]?.state else { return false }
            return state.eventLog.lastDropped > number || state.counts.dropped > 0 && state.lastLostEvent > number
        }
    }
}

extension SimulatorState {
    func eventRecords(_ query: EventQuery) -> [EventRecord] {
        guard let device = devices[query.device] else { return [] }
        let state = device.state
        var records = query.notification == nil ? device.tokenRecords(after: query.since) : []
        for item in state.inbox.items where query.notification ?? item.sequence == item.sequence {
            guard let push = log[item.sequence]?.push else { continue }
            if item.receivedEvent > query.since { records.append(.received(item, push)) }
            if item.deliveryEvent > 0, item.lastEvent > query.since {
                records.append(.delivery(item, push, state.extended[item.sequence]?.record))
            }
        }
        for entry in state.eventLog.entries(after: query.since) { records.append(.eventLog(entry)) }
        records.sort { $0.numbers.lowerBound < $1.numbers.lowerBound }
        return records
    }
}

extension Device {
    fileprivate func tokenRecords(after number: UInt64) -> [EventRecord] {
        registrations.indices.filter { registrations[$0].issuedEvent > number }.map { index in
            let entry = registrations[index]
            let former = registrations[..<index].last { $0.serves(entry.snapshot.use) }
            return .issued(entry, number: entry.issuedEvent, replaces: former?.token)
        }
    }
}

extension DeviceState {
    /// The newest event that may be lost, with its notification or from a full log.
    var lastLostEvent: UInt64 { max(eventLog.lastDropped, lastLostDelivery) }
}

extension EventQuery {
    fileprivate func matches(_ event: DeviceEvent) -> Bool {
        guard event.number > since, kinds.isEmpty || kinds.contains(event.kind) else { return false }
        if let notification, !event.concerns(notification) { return false }
        return condition?(event) ?? true
    }
}

extension DeviceEvent {
    /// A summary concerns all that it lists.
    fileprivate func concerns(_ number: UInt64) -> Bool {
        guard kind == .summaryDelivered, case .array(let listed) = details["notifications"] else {
            return notification == number
        }
        return listed.contains(.integer(Int(clamping: number)))
    }
}
