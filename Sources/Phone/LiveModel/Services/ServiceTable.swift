package import APNs
package import DeviceModel
internal import Fields
package import JSON
internal import RequestWire
package import Time

/// A device's state for pushes that are neither alerts nor Live Activities.
package struct ServiceTable: Equatable, Codable, Sendable {
    /// By bundle identifier; only apps whose state differs from that on a new device.
    var apps: [String: AppServices] = [:]
    /// In the order of their notifications; removed with the notification.
    private var results: [ServiceResult] = []
    /// Handlers that have not returned and calls that ring, oldest first.
    var deadlines: [ServiceDeadline] = []

    /// True when tokens are to be exchanged at the next start: apps or iOS changed while the device was off.
    package private(set) var missesExchange: Bool?

    /// Bounds the memory of a device.
    private static let maximumAppCount = 200
    /// Bounds memory; above it, the oldest deadline ends at once.
    static let maximumDeadlineCount = 1000

    /// nil if the app declares nothing for the push's type; then the push has only its event.
    package func result(of notification: UInt64) -> ServiceResult? {
        let index = index(of: notification)
        return index < results.count && results[index].notification == notification ? results[index] : nil
    }

    package internal(set) subscript(_ bundleID: String) -> AppServices {
        get { apps[bundleID] ?? AppServices() }
        set { apps[bundleID] = newValue == AppServices() ? nil : newValue }
    }

    mutating func add(_ result: ServiceResult) {
        forget(result.notification)
        results.insert(result, at: index(of: result.notification))
    }

    /// Called when the notification is evicted or deleted.
    package mutating func forget(_ notification: UInt64) {
        if result(of: notification) != nil { results.remove(at: index(of: notification)) }
    }

    /// The index of the notification's result, or where to insert it.
    private func index(of notification: UInt64) -> Int {
        results.indices.partitionPoint { results[$0].notification < notification }
    }

    package func due(after now: Instant) -> Instant? { deadlines.lazy.map(\.at).filter { $0 > now }.min() }

    package mutating func advance(_ context: DeviceContext, _ effects: inout DeviceEffects) {
        let due = deadlines.filter { $0.at <= context.now }
        guard !due.isEmpty else { return }
        deadlines.removeAll { $0.at <= context.now }
        for deadline in due.sorted(by: { $0.at < $1.at }) { end(deadline, context, &effects) }
    }

    mutating func setBack(_ clock: ClockReturn) {
        for index in deadlines.indices { clock.move(&deadlines[index].at) }
        for bundleID in apps.keys {
            clock.moveOrigins(&self[bundleID].voip.calls)
            self[bundleID].widgetReloads = self[bundleID].widgetReloads.mapValues {
                ReloadWindow(since: clock.movedOrigin($0.since), count: $0.count)
            }
        }
    }

    /// Without history: what a reset that keeps devices retains.
    var settings: ServiceTable {
        var table = ServiceTable()
        table.missesExchange = missesExchange
        for (bundleID, app) in apps {
            table[bundleID].settings = app.settings
            (table[bundleID].settings.call, table[bundleID].settings.speaker) = (.none, nil)
            table[bundleID].replies = app.replies
        }
        return table
    }

    package mutating func take(_ token: DeviceToken, for use: TokenUse) -> JSONObject {
        switch use.kind {
        case .controls: ["control": use.subject.map { .string($0) }]
        case .pushtotalk: ["channel": self[use.bundleID].settings.channel.map { .string($0) }]
        case .app, .complication, .fileprovider, .liveactivity, .location, .mdm, .pushtostart, .voip, .widgets: [:]
        }
    }
}

/// An app's state on a device for its pushes.
package struct AppServices: Equatable, Codable, Sendable {
    package var settings = ServiceSettings()
    package var replies = ServiceReplies()
    package var voip = VoIPState()
    /// The reloads by push in the current window, by widget identifier.
    var widgetReloads: [String: ReloadWindow] = [:]

    /// Whether the state affects pushes of this type.
    func concern(_ type: PushType) -> Bool {
        switch type {
        case .background: replies.background != nil
        case .voip: replies.voip != nil || voip != VoIPState() || settings.call != .none
        case .pushtotalk: replies.pushtotalk != nil || settings.channel != nil || settings.isHalfDuplex
        case .location: replies.location != nil || settings.locationAuthorization != .always
        case .fileprovider: replies.fileprovider != nil || settings.fileProviderDomains != nil || settings.isReplicated
        case .mdm: replies.mdm != nil || settings.isEnrolled != nil || settings.pushMagic != nil
        case .widgets: !settings.widgets.isEmpty
        case .controls: !settings.controls.isEmpty
        case .complication: !settings.hasComplication
        case .alert, .liveactivity: false
        }
    }
}

package struct VoIPState: Equatable, Codable, Sendable {
    /// The number of pushes after which the app reported no call.
    package var unreported = 0
    package var isWithheld = false
    var calls: RecentCalls?
}

/// 24 hours, from the first reload.
struct ReloadWindow: Equatable, Codable, Sendable {
    var since: Instant
    var count = 0

    /// False when the budget is used up.
    mutating func take(of budget: Int, at now: Instant) -> Bool {
        if !(0..<Int64.day ~= now.milliseconds(since: since)) { self = ReloadWindow(since: now) }
        guard count < budget else { return false }
        count += 1
        return true
    }
}

/// The outcome of a push. Its trace is recomputed from the facts.
package struct ServiceResult: Equatable, Codable, Sendable {
    package var notification: UInt64
    package var facts: FactSet<ServiceFact>
    package var verdict: ServiceVerdict
    /// Appended to the sentence, such as the number of widgets; may be empty.
    package var detail = ""

    /// The outcome as a sentence.
    package var sentence: String {
        let text = "\(verdict)"
        return text.prefix(1).uppercased() + text.dropFirst() + (detail.isEmpty ? "" : ": \(detail)") + "."
    }
}

/// When the system kills a handler that has not returned, or an unanswered call ends.
struct ServiceDeadline: Equatable, Codable, Sendable {
    var at: Instant
    var outcome: ServiceOutcome
    var bundleID: String
    /// nil for a call that no push announced.
    var notification: UInt64?
}

/// A change to an app's state on a device for its pushes.
package enum ServiceInput: Hashable, Codable, Sendable {
    case settings(ServiceSettings, app: String, environment: APNsEnvironment)
    case replies(ServiceReplies, app: String)
}

extension ServiceTable {
    /// A new version of iOS has other tokens. A device that is off gets them at the next start.
    ///
    /// - Parameter environment: In which an app gets tokens.
    package mutating func adapt(
        from old: DeviceConditions, environment: (String) -> APNsEnvironment, _ context: DeviceContext,
        _ effects: inout DeviceEffects
    ) {
        guard context.device.isPoweredOn else { return missesExchange = true }
        let old = missesExchange == true ? nil : old
        missesExchange = nil
        for (bundleID, services) in apps.sorted(by: { $0.key < $1.key }) {
            let app = context.app(bundleID)
            exchangeTokens(
                TokenSubjects(services.settings, app, context.device), TokenSubjects(services.settings, app, old),
                of: bundleID, environment(bundleID), context, &effects)
        }
    }

    /// A new version of an app has other push handlers.
    package mutating func exchangeTokens(
        of bundleID: String, _ environment: APNsEnvironment, _ context: DeviceContext, _ effects: inout DeviceEffects
    ) {
        guard context.device.isPoweredOn else { return missesExchange = true }
        let subjects = TokenSubjects(self[bundleID].settings, context.app(bundleID), context.device)
        exchangeTokens(subjects, subjects, of: bundleID, environment, context, &effects)
    }

    package mutating func reduce(
        _ input: ServiceInput, _ context: DeviceContext, _ effects: inout DeviceEffects
    ) throws(DeviceError) {
        switch input {
        case .replies(let replies, let bundleID):
            try makeRoom(for: bundleID)
            let changed = replies.differences(from: self[bundleID].replies)
            self[bundleID].replies = replies
            if !changed.isEmpty {
                effects.emit(.settingsChanged, app: bundleID, ["replies": .strings(changed)])
            }
        case .settings(var settings, let bundleID, let environment):
            let former = self[bundleID].settings
            let app = context.app(bundleID)
            try makeRoom(for: bundleID)
            try check(settings, after: former, app, context)
            // A new channel has no speaker yet, and without a channel there is none.
            if settings.channel != former.channel { settings.speaker = nil }
            self[bundleID].settings = settings
            let changed = settings.differences(from: former)
            if !changed.isEmpty {
                effects.emit(.settingsChanged, app: bundleID, ["services": .strings(changed)])
            }
            if settings.call != .ringing {
                stopRinging(bundleID)
            } else if former.call != .ringing {
                ring(bundleID, of: nil, context, &effects)
            }
            exchangeTokens(
                TokenSubjects(settings, app, context.device), TokenSubjects(former, app, context.device), of: bundleID,
                environment, context, &effects)
        }
    }

    private func makeRoom(for bundleID: String) throws(DeviceError) {
        guard apps[bundleID] == nil, apps.count >= Self.maximumAppCount else { return }
        throw DeviceError(.conflict, "the device has services of \(Self.maximumAppCount) apps; uninstall one first")
    }

    private func check(
        _ settings: ServiceSettings, after former: ServiceSettings, _ app: App, _ context: DeviceContext
    ) throws(DeviceError) {
        try check(settings.widgets, besides: former.widgets, among: app.widgets, "widget")
        try check(settings.controls, besides: former.controls, among: app.controls, "control")
        guard let channel = settings.channel, channel != former.channel else { return }
        guard app.ptt != false else {
            throw DeviceError(.conflict, "the app does not use Push to Talk; set its ptt to true first")
        }
        guard context.has(.pushToTalk) else {
            throw DeviceError(
                .conflict,
                "Push to Talk needs iOS \(LiveFeature.pushToTalk.since), and the device has iOS "
                    + "\(context.device.osVersion); change its osVersion")
        }
        guard context.isForeground(app.bundleID) else {
            throw DeviceError(
                .conflict, "an app joins a channel only in the foreground; open \(app.bundleID) on the device first")
        }
        let others = apps.filter { $0.key != app.bundleID && $0.value.settings.channel != nil }
        if let other = others.keys.min() {
            throw DeviceError(.conflict, "a device has one active channel, and \(other) has joined one; leave it first")
        }
    }

    private func check(
        _ placed: [PlacedSurface], besides former: [PlacedSurface],
        among declared: [PushSurface]?, _ word: String
    ) throws(DeviceError) {
        guard let kinds = declared?.map(\.kind) else { return }
        for item in placed where !kinds.contains(item.kind) && !former.contains(where: { $0.id == item.id }) {
            let known = kinds.isEmpty ? "it declares none" : "it declares \(kinds.joined(separator: ", "))"
            throw DeviceError(.invalid, "the app has no \(word) of kind \"\(item.kind)\"; \(known)")
        }
    }

    // MARK: Tokens

    /// Issues and retires the tokens of placed widgets and controls, joined channels and enrolments. The app may have
    /// changed since the last exchange, so whether it has a token is not computed from its former settings.
    private func exchangeTokens(
        _ new: TokenSubjects, _ old: TokenSubjects, of bundleID: String, _ environment: APNsEnvironment,
        _ context: DeviceContext, _ effects: inout DeviceEffects
    ) {
        func exchange(_ kind: TokenKind, _ subject: String? = nil, mayHave: Bool, has: Bool, isNew: Bool = false) {
            let use = TokenUse(kind, bundleID: bundleID, environment: environment, subject: subject)
            if has { effects.requests.append(isNew ? .issue(use) : .ensure(use)) }
            if mayHave, !has { effects.requests.append(.retire(use, .unregistered(since: context.now))) }
        }
        exchange(.pushtotalk, mayHave: old.channel != nil, has: new.channel != nil, isNew: old.channel != new.channel)
        exchange(.mdm, mayHave: old.isEnrolled, has: new.isEnrolled)
        exchange(.widgets, mayHave: old.placesWidgets, has: new.hasWidgets)
        for control in old.placedControls.union(new.placedControls).sorted() {
            exchange(
                .controls, control, mayHave: old.placedControls.contains(control),
                has: new.controls.contains(control))
        }
    }
}

/// What an app has tokens for.
private struct TokenSubjects {
    let channel: String?
    let isEnrolled: Bool
    let placesWidgets: Bool
    let hasWidgets: Bool
    let controls: Set<String>
    let placedControls: Set<String>

    /// - Parameter device: nil for any version of iOS.
    init(_ settings: ServiceSettings, _ app: App, _ device: DeviceConditions?) {
        func has(_ feature: LiveFeature) -> Bool { device?.has(feature) ?? true }
        channel = has(.pushToTalk) ? settings.channel : nil
        isEnrolled = settings.isEnrolled == true
        placesWidgets = has(.widgetPushes) && !settings.widgets.isEmpty
        hasWidgets = placesWidgets && !settings.pushWidgets(of: app).isEmpty
        controls = has(.controls) ? Set(settings.pushControls(of: app)) : []
        placedControls = has(.controls) ? Set(settings.controls.map(\.id)) : []
    }
}

extension ServiceSettings {
    /// The identifiers of the placed widgets with a push handler.
    func pushWidgets(of app: App) -> [String] {
        widgets.filter { app.takesPush($0.kind, among: app.widgets) }.map(\.id)
    }

    func pushControls(of app: App) -> [String] {
        controls.filter { app.takesPush($0.kind, among: app.controls) }.map(\.id)
    }
}
