internal import APNs
internal import DeviceModel

extension Store {
    /// The store that a checkpoint's parts were made of.
    ///
    /// - Parameter conditions: what a device is like until somebody changes it.
    init(parts: [[UInt8]], plainConditions conditions: DeviceConditions) throws(RecordDamage) {
        self.init(limits: InboxLimits(), world: AppCatalog(assumptions: Assumptions(), conditions: conditions))
        do throws(RecordDamage) {
            try restore(parts)
        } catch {
            abandon()
            throw error
        }
    }

    private mutating func restore(_ parts: [[UInt8]]) throws(RecordDamage) {
        var items = RestoredItems()
        for part in parts {
            var reader = RecordReader(part)
            while !reader.isAtEnd {
                let code = StoreImage.ItemCode(rawValue: try reader.number())
                var item = try reader.part()
                switch code {
                case .header: restore(try RecordCoding.value(StoreImage.Header.self, from: item.byteString()))
                case .device: try restoreDevice(&item, &items)
                case .conditions:
                    let conditions: DeviceConditions = try RecordCoding.value(from: item.byteString())
                    items.conditions.append(world.share(conditions))
                case .app: items.apps.append(try RecordCoding.value(from: item.byteString()))
                case .settings: items.settings.append(try RecordCoding.value(from: item.byteString()))
                case .assumptions: items.assumptions.append(try RecordCoding.value(from: item.byteString()))
                case .circumstances: try items.addCircumstances(&item)
                case .notification: try restoreNotification(&item, items)
                case nil: throw RecordDamage()
                }
            }
        }
        for (name, details) in items.waiting { try restoreWaiting(details, of: name) }
        for device in devices.values where device.state.nextDue < device.queuedDue { dues.insert(device) }
    }

    private mutating func restore(_ header: StoreImage.Header) {
        limits = header.limits
        world.assumptions = header.assumptions
        for app in header.apps { world.put(app) }
        counts = header.counts
        lastSequence = header.lastSequence
        lastDropped = header.lastDropped
        notes = header.notes
    }

    private mutating func restoreDevice(
        _ item: inout RecordReader, _ items: inout RestoredItems
    ) throws(RecordDamage) {
        let name = try item.text()
        let device = Device(
            name: name, createdAt: try item.instant(), conditions: world.plainConditions, in: world)
        guard devices[name] == nil else { throw RecordDamage() }
        devices.insert(device)
        for _ in 0..<(try item.number(UInt32.self)) {
            let token = try item.token()
            let topic = try item.text()
            let environment: APNsEnvironment = try item.bool() ? .production : .sandbox
            guard let kind = TokenKind(rawValue: try item.text()), tokens[token] == nil else { throw RecordDamage() }
            let generation = Int(try item.number(Int32.self))
            let request = TokenRequest(
                device: name, topic: topic, environment: environment, kind: kind, generation: generation)
            let entry = RegistrationEntry(request, on: device, token: token, at: try item.instant())
            entry.status = try RegistrationStatus(from: &item)
            device.registrations.append(entry)
            tokens[token] = entry
            items.registrations.append(entry)
        }
        try device.state.restore(&item)
        let conditions = try item.optional { item throws(RecordDamage) in try item.number(UInt32.self) }
        if let conditions { device.state.conditions = try items.conditions.at(conditions) }
        guard let text = try item.optional({ item throws(RecordDamage) in try item.byteString() }) else { return }
        let details = try RecordCoding.value(DeviceDetails.self, from: text)
        try device.state.restore(details, items.circumstances)
        if !details.held.isEmpty || !details.extending.isEmpty { items.waiting[name] = details }
    }

    private mutating func restoreNotification(
        _ item: inout RecordReader, _ items: borrowing RestoredItems
    ) throws(RecordDamage) {
        let registration = try items.registrations.at(try item.number())
        let entry = try InboxEntry(from: &item, try items.circumstances.at(try item.number()))
        let push = try Push(from: &item)
        registration.device.state.inbox.append(entry)
        log.append(LogEntry(push: push, registration: registration, sequence: entry.sequence))
    }

    /// Puts back what waits for its device or its service extension; its pushes are there by now.
    func restoreWaiting(_ details: DeviceDetails, of name: String) throws(RecordDamage) {
        guard let device = devices[name] else { throw RecordDamage() }
        for waiting in details.held {
            device.state.held.append(
                StoredPush(
                    arrival: try arrival(waiting.notification), expiresAt: Instant(milliseconds: waiting.expiresAt)))
        }
        for waiting in details.extending {
            device.state.extending.append(
                ExtendingPush(
                    arrival: try arrival(waiting.notification), since: Instant(milliseconds: waiting.since)))
        }
    }

    private func arrival(_ sequence: UInt64) throws(RecordDamage) -> Arrival {
        guard let entry = log[sequence], let push = entry.push, let registration = entry.registration else {
            throw RecordDamage()
        }
        return Arrival(push, for: registration, sequence: sequence, PayloadDigest(push.payload.span.bytes))
    }
}

extension DeviceState {
    fileprivate mutating func restore(_ item: inout RecordReader) throws(RecordDamage) {
        counts.received = Int(try item.number(Int64.self))
        counts.delivered = Int(try item.number(Int64.self))
        counts.discarded = Int(try item.number(Int64.self))
        counts.dropped = Int(try item.number(Int64.self))
        counts.cleared = Int(try item.number(Int64.self))
        lastEvent = try item.number()
        lastEventAt = try item.instant()
        lastDropped = try item.number()
        lastLostDelivery = try item.number()
        nextDue = try item.instant()
        nextFocusChange = try item.instant()
        nextSummaryAt = try item.optional { item throws(RecordDamage) in try item.instant() }
    }

    /// Puts back what was worth a text, except for waiting pushes: those need the log.
    mutating func restore(_ details: DeviceDetails, _ circumstances: [PolicyContext]) throws(RecordDamage) {
        apps = details.apps.map { AppState($0) }
        nextSummary = details.nextSummary
        for push in details.extended {
            extended[push.notification] = ExtendedPush(
                circumstances: try circumstances.at(push.circumstances), record: push.record.map { Shared($0) })
        }
        for entry in details.collapsed {
            collapsed[CollapseKey(bundleID: entry.app, identifier: entry.identifier)] = entry.notification
        }
        diary = EventLog(details.diary.map(\.entry), lastDropped: details.diaryDropped)
    }
}

extension InboxEntry {
    fileprivate init(from item: inout RecordReader, _ circumstances: PolicyContext) throws(RecordDamage) {
        let sequence: UInt64 = try item.number()
        let receivedEvent: UInt64 = try item.number()
        let deliveryEvent: UInt64 = try item.number()
        let presentation = Presentation(rawValue: try item.number())
        let settleDelay: UInt64 = try item.number()
        let state = try DeliveryState(from: &item)
        guard let kind = PushType(rawValue: try item.number()) else { throw RecordDamage() }
        self.init(sequence: sequence, circumstances: circumstances, receivedEvent: receivedEvent, kind: kind)
        self.deliveryEvent = deliveryEvent
        self.presentation = presentation
        self.settleDelay = settleDelay
        self.state = state
        let timing = try item.number(UInt8.self)
        self.timing = Timing(rawValue: timing)
        guard timing == 0 || self.timing != nil, let level = InterruptionLevel(rawValue: try item.text()) else {
            throw RecordDamage()
        }
        self.level = level
        places = Places(rawValue: try item.number())
        categoryNumber = try item.number()
        guard Int(categoryNumber) <= circumstances.app.categories.count else { throw RecordDamage() }
    }
}

extension DeliveryState {
    fileprivate init(from item: inout RecordReader) throws(RecordDamage) {
        let kind = Kind(rawValue: try item.text())
        let reason = try item.text()
        switch kind {
        case .accepted: self = .accepted
        case .delivered: self = .delivered
        case .stored:
            guard let reason = HoldReason.allCases.first(where: { $0.name == reason }) else { throw RecordDamage() }
            self = .stored(reason)
        case .discarded:
            guard let reason = DiscardReason.allCases.first(where: { $0.name == reason }) else { throw RecordDamage() }
            self = .discarded(reason)
        case nil: throw RecordDamage()
        }
    }
}

extension RegistrationStatus {
    fileprivate init(from item: inout RecordReader) throws(RecordDamage) {
        switch try item.number(UInt8.self) {
        case 0: self = .active
        case 1: self = .unregistered(since: try item.instant())
        case 2: self = .expired(since: try item.instant())
        default: throw RecordDamage()
        }
    }
}
