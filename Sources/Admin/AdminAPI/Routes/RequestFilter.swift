internal import APNs
internal import DeviceSimulator
internal import Gateway

/// Selects requests of the log that match every parameter of a query.
struct RequestFilter: Sendable {
    static let names = [
        "status", "reason", "fault", "connection", "device", "topic", "source", RequestQuery.condition,
    ]

    /// For requests without an answer.
    private static let noStatus = "none"

    private var tests: [@Sendable (RequestRecord) -> Bool] = []

    var isEmpty: Bool { tests.isEmpty }

    /// - Parameter condition: The conditions of `where`; nil without.
    init(
        _ query: RequestQuery, of gateway: Gateway, condition: (@Sendable (RequestRecord) -> Bool)?
    ) throws(AdminError) {
        if query["status"] == Self.noStatus {
            tests.append { $0.status == nil }
        } else if let status = try query.integer("status", in: UInt16(200)...599, or: Self.noStatus) {
            let known = Self.statuses(of: gateway)
            guard known.contains(Int(status)) else {
                throw unknownWord("status", String(status), known.map(String.init) + [Self.noStatus])
            }
            tests.append { $0.status == status }
        }
        if let connection = try query.integer("connection", in: 0...UInt32.max) {
            tests.append { $0.connection == connection }
        }
        if let source = try query.choice("source", of: RequestRecord.Source.allCases, by: \.rawValue) {
            tests.append { $0.source == source }
        }
        if let fault = query["fault"] { tests.append { $0.fault?.rule == fault } }
        if let topic = query["topic"] { tests.append { $0.topic == topic } }
        if let reason = query["reason"] {
            let reasons = try Self.spellings(of: reason, in: gateway)
            tests.append { $0.reason(.observed).map(reasons.contains) ?? false }
        }
        if let device = query["device"] { tests.append { gateway.device(of: $0) == device } }
        if let condition { tests.append(condition) }
    }

    func matches(_ record: RequestRecord) -> Bool { tests.allSatisfy { $0(record) } }

    /// Some of APNs' reasons have two. Rejects another word unless a fault rule, which may use any, or a logged request has it.
    private static func spellings(of text: String, in gateway: Gateway) throws(AdminError) -> Set<String> {
        let reason = APNsReason.allCases.first { $0.rawValue == text || $0.text(.documented) == text }
        if let reason { return [reason.text(.observed), reason.text(.documented)] }
        let isKnown =
            faultReasons(of: gateway).contains(text)
            || !gateway.requestLog.page(before: .max, limit: 1) { $0.reason(.observed) == text }.items.isEmpty
        guard isKnown else { throw unknownWord("reason", text, APNsReason.allCases.map(\.rawValue)) }
        return [text]
    }

    private static func faultReasons(of gateway: Gateway) -> Set<String> {
        Set(faultAnswers(of: gateway).compactMap(\.reason))
    }

    private static func faultAnswers(of gateway: Gateway) -> [FaultAnswer] {
        gateway.faults.statuses.flatMap { [$0.rule.effect.answer].compactMap(\.self) + $0.rule.effect.answers }
    }

    /// Of the requests in the log.
    private static func logged<Value>(in gateway: Gateway, _ value: @escaping (RequestRecord) -> Value?) -> Set<Value> {
        var values: Set<Value> = []
        _ = gateway.requestLog.count { record in
            if let value = value(record) { values.insert(value) }
            return false
        }
        return values
    }

    /// All that an answer may have: those of APNs, of fault rules, and of logged requests.
    static func statuses(of gateway: Gateway) -> [Int] {
        let ofAPNs = APNsReason.allCases.map(\.status) + ChannelAction.allCases.map(\.status)
        return Set((ofAPNs + [200, RequestRecord.oversizedStatus]).map { Int($0) })
            .union(faultAnswers(of: gateway).map(\.code))
            .union(logged(in: gateway) { $0.status.map { Int($0) } })
            .sorted()
    }

    /// All that an answer may have, in every spelling: those of APNs, of fault rules, and of logged requests.
    static func reasons(of gateway: Gateway) -> [String] {
        let known = APNsReason.allCases.flatMap { [$0.rawValue, $0.text(.documented), $0.text(.observed)] }
        let others = faultReasons(of: gateway).union(logged(in: gateway) { $0.fault?.reason })
        return known + others.subtracting(known).sorted()
    }
}
