internal import DeviceSimulator
internal import ExtensionHost
internal import Gateway
internal import HTTP2Server
internal import Logging
internal import ServiceLifecycle
internal import UnixSignals

/// Reads the configuration again on SIGHUP; a bad one changes nothing.
struct Reload: NamedService {
    let server: PushcoteServer
    let listeners: HTTP2Server
    let sources: ConfigurationSources
    let logger: Logger

    func run() async throws {
        var current = server.configuration
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() { reload(&current) }
    }

    /// Takes over what can change while connections are open: rules, assumptions, keys, apps, devices and certificates.
    ///
    /// - Parameter current: The configuration in force; becomes the new one.
    private func reload(_ current: inout Configuration) {
        do {
            let new = try sources.load().configuration
            let identity = try GatewayParts.identity(new, server.parts.store)
            let context = try GatewayParts.context(new, identity, server.parts.store)
            try GatewayParts.register(new.contents.keys, in: server.parts.gateway)
            let gateway = server.parts.gateway
            try new.register(in: gateway.simulator, at: gateway.now(), since: FixtureNote(current.contents))
            if gateway.keeper != nil { gateway.simulator.noteFixtures(new.contents) }
            new.setFaults(in: gateway, since: current)
            gateway.simulator.assumptions = new.assumptions
            gateway.settings = new.gatewaySettings
            gateway.extensionHost?.settings = new.extensions
            current = new
            listeners.replace(tls: context)
            logger.notice("Configuration read again; it holds from now on")
            warn(of: restartNeeds(new))
        } catch {
            logger.error("The new configuration is refused; the old one stays", metadata: ["problem": "\(error)"])
        }
    }

    /// Settings that differ and need a restart.
    private func restartNeeds(_ new: Configuration) -> [String] {
        let old = server.configuration
        var names: [String] = []
        if new.listen != old.listen { names.append("listen") }
        if new.http2 != old.http2 { names.append("http2") }
        if new.inbox != old.inbox { names.append("inbox") }
        if new.requests != old.requests { names.append("requests") }
        if new.journal != old.journal || new.sqlite != old.sqlite { names.append("journal") }
        if new.admin != old.admin { names.append("admin") }
        if new.lint != old.lint { names.append("lint") }
        if new.seed != old.seed { names.append("seed") }
        if new.certificates.folder != old.certificates.folder { names.append("certificates.folder") }
        return names
    }

    private func warn(of names: [String]) {
        guard !names.isEmpty else { return }
        logger.warning(
            "Some settings changed that need a restart", metadata: ["settings": "\(names.joined(separator: ", "))"])
    }
}
