public import APNs
public import DeviceModel
public import DeviceSimulator
public import ExtensionHost

/// Service extensions: asked for what devices hand out, and what comes back.
extension Gateway {
    /// Runs the extensions from now on.
    public func employ(_ host: ExtensionHost) { employedHost.withLock { $0 = host } }

    /// Runs the extensions; nil before the gateway serves.
    public var extensionHost: ExtensionHost? { employedHost.withLock { $0 } }

    /// Gives the host everything that devices have to ask their extensions.
    public func askExtensions() {
        guard let host = extensionHost else { return }
        for request in simulator.takeExtensionRequests() { host.submit(request) }
    }

    /// Lets a device deliver what its extension is done with.
    public func finishExtension(_ run: ExtensionRun, of request: ExtensionRequest) {
        simulator.finishExtension(run, of: request, at: now())
    }

    /// When something happens by itself next: on a device, or because an extension's time is up.
    public var nextDue: Instant? {
        [simulator.nextDue, extensionHost?.nextDue].compactMap(\.self).min()
    }
}
