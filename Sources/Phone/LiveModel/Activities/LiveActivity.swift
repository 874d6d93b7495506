package import APNs
package import DeviceModel
package import JSON
package import Time

/// A Live Activity on a device (live.md L1.3).
package struct LiveActivity: Hashable, Codable, Sendable {
    package enum State: String, CaseIterable, Codable, Sendable {
        case pending, active, stale, ended, dismissed

        /// Whether it counts towards the limits and accepts updates.
        package var isOngoing: Bool { self == .pending || self == .active || self == .stale }
        /// Whether the Dynamic Island may show it.
        package var isLive: Bool { self == .active || self == .stale }
    }

    package enum Origin: String, CaseIterable, Codable, Sendable { case app, push, schedule }

    package enum Style: String, CaseIterable, Codable, Sendable {
        case standard
        /// Shown expanded only. It ends when the person collapses it, taps outside, opens another app or locks the device.
        case transient
    }

    package static let maximumDataByteCount = 4096
    private static let maximumLogCount = 32
    private static let maximumFormerTokenCount = 8

    /// A UUID.
    package var id: String
    package var bundleID: String
    package var environment: APNsEnvironment
    package var type: String
    package var state = State.active
    package var origin: Origin
    package var style = Style.standard
    package var attributes: JSONValue
    package var content: JSONValue
    /// The timestamp of the latest applied start or update, in seconds since 1970.
    package var lastTimestamp: Double
    package var staleDate: Instant?
    package var relevance = 0.0
    /// When a pending activity starts.
    package var startsAt: Instant?
    package var startedAt: Instant
    package var endedAt: Instant?
    package var dismissAt: Instant?
    package var alertedAt: Instant?
    /// Where the latest alert was shown.
    var alertPresentation: AlertOutcome.Presentation?
    /// Shown on the watch.
    package var lastAlert: AlertTexts?
    /// The alert of a pending start.
    package var pendingAlert: ActivityAlert?
    package var push: Push
    package var held: Held?
    package private(set) var log: [LogEntry] = []
    /// How many older log entries were dropped.
    package private(set) var droppedLogCount = 0
    /// The size of `attributes` as compact JSON.
    var attributesByteCount: Int
    var shared = Shared()

    private enum CodingKeys: String, CodingKey {
        case id
        case bundleID = "app"
        case environment, type, state, origin, style, attributes, content, lastTimestamp, staleDate, relevance
        case startsAt, startedAt, endedAt, dismissAt, alertedAt, alertPresentation, lastAlert, pendingAlert, push, held,
            log,
            droppedLogCount
        case attributesByteCount
    }

    /// How a server updates the activity.
    package struct Push: Hashable, Codable, Sendable {
        package enum Kind: String, CaseIterable, Codable, Sendable { case none, token, channel }

        package var kind: Kind
        package var token: DeviceToken?
        /// Replaced tokens, oldest first.
        package var previous: [DeviceToken] = []
        /// The channel identifier, in base64.
        package var channel: String?
        /// The token is withheld until the person allows the app's activities (S9).
        package var consentPending = false
        /// When a delayed token is due (T3).
        package var tokenDueAt: Instant?
    }

    /// The latest update that exceeded the budget.
    package struct Held: Hashable, Codable, Sendable {
        package var push: ActivityPush
        package var until: Instant
    }

    package struct AlertTexts: Hashable, Codable, Sendable {
        package var title: String
        package var body: String
    }

    /// What a push, the app or the person did to the activity.
    package struct LogEntry: Hashable, Codable, Sendable {
        package var at: Instant
        /// A broadcast's `apns-unique-id`, or a push's `apns-id`; nil for an act on the device.
        package var id: String?
        /// For example `update`, `end` or `dismiss`.
        package var what: String
        /// Why it was dropped; nil if it was applied.
        package var reason: DiscardReason?
    }

    package var use: TokenUse {
        TokenUse(.liveactivity, bundleID: bundleID, environment: environment, subject: id)
    }

    package var channelKey: ChannelKey? {
        push.channel.map { ChannelKey(bundleID: bundleID, environment: environment, id: $0) }
    }

    mutating func note(_ what: String, _ id: String? = nil, _ reason: DiscardReason? = nil, at now: Instant) {
        if log.count == Self.maximumLogCount {
            log.removeFirst()
            droppedLogCount += 1
        }
        log.append(LogEntry(at: now, id: id, what: what, reason: reason))
    }

    mutating func take(_ token: DeviceToken) {
        if let former = push.token {
            push.previous.append(former)
            if push.previous.count > Self.maximumFormerTokenCount { push.previous.removeFirst() }
        }
        push.token = token
    }

    mutating func setBack(_ clock: ClockReturn) {
        clock.moveOrigin(&startedAt)
        clock.moveOrigin(&endedAt)
        clock.move(&dismissAt)
        clock.moveOrigin(&alertedAt)
        clock.move(&push.tokenDueAt)
        if let until = held?.until { held?.until = clock.moved(until) }
        let latest = Instant(seconds: lastTimestamp)
        if latest > clock.now { lastTimestamp = clock.moved(latest).timestamp }
    }

    /// The members of every event about the activity.
    var details: JSONObject { shared.details ?? ["activity": .string(id), "type": .string(type)] }

    /// The details, stored once for all updates: a device's log may contain thousands.
    mutating func shareDetails() -> JSONObject {
        let details = details
        shared.details = details
        return details
    }

    /// A cache; not part of the state.
    struct Shared: Hashable, Sendable {
        fileprivate var details: JSONObject?

        static func == (left: Self, right: Self) -> Bool { true }
        func hash(into hasher: inout Hasher) {}
    }

    /// The longest time an activity runs, from its start (L1.3).
    static let life: Int64 = 8 * .hour
    /// The longest time an ended activity stays on the lock screen.
    static let afterlife: Int64 = 4 * .hour

    /// What is due; equal times go in the order of the cases.
    enum Deadline: Int, CaseIterable {
        case token, held, stale, life, dismissal, start

        /// `allCases`, allocated once.
        static let all = allCases
    }
}

/// Identifiers derived from the device and the number of its activities, so that a replay issues the same ones.
enum ActivityID {
    static func make(_ words: [String]) -> String {
        var halves: [UInt64] = [0xcbf2_9ce4_8422_2325, 0x8422_2325_cbf2_9ce4]
        for index in halves.indices {
            for byte in words.joined(separator: "\n").utf8 {
                halves[index] = (halves[index] ^ UInt64(byte)) &* 0x100_0000_01b3
            }
            // SplitMix64's finalizer mixes the last bytes into all bits.
            halves[index] = (halves[index] ^ halves[index] >> 30) &* 0xbf58_476d_1ce4_e5b9
            halves[index] = (halves[index] ^ halves[index] >> 27) &* 0x94d0_49bb_1331_11eb
            halves[index] ^= halves[index] >> 31
        }
        // The version and variant of a UUID with custom contents (RFC 9562 §5.8).
        halves[0] = halves[0] & ~0xf000 | 0x8000
        halves[1] = halves[1] & ~(0b11 << 62) | 0b10 << 62
        return APNsID(high: halves[0], low: halves[1]).text(.upper)
    }
}

extension Instant {
    /// As servers write it: whole seconds since 1970.
    var timestamp: Double { seconds.rounded(.down) }
}
