internal import APNs
package import DeviceModel
internal import Synchronization
package import Time

/// Pushes at their apps' service extensions.
extension DeviceSimulator {
    /// Fires when `takeExtensionRequests()` has requests; for one listener.
    package var extensionRequests: AsyncStream<Void> { extensionSignal.stream }

    /// Removes the requests in the order of the pushes. Answer each with `finishExtension(_:of:at:)`.
    package func takeExtensionRequests() -> [ExtensionRequest] {
        let (tasks, generation) = store.withLock { store in
            defer { store.extensionTasks = [] }
            return (store.extensionTasks, store.generation)
        }
        return tasks.map { ExtensionRequest($0, generation: generation) }
    }

    package func isWithExtension(_ request: ExtensionRequest) -> Bool {
        store.withLock { $0.isWithExtension(request) }
    }

    /// - Throws: As `perform(_:on:at:)`, and `.noSuchNotification` once the extension no longer has the push.
    package func perform(_ act: DeviceAct, by request: ExtensionRequest, at now: Instant) throws(SimulatorError) {
        try perform(.act(act), on: request.device, at: now, by: request)
    }

    /// Delivers a push with its extension's result; false when the notification was cleared meanwhile.
    @discardableResult
    package func finishExtension(_ run: ExtensionRun, of request: ExtensionRequest, at now: Instant) -> Bool {
        let statesAlert = store.withLock { $0.log[request.notification]?.push?.pushType } == .alert
        let record = Shared(ExtensionRecord(run, app: request.app, statesAlert: statesAlert))
        do throws(SimulatorError) {
            try perform(.extended(request.notification, record), on: request.device, at: now, by: request)
            return true
        } catch .journalUnwritable {
            // The extension is asked again once the journal is writable.
            return true
        } catch {
            return false
        }
    }
}

extension SimulatorState {
    /// Requests the service extension again for every push that waits for one, in the order of the pushes.
    mutating func requestExtensionsAgain() {
        extensionTasks = devices.values.flatMap { device in
            // A push with a record was answered while the device was off.
            device.state.extending.filter { device.state.extended[$0.arrival.sequence]?.record == nil }
        }
        extensionTasks.sort { $0.arrival.sequence < $1.arrival.sequence }
    }

    func isWithExtension(_ request: ExtensionRequest) -> Bool {
        guard request.generation == generation, let state = devices[request.device]?.state else { return false }
        return state.extending.contains { $0.arrival.sequence == request.notification }
            && state.extended[request.notification]?.record == nil
    }
}

extension ExtensionRequest {
    init(_ task: ExtensionTask, generation: UInt64) {
        let context = task.context
        let push = task.arrival.push
        self.init(
            notification: task.arrival.sequence, device: task.arrival.device,
            identifier: push.collapseID ?? DeviceState.generatedIdentifier(task.arrival.sequence),
            content: push.content(nil).localized(in: context),
            payload: Array(push.payload), app: context.app, settings: context.settings, locale: context.device.locale,
            isUnlockedSinceBoot: context.device.isUnlockedSinceBoot, at: task.since, generation: generation)
    }
}
