package import APNs
package import DeviceModel
internal import Synchronization

/// Pushes go to the service extensions of their apps, and come back.
extension DeviceSimulator {
    /// Tells whenever `takeExtensionRequests()` has something to take: for one listener.
    package var extensionRequests: AsyncStream<Void> { extensionSignal.stream }

    /// Takes out what service extensions are to be asked, in the order of the pushes; who takes them must answer each with
    /// `finishExtension(_:of:)`.
    package func takeExtensionRequests() -> [ExtensionRequest] {
        let tasks = store.withLock { store in
            defer { store.extensionTasks = [] }
            return store.extensionTasks
        }
        return tasks.map { ExtensionRequest($0.task, device: $0.device) }
    }

    /// Whether a notification still waits for its service extension.
    package func isWithExtension(_ request: ExtensionRequest) -> Bool {
        store.withLock { store in
            guard let state = store.devices[request.device]?.state else { return false }
            return state.extending.contains { $0.arrival.sequence == request.notification }
                && state.extended[request.notification]?.record == nil
        }
    }

    /// Delivers what a service extension was asked about.
    ///
    /// - Returns: Whether the notification was still waiting for that; false when it was cleared meanwhile.
    @discardableResult
    package func finishExtension(_ run: ExtensionRun, of request: ExtensionRequest, at now: Instant) -> Bool {
        let statesAlert = store.withLock { $0.log[request.notification]?.push?.pushType } == .alert
        let record = Shared(ExtensionRecord(run, app: request.app, statesAlert: statesAlert))
        do throws(SimulatorError) {
            try reduce(.extended(request.notification, record), on: request.device, at: now)
            return true
        } catch .notKept {
            // It is asked again once there is room for what it says.
            store.withLock { $0.queue?.becameDirty() }
            return true
        } catch {
            return false
        }
    }
}

extension ExtensionRequest {
    init(_ task: ExtensionTask, device: String) {
        let around = task.context
        let push = task.arrival.push
        self.init(
            notification: task.arrival.sequence, device: device,
            identifier: push.collapseID ?? DeviceState.madeIdentifier(task.arrival.sequence),
            content: push.content(nil).localized(app: around.app, locale: around.device.locale),
            payload: Array(push.payload), app: around.app, settings: around.settings, locale: around.device.locale,
            isUnlockedSinceBoot: around.device.isUnlockedSinceBoot, at: task.at)
    }
}
