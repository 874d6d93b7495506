internal import APNs
package import DeviceModel
internal import DeviceSimulator
package import Fields
internal import Synchronization
internal import Time

/// Faults on the push's device before the push reaches it.
package struct FaultDevice: Sendable, Hashable {
    package var `extension`: ExtensionFault?
    package var offlineFor: Duration?
    package var permission: Permission?

    /// How the app's service extension fails; it does not run.
    package enum ExtensionFault: String, CaseIterable, Sendable {
        case slow
        case crashes

        package var end: ExtensionRun.End {
            switch self {
            case .slow: .expired
            case .crashes: .crashed
            }
        }
    }

    package enum Permission: String, CaseIterable, Sendable { case denied }

    package init() {}
}

extension FaultDevice: FieldDescribed {
    package static let fields: [Field<FaultDevice>] = [
        Field(
            "extension", \.extension, .optional(.word()),
            "The service extension does not run for the push, as if it had run out of time or crashed."),
        Field(
            "offlineFor", \.offlineFor, .optional(.positiveDuration),
            "The device goes offline for this long, on the gateway's clock."),
        Field(
            "permission", \.permission, .optional(.word()), "The app's permission to notify, which the person changes."),
    ]

    package static let checks: [FieldCheck<FaultDevice>] = [
        FieldCheck(
            found: "is empty", remedy: "accepted: at least one of \(fieldNames.joined(separator: ", "))"
        ) { $0 == FaultDevice() }
    ]
}

extension FaultEffect {
    /// Whether it may refuse or lose a push that the gateway would deliver.
    var withholdsPush: Bool {
        let candidates = answers.isEmpty ? [answer] : answers.map(Optional.some)
        return expiresToken
            || candidates.contains {
                FaultFiring(rule: "", effect: self, answer: $0, delay: .zero).handlesRequest(verdict: nil)
            }
    }
}

/// The latest pushes whose service extensions do not run because a rule fired.
///
/// It is not stored: after a restart, a push that still waits for its device reaches its extension.
final class ExtensionFaults: Sendable {
    /// Far more than wait at a time; beyond it, the oldest is evicted.
    private static let capacity = 1000

    private let pushes = Mutex<[(id: APNsID, end: ExtensionRun.End, rule: String)]>([])

    func add(_ push: APNsID, _ end: ExtensionRun.End, by rule: String) {
        pushes.withLock { pushes in
            if pushes.count == Self.capacity { pushes.removeFirst() }
            pushes.append((push, end, rule))
        }
    }

    var isEmpty: Bool { pushes.withLock { $0.isEmpty } }

    func run(of push: APNsID, at now: Instant) -> ExtensionRun? {
        guard let found = pushes.withLock({ $0.last { $0.id == push } }) else { return nil }
        var run = ExtensionRun(found.end, startedAt: now, endedAt: now)
        run.detail = "fault rule \(found.rule)"
        return run
    }
}

extension Gateway {
    /// Changes the device as a rule says, before its push arrives.
    func apply(_ fault: FaultDevice, to registration: Registration, at now: Instant) {
        let device = registration.device
        do throws(SimulatorError) {
            if let length = fault.offlineFor, var conditions = simulator.conditions(of: device) {
                let end = now.advanced(by: length)
                // A longer outage stays as it is.
                if conditions.isOnline || conditions.offlineUntil.map({ $0 < end }) ?? false {
                    conditions.isOnline = false
                    conditions.offlineUntil = end
                    try simulator.perform(.conditions(conditions), on: device, at: now)
                    outages.withLock { $0[device] = end }
                }
            }
            let app = registration.bundleID
            if fault.permission == .denied,
                var settings = simulator.appsOnDevice(device).first(where: { $0.app.bundleID == app })?.settings,
                settings.authorizationStatus != .denied
            {
                settings.authorizationStatus = .denied
                try simulator.perform(.settings(settings, app: app), on: device, at: now)
            }
        } catch {
            // The journal cannot be written, so the push is rejected too; or the device was just deleted.
        }
    }

    /// After the clock went back: rules and the outages that they began have the time left.
    func setBackFaults(_ clock: ClockReturn) {
        faults.setBack(clock)
        saveFaults()
        let former = outages.withLock { outages in
            defer { outages = outages.filter { $0.value > clock.now }.mapValues(clock.moved) }
            return outages
        }
        for (device, end) in former {
            guard var conditions = simulator.conditions(of: device), conditions.offlineUntil == end else { continue }
            conditions.offlineUntil = clock.moved(end)
            // While the journal cannot be written, the device stays as it is.
            _ = try? simulator.perform(.conditions(conditions), on: device, at: clock.now)
        }
    }

    /// The rule's verdict in place of running the extension; nil to run it.
    func faultyRun(of request: ExtensionRequest) -> ExtensionRun? {
        guard !extensionFaults.isEmpty, let push = simulator.notification(request.notification)?.push else {
            return nil
        }
        return extensionFaults.run(of: push.uniqueID, at: now())
    }
}
