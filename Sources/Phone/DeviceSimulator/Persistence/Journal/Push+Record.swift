internal import APNs
internal import Time

extension Instant: Recorded {
    func write(to record: inout RecordWriter) { record.put(milliseconds) }
    init(from record: inout RecordReader) throws(RecordDamage) { self.init(milliseconds: try record.read()) }
}

extension DeviceToken: Recorded {
    func write(to record: inout RecordWriter) { record.put(bytes: bytes) }

    init(from record: inout RecordReader) throws(RecordDamage) {
        guard let token = DeviceToken(bytes: try record.byteString()) else { throw RecordDamage() }
        self = token
    }
}

extension APNsID: Recorded {
    func write(to record: inout RecordWriter) { record.put(high, low) }
    init(from record: inout RecordReader) throws(RecordDamage) {
        self.init(high: try record.read(), low: try record.read())
    }
}

extension PushType: Recorded {}
extension Priority: Recorded {}
extension APNsEnvironment: Recorded {}
extension TokenKind: Recorded {}

extension Expiration: Recorded {
    func write(to record: inout RecordWriter) { record.put(seconds) }
    init(from record: inout RecordReader) throws(RecordDamage) { self.init(seconds: try record.read()) }
}

/// Excludes the token it was sent to.
extension Push: Recorded {
    func write(to record: inout RecordWriter) {
        record.put(facts.hasImpliedPath)
        withBytes { head, payload in
            record.put(bytes: head)
            record.put(bytes: payload)
        }
        record.put(apnsID, uniqueID, environment, pushType, priority, expiration, receivedAt, connection)
    }

    init(from record: inout RecordReader) throws(RecordDamage) {
        let hasImpliedPath: Bool = try record.read()
        let request = PackedRequest(
            head: Array(try record.byteString()), payload: Array(try record.byteString()),
            hasImpliedPath: hasImpliedPath)
        let facts = PushFacts(
            apnsID: try record.read(), uniqueID: try record.read(), environment: try record.read(),
            pushType: try record.read(), priority: try record.read(), expiration: try record.read(),
            receivedAt: try record.read(), connection: try record.read())
        self = .make(request, facts)
    }
}
