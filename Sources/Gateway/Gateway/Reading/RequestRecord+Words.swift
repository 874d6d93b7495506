package import APNs
package import DeviceModel
package import DeviceSimulator
internal import RequestWire

/// What became of a request, in words.
extension RequestRecord {
    /// In the path, if it is one.
    fileprivate var deviceToken: DeviceToken? { tokenText.flatMap { DeviceToken(hex: Array($0.utf8).span.bytes) } }

    /// nil like `status`, if no answer was sent.
    package func reason(_ spelling: APNsReason.Spelling) -> String? {
        if let answer, answer.fate != .sent { return nil }
        return fault?.reason ?? rejection?.reason.text(spelling)
    }

    package var diagnosis: Diagnosis? {
        if case .oversized = outcome { Self.tooManyHeaders } else { rejection?.diagnosis }
    }

    private static let tooManyHeaders = Diagnosis(
        "headers.too-large",
        "the header list is larger than `http2.maximumHeaderListSize`, which is announced as APNs announces it: 8000 bytes, "
            + "counting name, value and 32 of each field (RFC 9113 §6.5.2). Send fewer or shorter headers.")

    package var apnsIDText: String {
        switch outcome {
        case .accepted(let push, _, _): push.apnsIDText
        case .refused(let request, _), .served(let request, _), .handledByFault(let request): request.apnsIDText
        case .oversized(let apnsID): apnsID.text(.upper)
        }
    }
}

extension RequestRecord.UndeliveredRequest {
    /// In the provider's spelling, if it sent a valid one.
    fileprivate var apnsIDText: String {
        let own = [request.value(of: .apnsRequestID), request.value(of: .apnsID)].compactMap(\.self)
        return own.first { APNsID(Array($0.utf8).span.bytes) == apnsID } ?? apnsID.text(.upper)
    }
}

extension Gateway {
    package func findings(on record: RequestRecord) -> [Finding] {
        let refused = record.rejection == nil ? nil : record.deviceToken
        let connection = connectionLog.snapshot(of: record.connection)
        let keyIDs = Set(connection?.tokens.map(\.keyID) ?? [])
        return RequestFindings.findings(
            for: record, on: connection?.facts, tokenOf: refused.flatMap { simulator.registration(of: $0)?.kind },
            // Of several, the request's is not recorded.
            keyRemark: keyIDs.count == 1 ? keyIDs.first.flatMap { keys.remark(about: $0) } : nil)
    }

    /// The device of a request's token; of a rejected request, the device that has the token now.
    package func device(of record: RequestRecord) -> String? {
        record.registration?.device ?? record.deviceToken.flatMap { simulator.registration(of: $0)?.device }
    }

    /// What may have been meant for a device, or for any: of the last 20 requests, the newest push that was refused for its
    /// own token, or else the newest for a token that was never registered, since the device was created.
    package func newestStray(missing device: String?) -> (record: RequestRecord, isOfDevice: Bool)? {
        let records = requestLog.page(before: .max, limit: 20).items.filter { $0.tokenText != nil }
        if let device, let own = records.first(where: { $0.rejection != nil && self.device(of: $0) == device }) {
            return (own, true)
        }
        let start = device.flatMap { simulator.device(named: $0)?.createdAt }
        let stray = records.first { record in
            start.map { record.receivedAt >= $0 } ?? true
                && (record.registration?.isOfUnknownToken ?? (self.device(of: record) == nil))
        }
        return stray.map { ($0, false) }
    }

    /// One line, such as `200 alert com.example.app → phone · Active, delivered at once: on the lock screen, sound
    /// (notification 17)`.
    package func sentence(of record: RequestRecord) -> String {
        let status = record.status.map(String.init) ?? "no answer"
        let request = "request \(record.number)"
        if let fault = record.fault {
            let reason = record.reason(settings.spelling).map { " " + $0 } ?? ""
            return "\(status)\(reason) · by fault rule '\(fault.rule.withShortTokens)' (\(request))"
        }
        if let served = record.served { return "\(status) \(served.sentence) (\(request))" }
        guard let registration = record.registration else {
            let words = [status, record.reason(settings.spelling), record.topic].compactMap(\.self)
            return "\(words.joined(separator: " ")) · \(record.diagnosis?.message ?? "no diagnosis") (\(request))"
        }
        guard let notification = notification(of: record) else {
            return "\(status) \(registration.topic) → \(registration.device), cleared"
        }
        return "\(status) \(notification.kind.name) \(notification.sentence)"
    }
}

extension Gateway {
    /// A request's notification; nil once it is gone, and if a loaded state has another one with its number.
    package func notification(of record: RequestRecord) -> Notification? {
        guard case .accepted(let push, let registration, let number) = record.outcome else { return nil }
        return simulator.notification(number).flatMap { $0.comes(of: push, to: registration) ? $0 : nil }
    }

    /// The number of a request's notification, also once it is gone; nil if a loaded state has another one with it.
    package func notificationNumber(of record: RequestRecord) -> UInt64? {
        guard case .accepted(let push, let registration, let number) = record.outcome else { return nil }
        let isOther = simulator.notification(number).map { !$0.comes(of: push, to: registration) } ?? false
        return isOther ? nil : number
    }
}

extension Notification {
    fileprivate func comes(of push: Push, to registration: Registration) -> Bool {
        self.push.uniqueID == push.uniqueID && self.registration.token == registration.token
    }
}

extension RequestRecord.ServedRequest {
    /// Such as `broadcast 7 com.example.app → channel dHN0LXNyY2gtY2hubA==, 3 subscribers`.
    fileprivate var sentence: String {
        let channel = channelID.map { "channel \($0)" } ?? ""
        switch action {
        case .broadcast:
            let count = subscribers ?? 0
            return "broadcast \(broadcast ?? 0) \(bundleID) → \(channel), \(count) subscriber\(count == 1 ? "" : "s")"
        case .create: return "\(bundleID) · created \(channel)"
        case .read: return "\(bundleID) · read \(channel)"
        case .delete: return "\(bundleID) · deleted \(channel)"
        case .list: return "\(bundleID) · listed all channels"
        }
    }
}

extension String {
    /// The name of a rule for one device token has it.
    fileprivate var withShortTokens: String {
        split(separator: "/", omittingEmptySubsequences: false).map { part in
            part.utf8.count >= 64 && part.allSatisfy(\.isHexDigit) ? part.prefix(8) + "…" : part
        }.joined(separator: "/")
    }
}
