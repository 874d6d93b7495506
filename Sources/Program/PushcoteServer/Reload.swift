internal import APNs
internal import Credentials
internal import DeviceSimulator
internal import ExtensionHost
internal import Gateway
internal import Logging
internal import NIOCore
internal import ProviderServer
internal import PushcoteConfiguration
internal import ServiceLifecycle
internal import TLSEngine
internal import UnixSignals

/// Reloads the configuration on SIGHUP, ignoring an invalid one. Checks daily whether to renew the certificate.
struct Reload: NamedService {
    let server: PushcoteServer
    let listeners: ProviderServer
    let sources: ConfigurationSources
    let logger: Logger
    let loop: any EventLoop

    private enum Cause { case signal, day }

    func run() async throws {
        let (causes, continuation) = AsyncStream.makeStream(of: Cause.self)
        let signals = await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown()
        let days = loop.scheduleRepeatedTask(initialDelay: .hours(24), delay: .hours(24)) { _ in
            continuation.yield(.day)
        }
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                for await _ in signals { continuation.yield(.signal) }
                continuation.finish()
            }
            var current = server.configuration
            for await cause in causes {
                let old = current
                // Files and the lock of their folder may block, which a task's thread must not.
                current = (try? await onOwnThread(stop: {}) { applied(cause, to: old) }) ?? old
            }
        }
        days.cancel()
    }

    private func applied(_ cause: Cause, to old: Configuration) -> Configuration {
        var current = old
        switch cause {
        case .signal: reload(&current)
        case .day: renewCertificate(current)
        }
        return current
    }

    /// Applies what can change while connections are open: rules, assumptions, keys, apps, devices and certificates.
    private func reload(_ current: inout Configuration) {
        do {
            let effective = try sources.load()
            let new = effective.configuration
            for warning in effective.warnings { logger.warning("\(warning)") }
            let identity = try GatewayParts.identity(new, server.parts.store)
            let context = try GatewayParts.context(new, identity, server.parts.store)
            let keys = try GatewayParts.read(new.contents.keys)
            let gateway = server.parts.gateway
            var applied = AppliedFixtures(current.contents)
            applied.apps = gateway.simulator.appliedApps
            // Throws before changing anything; nothing after it throws.
            let skipped = try new.register(in: gateway.simulator, at: gateway.now(), since: applied)
            logger.warn(of: skipped)
            gateway.simulator.storeAppliedFixtures(new.contents, isKept: gateway.keeper != nil)
            removeKeys(of: current, missingIn: new)
            for key in keys { gateway.keys.register(key.key, publicKey: key.publicKey) }
            setFaults(of: new)
            new.setWebhooks(in: gateway, since: current)
            gateway.simulator.assumptions = new.assumptions
            gateway.settings = new.gateway
            var extensions = new.extensions
            // Running extensions work in it.
            extensions.folder = server.configuration.extensions.folder
            gateway.extensionHost?.settings = extensions
            current = new
            use(identity, context)
            logger.notice("Configuration reloaded")
            let names = Setting.all
                .filter { $0.needsRestart && $0.value(in: new) != $0.value(in: server.configuration) }.map(\.name)
            guard !names.isEmpty else { return }
            logger.warning(
                "Changed settings need a restart", metadata: ["settings": "\(names.joined(separator: ", "))"])
        } catch {
            logger.error("Configuration not reloaded; the old one still applies", metadata: ["problem": "\(error)"])
        }
    }

    /// The next reload retries the rules that it ignores.
    private func setFaults(of new: Configuration) {
        do throws(FaultPlan.Refusal) {
            let taken = try new.setFaults(in: server.parts.gateway)
            guard !taken.isEmpty else { return }
            logger.warning(
                "Ignored fault rules of the files: the admin API has set others with the same names",
                metadata: ["faults": "\(taken.joined(separator: ", "))"])
        } catch {
            logger.warning(
                """
                Ignored the fault rules of the files: with those that the admin API has set, there are too many, or their \
                regular expressions have too many steps; remove some
                """,
                metadata: [
                    "limit": "\(FaultPlan.maximumRuleCount)", "steps": "\(FaultPlan.maximumPatternStepCount)",
                ])
        }
    }

    /// Removes keys that the files no longer contain, unless the API replaced them.
    private func removeKeys(of old: Configuration, missingIn new: Configuration) {
        let keys = server.parts.gateway.keys
        let present = Set(new.contents.keys.map(\.key.keyID))
        for key in old.contents.keys.map(\.key) where !present.contains(key.keyID) && keys.key(key.keyID) == key {
            keys.remove(key.keyID)
        }
    }

    private func renewCertificate(_ configuration: Configuration) {
        guard configuration.certificates.chain == nil else { return }
        do {
            let identity = try server.parts.store.serverIdentity()
            guard identity.chain != server.parts.identity.value.chain else { return }
            use(identity, try GatewayParts.context(configuration, identity, server.parts.store))
        } catch {
            logger.error("Cannot renew the certificate; using the old one", metadata: ["problem": "\(error)"])
        }
    }

    private func use(_ identity: ServerIdentity, _ context: TLSContext) {
        for note in identity.notes { logger.notice("\(note)") }
        listeners.replace(tls: context)
        server.parts.identity.replace(by: identity)
    }
}

extension Logger {
    func warn(of skipped: [ConfigurationProblem]) {
        for problem in skipped {
            warning("Ignored a part of a device's description", metadata: ["problem": "\(problem)"])
        }
    }
}
