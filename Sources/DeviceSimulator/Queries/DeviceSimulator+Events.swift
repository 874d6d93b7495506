internal import APNs
internal import DeviceModel
internal import Synchronization

/// What happened on a device, one event after the other.
extension DeviceSimulator {
    /// Events that match, oldest first; none when there is no device of the name.
    package func events(_ query: EventQuery) -> EventPage {
        let (records, gapEnd) = store.withLock { store in
            (store.eventRecords(query), store.devices[query.device]?.state.lastLostEvent ?? 0)
        }
        var page = EventPage(next: query.since)
        page.hasGap = gapEnd > query.since
        for record in records {
            for event in record.events where query.matches(event) {
                if page.events.count == query.limit {
                    page.hasMore = true
                    return page
                }
                page.events.append(event)
                page.next = event.number
            }
        }
        page.next = max(page.next, records.last?.lastNumber ?? 0)
        return page
    }
}

/// The material of some events, to be told outside the lock.
enum EventRecord {
    case received(InboxEntry, Push)
    /// With what the service extension did.
    case delivery(InboxEntry, Push, Shared<ExtensionRecord>?)
    case diary(EventLog.Entry)

    var number: UInt64 {
        switch self {
        case .received(let item, _): item.receivedEvent
        case .delivery(let item, _, _): item.deliveryEvent
        case .diary(let entry): entry.number
        }
    }

    /// The number of the last event told by it.
    var lastNumber: UInt64 {
        guard case .delivery(let item, _, _) = self else { return number }
        return number + UInt64(max(1, item.deliveryEvents.count)) - 1
    }
}

extension Store {
    /// What a query may be about, in order.
    func eventRecords(_ query: EventQuery) -> [EventRecord] {
        guard let state = devices[query.device]?.state else { return [] }
        var records: [EventRecord] = []
        for item in state.inbox.items where query.notification ?? item.sequence == item.sequence {
            guard let push = log[item.sequence]?.push else { continue }
            if item.receivedEvent > query.since { records.append(.received(item, push)) }
            let delivery = EventRecord.delivery(item, push, state.extended[item.sequence]?.record)
            if item.deliveryEvent > 0, delivery.lastNumber > query.since { records.append(delivery) }
        }
        for entry in state.diary.entries(after: query.since) { records.append(.diary(entry)) }
        records.sort { $0.number < $1.number }
        return records
    }
}

extension DeviceState {
    /// The newest event that may be missing, because its notification or the diary's oldest entries are gone.
    var lastLostEvent: UInt64 { max(diary.lastDropped, lastLostDelivery) }
}

extension EventQuery {
    fileprivate func matches(_ event: DeviceEvent) -> Bool {
        guard event.number > since, kinds.isEmpty || kinds.contains(event.kind) else { return false }
        return notification == nil || notification == event.notification
    }
}
