package import APNs
package import DeviceModel
package import JSON
package import NIOCore

/// What owns an `ExtensionHost`. It is called on the host's event loop and must not block, but `now()` from any thread.
package protocol ExtensionHostDelegate: AnyObject, Sendable {
    func now() -> Instant
    var extensionAssumptions: Assumptions { get }
    /// Called exactly once for each request that was submitted.
    func finishExtension(_ run: ExtensionRun, of request: ExtensionRequest)
    /// Answers a call of `UNUserNotificationCenter`: calls `reply` once, now or later, from any thread.
    func notificationCenter(
        _ call: ExtensionRun.CenterCall, of request: ExtensionRequest,
        _ reply: @escaping @Sendable (CenterReply) -> Void)
    /// Stores a picture of an intent.
    /// - Returns: Its SHA-256; nil when there is no such picture.
    func keep(_ image: IntentImage, of request: ExtensionRequest) -> String?
}

package enum CenterReply: Sendable, Hashable {
    /// null when the call returns nothing.
    case result(JSONValue)
    /// The call changed nothing. The reason is a sentence for people.
    case refused(String)
}

/// Runs the service extensions of apps, each in a process of its own or behind a URL, and reports what they did.
///
/// It decides nothing: what is delivered follows from the `ExtensionRun`. All of its state belongs to one event loop of the group;
/// every member may be used from any thread and none blocks. `stop()` must be called before it is released. If the gateway dies
/// without that, the processes find the end of their standard input.
package final class ExtensionHost: Sendable {
    private let status: HostStatus
    let loop: any EventLoop
    let core: NIOLoopBoundBox<HostCore>
    private let delegate: any ExtensionHostDelegate

    /// - Parameter loops: One of its loops is used.
    package init(settings: ExtensionSettings, loops: any EventLoopGroup, delegate: any ExtensionHostDelegate) {
        status = HostStatus(settings: settings)
        loop = loops.next()
        self.delegate = delegate
        core = .makeBoxSendingValue(HostCore(loop: loop, status: status, delegate: delegate), eventLoop: loop)
    }

    /// A running process keeps the settings that it was started with.
    package var settings: ExtensionSettings {
        get { status.settings }
        set { status.settings = newValue }
    }

    /// The working folder of an app's extension, where its attachments are.
    package func folder(of app: String) -> String { WorkingFolder(parent: settings.folder, app: app).path }

    /// Hands a request to the extension of its app; after `stop()`, it ends as `.cancelled`.
    ///
    /// If the extension is free, its time starts now, on the gateway's clock.
    package func submit(_ request: ExtensionRequest) {
        let instant = delegate.now()
        loop.execute { [core] in core.value.submit(request, at: instant) }
    }

    /// The next deadline on the gateway's clock that `enforceDeadlines(upTo:)` has not been called for; nil while there is none.
    package var nextDue: Instant? { status.nextDue }

    /// An element whenever `nextDue` may have become earlier. For one reader; it ends with `stop()`.
    package var dueChanges: AsyncStream<Void> { status.dueChanges }

    /// Enforces the deadlines up to `now`, after all earlier calls have taken effect.
    package func enforceDeadlines(upTo now: Instant) {
        // Taken here, so that `nextDue` is later at once; the loop takes those of requests that were just submitted.
        let due = status.takeDue(upTo: now)
        loop.execute { [core] in core.value.enforceDeadlines(of: due, upTo: now) }
    }

    /// Ends the requests for which `condition` holds, waiting or running, as `.cancelled`.
    package func cancel(where condition: @escaping @Sendable (ExtensionRequest) -> Bool) {
        loop.execute { [core] in core.value.cancel(where: condition) }
    }

    /// Ends every request as `.cancelled` and every process, those that work on something at once; returns when none is left.
    package func stop() async {
        let promise = loop.makePromise(of: Void.self)
        loop.execute { [core] in core.value.stop(promise) }
        // It never fails.
        try? await promise.futureResult.get()
        status.stop()
    }
}
