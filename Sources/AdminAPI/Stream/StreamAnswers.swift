internal import Gateway
internal import JSON

/// The data of the messages of `GET /events/stream`.
package struct StreamHello: APIShape {
    package var run: String
    package var version: String
    package var now: String
    package var mode: String
    package var scale: Double?
    /// The newest notification; every later one is reported.
    package var next: String
    package var oldest: String?
    package var counts: InformationAnswer.Counts
}

/// `rows` and `skipped` add up to `added` and `changed`.
package struct StreamNotifications: APIShape {
    package var rows: [NotificationAnswer]
    package var added: UInt64
    package var changed: Int
    package var skipped: UInt64
    package var next: String
}

package struct StreamRemoved: APIShape {
    package var ids: [UInt64]
    /// The oldest notification that is still stored; all before it were removed.
    package var oldest: String?
    package var isTruncated: Bool
}

/// `rows` and `skipped` add up to `refused`.
package struct StreamRequests: APIShape {
    package var rows: [RequestAnswer]
    package var accepted: UInt64
    package var refused: UInt64
    package var skipped: UInt64
    package var next: String
}

package struct StreamDevices: APIShape {
    package var names: [String]
    package var removed: [String]
    package var isTruncated: Bool
}

package struct StreamFaults: APIShape, Equatable {
    package struct Fault: APIShape, Equatable {
        package var name: String
        package var matched: Int
        package var fired: Int
    }

    package var faults: [Fault]

    init(of gateway: Gateway) {
        faults = gateway.faults.statuses.map { Fault(name: $0.rule.name, matched: $0.matched, fired: $0.fired) }
    }
}

package struct StreamGap: APIShape {
    package var next: String
}
