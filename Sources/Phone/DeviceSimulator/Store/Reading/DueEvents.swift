package import DeviceModel
internal import Synchronization

/// The events of an advance of the clock.
package struct DueEvents: Sendable {
    /// Consecutive events of a device.
    package struct Span: Sendable {
        package let device: String
        /// The number before the first.
        package fileprivate(set) var since: UInt64
        package fileprivate(set) var last: UInt64

        package var count: UInt64 { last - since }
    }

    fileprivate let id: UInt64
    private var devices: Set<String> = []
    package private(set) var eventCount: UInt64 = 0
    /// In the order of the devices' first events; of the first devices only.
    fileprivate private(set) var spans: [Span] = []
    private var places: [String: Int] = [:]

    private static let maximumSpanCount = 1000

    fileprivate init(id: UInt64) { self.id = id }

    /// On which something was due.
    package var deviceCount: Int { devices.count }

    mutating func add(_ device: String, since: UInt64, last: UInt64) {
        devices.insert(device)
        guard last > since else { return }
        // A device with many due events takes several steps. What happens on it in between counts, too.
        if let place = places[device] {
            // The device was created again, or another state was loaded.
            if since < spans[place].last { (spans[place].since, spans[place].last) = (since, since) }
            eventCount += last - spans[place].last
            spans[place].last = last
            return
        }
        eventCount += last - since
        if spans.count < Self.maximumSpanCount {
            places[device] = spans.count
            spans.append(Span(device: device, since: since, last: last))
        }
    }
}

extension DeviceSimulator {
    /// Collects the events due while `body` runs; another request may apply them.
    package func dueEvents<Problem>(
        during body: () async throws(Problem) -> Void
    ) async throws(Problem) -> DueEvents {
        let id = store.withLock { store in
            let id = (store.dueEvents.last?.id ?? 0) + 1
            store.dueEvents.append(DueEvents(id: id))
            return id
        }
        do throws(Problem) {
            try await body()
        } catch {
            _ = takeDueEvents(id)
            throw error
        }
        return takeDueEvents(id)
    }

    private func takeDueEvents(_ id: UInt64) -> DueEvents {
        store.withLock { store in store.dueEvents.remove(at: store.dueEvents.firstIndex { $0.id == id }!) }
    }

    /// The first events in order of time, and the spans of the remaining ones.
    package func events(
        of due: DueEvents, limit: Int
    ) -> (events: [(device: String, event: DeviceEvent)], rest: [DueEvents.Span]) {
        // Devices are in the order of their first events, so the first events are on the first devices.
        let found = due.spans.prefix(limit).enumerated().flatMap { place, span in
            events(EventQuery(device: span.device, since: span.since, limit: limit)).items
                .filter { $0.number <= span.last }.map { (place: place, event: $0) }
        }
        let listed = found.sorted {
            ($0.event.at, $0.place, $0.event.number) < ($1.event.at, $1.place, $1.event.number)
        }.prefix(limit)
        var rest = due.spans
        for (place, event) in listed { rest[place].since = max(rest[place].since, event.number) }
        return (
            listed.map { (due.spans[$0.place].device, $0.event) }, rest.filter { $0.count > 0 }
        )
    }
}
