internal import APNs
package import Credentials
package import DeviceSimulator
internal import DurableJournal
package import Gateway
package import HTTP2Engine

/// What the parts of the server take from the configuration.
extension Configuration {
    /// What the gateway needs of this.
    package var gatewaySettings: GatewaySettings {
        var settings = GatewaySettings()
        settings.authenticationMode = auth.mode
        settings.leniency = auth.leniency
        settings.tokenPolicy = auth.policy
        settings.spelling = reasons.spelling
        settings.pushTypeMismatch = reasons.pushTypeMismatch
        settings.refusesBackgroundPriority10 = strict.backgroundPriority
        settings.refusesMalformedPayload = strict.payload
        settings.unknownTokens = tokens.unknown
        settings.oneStreamUntilAccepted = streams.oneUntilAccepted
        settings.oneStreamAfterRejection = streams.oneAfterRejection
        settings.streamLimit = streams.limit
        settings.defaultEnvironment = environment
        return settings
    }

    /// What the HTTP/2 engine needs of this.
    package var http2Settings: HTTP2Settings {
        var settings = http2
        settings.maximumConcurrentStreams = streams.limit
        return settings
    }

    /// Opens the journal and puts the simulator in the state that it leads to.
    ///
    /// - Returns: nil when nothing is kept.
    package func openJournal(_ simulator: DeviceSimulator) throws(StartError) -> JournalKeeper? {
        guard journal == .sqlite else { return nil }
        do throws(JournalProblem) {
            let keeper = JournalKeeper(
                simulator, in: try SQLiteJournal(file: sqlite.file),
                settings: JournalSettings(
                    checkpointInterval: sqlite.checkpointEvery,
                    retention: JournalRetention(count: sqlite.kept, age: Int64(sqlite.keptFor / .milliseconds(1)))),
                now: { SystemClock.now().milliseconds })
            try keeper.open()
            return keeper
        } catch {
            throw StartError("sqlite.file: \(error)")
        }
    }
}
