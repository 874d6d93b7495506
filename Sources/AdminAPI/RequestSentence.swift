internal import APNs
internal import DeviceModel
internal import DeviceSimulator
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
        guard let registration = record.registration, let number = record.notification else {
            let words = [status, record.reason(settings.spelling), record.topic].compactMap(\.self)
            return "\(words.joined(separator: " ")) · \(record.diagnosis?.message ?? "no diagnosis") (\(request))"
        }
        let type = simulator.notification(number).map { " " + $0.kind.name } ?? ""
        return
            "\(status)\(type) \(sentence(ofNotification: number) ?? "\(registration.topic) → \(registration.device), cleared")"
    }

    /// The outcome in one line; nil if the notification was cleared.
    package func sentence(ofNotification number: UInt64) -> String? {
        guard let notification = simulator.notification(number) else { return nil }
        let registration = notification.registration
        let failure = notification.extensionRecord.flatMap {
            $0.verdict == .original ? " · extension: \($0.sentence)" : nil
        }
        let outcome = notification.why.hasSuffix(".") ? String(notification.why.dropLast()) : notification.why
        return "\(registration.topic) → \(registration.device) · \(outcome)\(failure ?? "") (notification \(number))"
    }

    package func isUnfinished(_ number: UInt64) -> Bool { simulator.notification(number)?.state == .accepted }
}
