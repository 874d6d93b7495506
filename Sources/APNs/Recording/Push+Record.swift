extension Push {
    /// Writes everything about the push but the token it came by.
    package func write(to record: inout RecordWriter) {
        record.put(receivedAt)
        record.put(apnsID)
        record.put(uniqueID)
        record.put(connection)
        record.put(environment == .production)
        record.put(pushType?.rawValue ?? 0)
        record.put(priority.rawValue)
        switch expiration {
        case .unspecified: record.put(UInt8(0))
        case .immediate: record.put(UInt8(1))
        case .at(let instant):
            record.put(UInt8(2))
            record.put(instant)
        }
        record.put(request.hasImpliedPath)
        // One string of bytes, and where the payload begins in it.
        record.put(UInt32(request.head.count))
        record.put(bytes: request.head, request.payload)
    }

    /// The push that `write(to:)` wrote.
    package convenience init(from record: inout RecordReader) throws(RecordDamage) {
        let receivedAt = try record.instant()
        let apnsID = try record.id()
        let uniqueID = try record.id()
        let connection = try record.number(UInt32.self)
        let environment: APNsEnvironment = try record.bool() ? .production : .sandbox
        let type = try record.number(UInt8.self)
        let pushType = PushType(rawValue: type)
        guard type == 0 || pushType != nil, let priority = Priority(rawValue: try record.number()) else {
            throw RecordDamage()
        }
        let expiration = try Expiration(from: &record)
        let hasImpliedPath = try record.bool()
        let payloadOffset = Int(try record.number(UInt32.self))
        let bytes = try record.byteString()
        guard payloadOffset <= bytes.count else { throw RecordDamage() }
        self.init(
            request: PackedRequest(
                head: Array(bytes[..<payloadOffset]), payload: Array(bytes[payloadOffset...]),
                hasImpliedPath: hasImpliedPath),
            apnsID: apnsID, uniqueID: uniqueID, environment: environment, pushType: pushType, priority: priority,
            expiration: expiration, receivedAt: receivedAt, connection: connection)
    }
}

extension Expiration {
    fileprivate init(from record: inout RecordReader) throws(RecordDamage) {
        switch try record.number(UInt8.self) {
        case 0: self = .unspecified
        case 1: self = .immediate
        case 2: self = .at(try record.instant())
        default: throw RecordDamage()
        }
    }
}
