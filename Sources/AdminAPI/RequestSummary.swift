internal import APNs
internal import DeviceModel
package import DeviceSimulator
package import Gateway
internal import Wire

extension Gateway {
    /// One line, such as `200 alert com.example.app → phone · Active, delivered at once: on the lock screen, sound
    /// (notification 17)`.
    package func sentence(of record: RequestRecord) -> String {
        let status = record.status.map(String.init) ?? "no answer"
        let request = "request \(record.number)"
        if let fault = record.fault {
            let reason = record.reason(settings.spelling).map { " " + $0 } ?? ""
            return "\(status)\(reason) · fault rule \(fault.rule) (\(request))"
        }
        if let served = record.served { return "\(status) \(served.sentence) (\(request))" }
        guard let registration = record.registration, let number = record.notification else {
            let words = [status, record.reason(settings.spelling), record.topic].compactMap(\.self)
            return "\(words.joined(separator: " ")) · \(record.diagnosis?.message ?? "no diagnosis") (\(request))"
        }
        guard let notification = simulator.notification(number) else {
            return "\(status) \(registration.topic) → \(registration.device), cleared"
        }
        return "\(status) \(notification.kind.name) \(notification.sentence)"
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

extension Notification {
    /// The outcome in one line.
    package var sentence: String {
        let failure = extensionRecord.flatMap { $0.verdict == .original ? " · extension: \($0.sentence)" : nil }
        let outcome = why.hasSuffix(".") ? String(why.dropLast()) : why
        return "\(registration.topic) → \(device) · \(outcome)\(failure ?? "") (notification \(sequence))"
    }
}
