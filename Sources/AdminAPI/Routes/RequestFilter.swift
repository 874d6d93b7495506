internal import APNs
internal import DeviceSimulator
internal import Gateway

/// Selects requests of the log that match every parameter of a query.
struct RequestFilter: Sendable {
    static let names = [
        "status", "reason", "fault", "connection", "device", "topic", "source", RequestQuery.condition,
    ]

    private let gateway: Gateway
    private let status: UInt16?
    private let isUnanswered: Bool
    /// In every spelling.
    private let reasons: Set<String>?
    private let fault: String?
    private let connection: UInt32?
    private let device: String?
    private let topic: String?
    private let source: RequestRecord.Source?
    /// The conditions of `where`; nil without.
    private let condition: (@Sendable (RequestRecord) -> Bool)?
    let isEmpty: Bool

    init(
        _ query: RequestQuery, of gateway: Gateway, condition: (@Sendable (RequestRecord) -> Bool)?
    ) throws(AdminError) {
        self.gateway = gateway
        self.condition = condition
        isEmpty = Self.names.allSatisfy { query[$0] == nil } && query.conditions.isEmpty
        isUnanswered = query["status"] == "none"
        status = isUnanswered ? nil : try query.integer("status", in: UInt16(200)...599)
        connection = try query.integer("connection", in: 0...UInt32.max)
        fault = query["fault"]
        device = query["device"]
        topic = query["topic"]
        source = try query.choice("source", of: RequestRecord.Source.allCases, by: \.rawValue)
        reasons = query["reason"].map { Self.spellings($0) ?? [$0] }
        if let reason = query["reason"] { try check(reason) }
    }

    func matches(_ record: RequestRecord) -> Bool {
        if let status, status != record.status { return false }
        if isUnanswered, record.status != nil { return false }
        if let connection, connection != record.connection { return false }
        if let fault, fault != record.fault?.rule { return false }
        if let reasons, !(record.reason(.observed).map(reasons.contains) ?? false) { return false }
        if let topic, topic != record.topic { return false }
        if let source, source != record.source { return false }
        if let device, device != gateway.device(of: record) { return false }
        return condition?(record) ?? true
    }

    /// Some reasons have two spellings; `nil` if the word is no reason of APNs.
    private static func spellings(_ text: String) -> Set<String>? {
        APNsReason.allCases.first { $0.rawValue == text || $0.text(.documented) == text }
            .map { [$0.text(.observed), $0.text(.documented)] }
    }

    /// Rejects a reason unknown to APNs, the fault rules, which may use any word, and the logged requests.
    private func check(_ reason: String) throws(AdminError) {
        guard Self.spellings(reason) == nil else { return }
        let answers = gateway.faults.statuses.flatMap {
            [$0.rule.effect.answer].compactMap(\.self) + $0.rule.effect.answers
        }
        guard !answers.contains(where: { $0.reason == reason }) else { return }
        let logged = gateway.requestLog.page(before: .max, limit: 1) { $0.reason(.observed) == reason }
        guard logged.items.isEmpty else { return }
        throw unknownWord("reason", reason, APNsReason.allCases.map(\.rawValue))
    }
}

extension Gateway {
    /// The device of a request's token; of a rejected request, the device that has the token now.
    func device(of record: RequestRecord) -> String? {
        if let registration = record.registration { return registration.device }
        let token = record.tokenText.flatMap { DeviceToken(hex: Array($0.utf8).span.bytes) }
        return token.flatMap { simulator.registration(of: $0)?.device }
    }
}
