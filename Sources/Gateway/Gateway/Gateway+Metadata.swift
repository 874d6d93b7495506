package import APNs
internal import DeviceSimulator
internal import Fields
internal import JSON
internal import Synchronization
package import TLSEngine
internal import Time
package import Webhooks

/// Persists the clock, and the keys, webhooks and fault rules set through the API, with the devices.
extension Gateway {
    static let clockName = "clock"
    private static let keyPrefix = "key:"
    private static let webhookPrefix = "webhook:"
    private static let faultsName = "faults"
    private static let faultsOfFilesName = "faults.files"

    private struct StoredKey: Codable {
        var key: ProviderKey
        var publicKey: String
    }

    /// Registers a provider key and persists it.
    ///
    /// - Returns: Whether it replaces one.
    @discardableResult
    package func store(_ key: ProviderKey, publicKey: P256PublicKey) -> Bool {
        let isKnown = keys.register(key, publicKey: publicKey)
        let stored = JSONTextEncoder.bytes(StoredKey(key: key, publicKey: publicKey.pem))
        save(String(decoding: stored, as: UTF8.self), for: Self.keyPrefix + key.keyID, replaces: isKnown)
        return isKnown
    }

    /// Removes a provider key. A key from the configuration returns at the next start.
    package func forgetKey(_ keyID: String) -> Bool {
        save(nil, for: Self.keyPrefix + keyID)
        return keys.remove(keyID)
    }

    /// Sets a webhook and persists it.
    ///
    /// - Returns: Whether its name is new.
    package func store(_ webhook: Webhook) throws(WebhookTable.Full) -> Bool {
        let isNew = try webhooks.set(webhook)
        save(webhook.json.text, for: Self.webhookPrefix + webhook.name, replaces: !isNew)
        return isNew
    }

    /// Removes webhooks. One from the configuration returns at the next start.
    package func forgetWebhooks(where matches: (String) -> Bool) -> Int {
        for key in simulator.metadata(withPrefix: Self.webhookPrefix).keys
        where matches(String(key.dropFirst(Self.webhookPrefix.count))) {
            save(nil, for: key)
        }
        return webhooks.remove { matches($0.name) }
    }

    /// Adds fault rules and persists them; of their counts, only when `count` is reached.
    ///
    /// - Returns: The rules with their names.
    @discardableResult
    package func store(
        _ elements: [FaultElement], replacing isReplaced: (FaultRule) -> Bool = { _ in false }
    ) throws(FaultPlan.Refusal) -> [FaultRule] {
        let ofFiles = Set(faults.statuses.map(\.rule.name)).subtracting(storedFaults().map(\.rule.name))
        let rules = try faults.add(elements, replacing: isReplaced, at: now())
        saveFaults(adding: rules.map(\.name), ofFiles: ofFiles)
        return rules
    }

    /// Removes fault rules. One from the configuration stays removed until its definition changes.
    @discardableResult
    package func forgetFaults(where matches: (FaultRule) -> Bool) -> Int {
        defer { saveFaults() }
        return faults.remove(where: matches)
    }

    /// Removes all fault rules. Those from the configuration return with a reload, or at the next start.
    package func resetFaults() {
        faults.reset()
        saveFaults()
    }

    /// Sets the fault rules of the files. Unchanged rules keep their counts, or stay removed; rules set through the API stay.
    ///
    /// - Returns: The names of rules skipped because a rule set through the API has the name.
    package func setFaults(ofFiles rules: [FaultRule]) throws(FaultPlan.Refusal) -> [String] {
        defer { saveFaults() }
        return try faults.update(rules, at: now())
    }

    /// In the plan's order, which decides; rules of files apart.
    ///
    /// - Parameter ofFiles: Names of rules that replace those of files, so a rollback does not remove them.
    func saveFaults(adding names: [String] = [], ofFiles: Set<String> = []) {
        guard keeper != nil else { return }
        let persisted = Set(storedFaults().map(\.rule.name) + names)
        let statuses = faults.statuses.filter { persisted.contains($0.rule.name) }
        saved.withLock { $0.faults = Set(statuses.map(\.rule.name)).subtracting(ofFiles) }
        save(statuses.map { FaultPlan.Stored($0) }, for: Self.faultsName)
        save(faults.storedOfFiles, for: Self.faultsOfFilesName)
    }

    private func save(_ rules: [FaultPlan.Stored], for name: String) {
        save(rules.isEmpty ? nil : JSONValue.array(rules.map(\.json)).text, for: name)
    }

    private func storedFaults(_ name: String = faultsName) -> [FaultPlan.Stored] {
        let text = Array((simulator.metadata(name) ?? "").utf8)
        return (JSONValue(text.span.bytes)?.elements ?? []).compactMap { FaultPlan.Stored($0) }
    }

    /// After a start: the rules of the files are those of the last one until the configuration sets them.
    func resumeFaultsOfFiles() { faults.resume(ofFiles: storedFaults(Self.faultsOfFilesName).map(\.rule)) }

    /// Applies the first rule that fires. One that has fired its `count` stays spent after a restart.
    func fireFault(_ stage: FaultRule.Stage, _ facts: FaultFacts, at now: Instant) -> FaultFiring? {
        guard let firing = faults.fire(stage, facts, at: now) else { return nil }
        if firing.isLast { saveFaults() }
        return firing
    }

    /// - Parameter instant: Where a clock will stop that is on its way there: a restart continues from the end.
    func saveClock(stoppingAt instant: Instant? = nil) {
        guard !isVisiting.load(ordering: .acquiring) else { return }
        save(instant.map { String($0.milliseconds) } ?? clock.text, for: Self.clockName)
    }

    /// - Parameter isInUse: What is in use but not persisted is from the configuration; a rollback does not remove it.
    private func save(_ text: String?, for name: String, replaces isInUse: Bool = false) {
        guard keeper != nil else { return }
        let isOfFile = isInUse && simulator.metadata(name) == nil
        saved.withLock { saved in
            saved.names.remove(name)
            if text != nil, !isOfFile { saved.names.insert(name) }
        }
        simulator.setMetadata(text, for: name)
    }

    /// Also removes what a rollback undid.
    func restoreMetadata() {
        guard keeper != nil else { return }
        let (names, rules) = saved.withLock { ($0.names, $0.faults) }
        let undone = names.filter { simulator.metadata($0) == nil }
        for name in undone where name.hasPrefix(Self.keyPrefix) {
            keys.remove(String(name.dropFirst(Self.keyPrefix.count)))
        }
        webhooks.remove { undone.contains(Self.webhookPrefix + $0.name) }
        faults.restore(storedFaults(), ofFiles: storedFaults(Self.faultsOfFilesName), removing: rules)
        clock.restore(simulator.metadata(Self.clockName))
        for text in simulator.metadata(withPrefix: Self.keyPrefix).values {
            guard let stored = try? JSONTextDecoder.decode(StoredKey.self, from: Array(text.utf8)),
                let publicKey = try? P256PublicKey(pem: stored.publicKey)
            else { continue }
            keys.register(stored.key, publicKey: publicKey)
        }
        for (_, text) in simulator.metadata(withPrefix: Self.webhookPrefix).sorted(by: { $0.key < $1.key }) {
            guard let webhook = try? JSONTextDecoder.decode(Webhook.self, from: Array(text.utf8)) else { continue }
            _ = try? webhooks.set(webhook)
        }
    }
}

extension FaultPlan.Stored {
    fileprivate var json: JSONValue {
        .object([
            "rule": rule.json, "setAt": .integer(Int(setAt.milliseconds)), "isSpent": .bool(isSpent),
            "isRemoved": .bool(isRemoved),
        ])
    }

    fileprivate init?(_ json: JSONValue) {
        guard let member = json["rule"], case .integer(let milliseconds)? = json["setAt"],
            let rule = try? FaultRule.rules(from: member).first
        else { return nil }
        self.init(
            rule: rule, setAt: Instant(milliseconds: Int64(milliseconds)), isSpent: json["isSpent"] == .bool(true),
            isRemoved: json["isRemoved"] == .bool(true))
    }
}
