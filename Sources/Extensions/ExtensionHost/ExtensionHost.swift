package import APNs
package import DeviceModel
package import JSON
package import NIOCore

/// What owns an `ExtensionHost`. It is called on the host's event loop and must not block, but `now()` from any thread.
package protocol ExtensionHostDelegate: AnyObject, Sendable {
    func now() -> Instant
    /// What answers are read by.
    var extensionAssumptions: Assumptions { get }
    /// A request is done with. Called exactly once for each that was submitted.
    func finishExtension(_ run: ExtensionRun, of request: ExtensionRequest)
    /// Answers a call of `UNUserNotificationCenter`: calls `reply` once, now or later, from any thread.
    func notificationCenter(
        _ call: ExtensionRun.CenterCall, of request: ExtensionRequest,
        _ reply: @escaping @Sendable (CenterReply) -> Void)
    /// Stores a picture of an intent and returns its SHA-256; nil when it cannot be had.
    func keep(_ image: IntentImage, of request: ExtensionRequest) -> String?
}

package enum CenterReply: Sendable, Hashable {
    /// The call is done; null when it returns nothing.
    case result(JSONValue)
    /// The call failed, and changed nothing. The reason is a sentence for people.
    case refused(String)
}

/// Runs the service extensions of apps, each in a process of its own or behind a URL, and reports what they did.
///
/// It decides nothing: what is delivered follows from the `ExtensionRun`. All of its state belongs to one event loop of the group;
/// every member may be used from any thread and none blocks. `stop()` must be called before it is let go.
///
/// If the gateway dies without it, the processes live on and find the end of their standard input.
package final class ExtensionHost: Sendable {
    private let status: HostStatus
    private let loop: any EventLoop
    private let core: NIOLoopBoundBox<HostCore?>
    private let delegate: any ExtensionHostDelegate

    /// - Parameter loops: One of its loops is used.
    package init(settings: ExtensionSettings, loops: any EventLoopGroup, delegate: any ExtensionHostDelegate) {
        let status = HostStatus(settings: settings)
        let loop = loops.next()
        let core = NIOLoopBoundBox.makeEmptyBox(valueType: HostCore.self, eventLoop: loop)
        (self.status, self.loop, self.core, self.delegate) = (status, loop, core, delegate)
        loop.execute { core.value = HostCore(loop: loop, status: status, delegate: delegate) }
    }

    /// How extensions are run; what is running keeps the settings that it was started with.
    package var settings: ExtensionSettings {
        get { status.settings }
        set { status.settings = newValue }
    }

    /// The working folder of an app's extension, in which its attachments are.
    package func folder(of app: String) -> String { WorkingFolder(parent: settings.folder, app: app).path }

    /// Asks the extension of `request.app`; the delegate learns how it went, after `stop()` too.
    ///
    /// If the extension is free, its time runs from here on, by the gateway's clock.
    package func submit(_ request: ExtensionRequest) {
        let instant = delegate.now()
        loop.execute { [core] in core.value?.submit(request, at: instant) }
    }

    /// The next deadline on the gateway's clock that `settle(at:)` has not been asked to carry out; nil while there is none.
    package var nextDue: Instant? { status.nextDue }

    /// An element whenever `nextDue` may have become earlier. For one reader; it ends with `stop()`.
    package var dueChanges: AsyncStream<Void> { status.dueChanges }

    /// Carries out the deadlines up to `now`, after everything that was asked of the host before.
    package func settle(at now: Instant) {
        status.ask(upTo: now)
        loop.execute { [core] in core.value?.settle(at: now) }
    }

    /// Ends the requests for which `condition` holds, waiting or running, as `.cancelled`.
    package func cancel(where condition: @escaping @Sendable (ExtensionRequest) -> Bool) {
        loop.execute { [core] in core.value?.cancel(where: condition) }
    }

    /// Ends every request as `.cancelled` and every process, those that work on something at once; returns when none is left.
    package func stop() async {
        let promise = loop.makePromise(of: Void.self)
        loop.execute { [core] in
            guard let core = core.value else { return promise.succeed() }
            core.stop(promise)
        }
        // The promise is only ever kept.
        try? await promise.futureResult.get()
        status.stop()
    }

    package var processes: [ExtensionProcessInfo] { status.processes }
}
