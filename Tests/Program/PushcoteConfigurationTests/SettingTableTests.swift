import APNs
import DeviceModel
import DeviceSimulator
import Foundation
import Gateway
import HTTP2Engine
import ProviderServer
import PushcoteConfiguration
import TestSupport
import Testing

/// The table contains every setting, and `config.yaml` the whole table.
@Suite struct SettingTableTests {
    /// Paths of all values inside a value of structs.
    static func leaves(of value: Any, at path: String = "") -> [String] {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .struct, !(value is Duration), !mirror.children.isEmpty else { return [path] }
        return mirror.children.flatMap { leaves(of: $0.value, at: path + "." + ($0.label ?? "")) }
    }

    @Test func everyValueHasASetting() {
        let renamed = [
            "gateway.authenticationMode": "auth.mode", "gateway.leniency": "auth.leniency",
            "gateway.tokenPolicy.lifetime": "auth.tokenLifetime", "gateway.tokenPolicy": "auth",
            "gateway.spelling": "reasons.spelling", "gateway.pushTypeMismatch": "reasons.pushTypeMismatch",
            "gateway.refusesBackgroundPriority10": "strict.backgroundPriority",
            "gateway.refusesMalformedPayload": "strict.payload", "gateway.unknownTokens": "tokens.unknown",
            "gateway.answersMagicTokens": "tokens.magic",
            "gateway.oneStreamUntilAccepted": "streams.oneUntilAccepted",
            "gateway.oneStreamAfterRejection": "streams.oneAfterRejection", "gateway.streamLimit": "streams.limit",
            "gateway.defaultEnvironment": "environment", "limits.http2": "limits", "shutdownGrace": "shutdown.grace",
            "requestsKept": "requests.kept", "proxyTargets": "proxy.targets",
            "silencedLintRules": "lint.silenced", "gateway.redactedMembers": "redact.payload",
            "gateway.redactsDeviceTokens": "redact.deviceTokens", "gateway.redactsKeyIDs": "redact.keyIds",
            "relay.allowedTokens": "relay.allow",
            "relay.authorities": "relay.ca", "relay.condition": "relay.where", "relay.keyID": "relay.keyId",
            "relay.teamID": "relay.teamId",
        ]
        let others: Set<String> = [
            "contents.keys", "contents.apps", "contents.appPositions", "contents.devices", "contents.faults",
            "contents.webhooks",
            "http2.maximumConcurrentStreams", "extensions.unreadByteCount", "extensions.centerCallCount",
        ]
        let values = Self.leaves(of: Configuration()).map { String($0.dropFirst()) }.filter { !others.contains($0) }
        let names = values.map { value in
            if let name = renamed[value] { return name }
            let (section, last) = value.lastIndex(of: ".").map { (value[..<$0], value[$0...]) } ?? ("", value[...])
            return (renamed[String(section)] ?? String(section)) + last
        }
        #expect(names.sorted() == Setting.all.map(\.name).sorted())
    }

    @Test func settingsThatNeedARestartExist() {
        for name in Setting.notReloaded {
            #expect(Setting.all.contains { $0.name == name || $0.name.hasPrefix(name + ".") }, "\(name)")
        }
        #expect(Setting.all.filter(\.needsRestart).count < Setting.all.count)
    }

    @Test func variableNamesAreUnique() {
        #expect(Set(Setting.all.map(\.environmentName)).count == Setting.all.count)
        let names = Dictionary(uniqueKeysWithValues: Setting.all.map { ($0.name, $0.environmentName) })
        #expect(names["auth.leniency.es512OverP256"] == "PUSHCOTE_AUTH_LENIENCY_ES512_OVER_P256")
        #expect(names["tls.acceptMissingALPN"] == "PUSHCOTE_TLS_ACCEPT_MISSING_ALPN")
        #expect(names["profile"] == "PUSHCOTE_PROFILE")
    }

    @Test(arguments: [
        ("postgres.lease", "1s", "999ms"), ("postgres.lease", "1h", "3601s"), ("postgres.lease", "1h", "75d"),
        ("http2.maximumHeaderListSize", "65536", "65537"),
    ]) func aSettingAcceptsOnlyWhatTheGatewayHonours(_ name: String, _ accepted: String, _ refused: String) throws {
        _ = try ConfigurationSources(overrides: ["\(name)=\(accepted)"]).load(text: "")
        #expect(throws: (any Error).self) { try ConfigurationSources(overrides: ["\(name)=\(refused)"]).load(text: "") }
    }

    /// Every setting of the gateway, the inboxes and the engine differs from its default.
    @Test func everySettingReachesTheConfiguration() throws {
        let sources = ConfigurationSources(overrides: [
            "auth.mode=off", "auth.leniency.derSignature=false", "auth.leniency.standardBase64=false",
            "auth.leniency.missingAlgorithm=false", "auth.leniency.stringIssuedAt=false",
            "auth.leniency.fractionalIssuedAt=false", "auth.leniency.extraMembers=false",
            "auth.leniency.es512OverP256=true", "auth.tokenLifetime=2h", "auth.futureTolerance=1s",
            "auth.updateInterval=1s", "auth.updateScope=key", "auth.otherTeamReason=TopicDisallowed",
            "reasons.spelling=documented",
            "reasons.pushTypeMismatch=DeviceTokenNotForTopic", "strict.backgroundPriority=true", "strict.payload=true",
            "redact.payload=customer", "redact.deviceTokens=true", "redact.keyIds=true",
            "tokens.unknown=reject", "tokens.magic=true", "streams.oneUntilAccepted=false",
            "streams.oneAfterRejection=true",
            "streams.limit=7",
            "environment=production", "http2.headerTableSize=1", "http2.initialWindowSize=1",
            "http2.maximumFrameSize=16385", "http2.maximumHeaderListSize=256", "http2.keptBodyByteCount=5120",
            "http2.drainedBodyByteCount=5120", "inbox.perDevice=1", "inbox.total=1", "inbox.devices=1",
            "inbox.retention=1h",
            "limits.handshakeTimeout=1s", "limits.prefaceTimeout=1s", "limits.settingsTimeout=1s",
            "limits.frameTimeout=1s", "limits.requestTimeout=1s", "limits.sendTimeout=0s", "limits.idleTimeout=1s",
            "limits.frameBurst=100", "limits.frameRate=1", "limits.headerBlockByteCount=1024", "limits.connections=1",
            "limits.connectionsPerAddress=1",
        ])
        let configuration = try sources.load(text: "").configuration
        var http2 = configuration.http2
        http2.maximumConcurrentStreams = configuration.gateway.streamLimit
        let pairs: [(Any, Any)] = [
            (configuration.gateway, GatewaySettings()), (configuration.gateway.leniency, TokenLeniency()),
            (configuration.gateway.tokenPolicy, TokenPolicy()), (http2, HTTP2Settings()),
            (configuration.inbox, InboxLimits()), (configuration.limits, ConnectionLimits()),
            (configuration.limits.http2, HTTP2Limits()),
        ]
        for (value, original) in pairs {
            for (child, other) in zip(Mirror(reflecting: value).children, Mirror(reflecting: original).children) {
                #expect("\(child.value)" != "\(other.value)", "\(child.label ?? "") is as it was")
            }
        }
    }

    @Test func theShippedFileMatchesTheTable() throws {
        #expect(
            try Golden.difference(between: ConfigurationTemplate.text, and: Golden.root.appending(path: "config.yaml"))
                == nil)
    }

    @Test func theDocumentOfAssumptionsMatchesTheTable() throws {
        #expect(
            try Golden.difference(
                between: AssumptionsPage.text, and: Golden.root.appending(path: "docs/assumptions.md")) == nil)
    }

    /// Every assumption accepts a value other than its default and says how well founded it is.
    @Test func everyAssumptionReachesTheConfiguration() throws {
        let assumptions = Setting.all.filter { $0.name.hasPrefix("assumptions.") }
        #expect(assumptions.count == Mirror(reflecting: Assumptions()).children.count)
        for setting in assumptions {
            #expect(setting.summary.contains(/\. \[(doc|gk|inferred|design)\]$/), "\(setting.name)")
        }
        let others = [
            "focusUsesSenderOnly=true", "focusReplaysAlerts=true", "repeatedCallWindow=1m", "criticalDowngrade=passive",
            "criticalSoundRaises=false", "criticalSoundNeedsDictionary=true", "locksBanners=false",
            "hapticNeedsSound=false",
            "announcesOnlyWhenLocked=false",
            "timeSensitiveReviewInterval=7d", "ephemeralLifetime=1h", "summaryPrecedesFocus=false",
            "summaryFeaturedCount=3", "summaryMediaWeight=0.25", "deliveredListsSilenced=false",
            "deliveredListsDeferred=true", "negativeBadgeKeepsNotifications=true",
            "negativeBadgeInPushClears=true", "duplicateWindow=1h",
            "actionsShown=10", "groupTitle=groupFirst", "textBesideKey=always",
            "lenientIntents=true", "strictDonation=true",
            "unregisteredDelay=1d", "storesOnePerApp=false", "storageTime=1d", "broadcastsReplayOnSubscribe=true",
            "backgroundBudget=2", "complicationBudget=0",
            "endIgnoresTimestamp=false", "maxPastSkew=1m", "tokenAfterEnd=dropped", "updateTokenDelay=1s",
            "formerTokenTime=1d", "p2sTokenSilent=true", "holdUntilRefill=true",
            "consentGate=false", "p2sScope=type", "p2sRotateOnStart=true", "wakeAfterForceQuit=false",
            "startReachesForegroundApp=true",
            "alertWithoutSound=silent", "alertNeedsTitle=false", "activitiesPerApp=4", "activitiesPerDevice=9",
            "enforceActivityBudgets=true", "updateBudget=16", "frequentUpdateBudget=99", "startBudget=3",
            "backgroundTime=20s", "voipReportTime=5s", "voipMaxUnreported=2", "voipReportForgives=true",
            "callRingTime=30s",
            "pttTimeoutLeaves=false", "locationTime=20s", "widgetBudget=70", "mdmWaitsForUnlock=false",
            "localKeeps=lastAdded", "localNeedsPermission=false",
            "localDeliversMissed=false", "localImpossibleDay=skip", "localClockGap=end", "localClockFold=last",
            "localQuarterBlocks=false", "localDwell=1m", "localRegionDistance=50", "localFiresInside=true",
            "calendarGrouping=1s", "unrelatedReservationsWarn=true", "travelSpeed=50", "leaveBuffer=5m", "leaveLead=3h",
            "leaveInterval=1m", "flightArrivesEarly=1h", "mapsLead=1h", "mapsFlightLead=6h", "doNotDisturbLead=5m",
            "doNotDisturbDistance=100",
            "predictionWindow=7d", "predictionBucket=30", "predictionDays=2", "predictionRatio=0.5",
            "predictionTolerance=15", "predictionSpecificity=0.2", "wakingHour=5", "suggestionsOnLockScreen=2",
            "suggestionsInSpotlight=4", "suggestionsInWidget=8", "focusPersonCount=5", "focusPersonWindow=7d",
            "shareSheetHalfLife=3", "shareSheetIncomingWeight=0.5",
        ]
        let sources = ConfigurationSources(
            overrides: others.map { "assumptions.\($0)" } + ["lint.silenced=title.long, badge.misuse"])
        let configuration = try sources.load(text: "").configuration
        let pairs = zip(
            Mirror(reflecting: configuration.assumptions).children, Mirror(reflecting: Assumptions()).children)
        for (child, other) in pairs {
            #expect("\(child.value)" != "\(other.value)", "\(child.label ?? "") is as it was")
        }
        let kept = try JSONDecoder().decode(
            Assumptions.self, from: JSONEncoder().encode(configuration.assumptions))
        #expect(kept == configuration.assumptions, "a journal forgets one")
        #expect(configuration.assumptions.repeatedCallWindow == 60_000)
        #expect(configuration.silencedLintRules == ["title.long", "badge.misuse"])
    }

    @Test(arguments: ["summaryMediaWeight=1.01", "actionsShown=11", "actionsShown=-1", "repeatedCallWindow=180"])
    func anAssumptionHasALimit(_ override: String) {
        #expect(throws: ConfigurationError.self) {
            try ConfigurationSources(overrides: ["assumptions.\(override)"]).load(text: "")
        }
    }

    @Test func theShippedFileHasTheDefaults() throws {
        let text = try String(contentsOf: Golden.root.appending(path: "config.yaml"), encoding: .utf8)
        let asDelivered = try ConfigurationSources().load(text: text)
        #expect(asDelivered.configuration == Configuration())
        #expect(Setting.all.allSatisfy { asDelivered.origin(of: $0.name) == .builtIn })

        // A comment has a space after the "#", a setting has none.
        let uncommented = text.replacing(/(?m)^(\s*)#(\w)/) { "\($0.1)\($0.2)" }
        let written = try ConfigurationSources().load(text: uncommented)
        #expect(written.configuration == Configuration())
        for setting in Setting.all {
            guard case .file = written.origin(of: setting.name) else {
                Issue.record("config.yaml does not list \(setting.name)")
                continue
            }
        }
    }

    @Test func theExamplesInTheShippedFileWork() throws {
        let text = try String(contentsOf: Golden.root.appending(path: "config.yaml"), encoding: .utf8)
        // A comment has one space after the "#", an example none or more.
        let examples = text.replacing(/(?m)^#(-|  )/) { "\($0.1)" }
        let contents = try ConfigurationSources().load(text: examples).configuration.contents
        #expect(contents.keys.map(\.key.keyID) == ["ABC123DEFG"])
        #expect(contents.apps.map(\.displayName) == ["Example"])
        #expect(contents.apps.map(\.categories.first?.actions.first?.textInput?.buttonTitle) == ["Send"])
        #expect(contents.devices.map(\.registrations.count) == [1])
        #expect(contents.faults.map(\.value.name) == ["slow", "goaway-and-linger"])
        #expect(contents.devices.map(\.conditions.focus.activeMode?.id) == ["work"])
        #expect(contents.devices[0].settings["com.example.app"]?.timeSensitive == .disabled)
        #expect(contents.devices[0].settings["com.example.app"]?.scheduledDelivery == .enabled)
    }
}
