internal import APNs
internal import DeviceSimulator

extension ProviderConnection {
    /// Accepts a request with the very header block of an accepted one: nothing is judged again but what may have changed since.
    ///
    /// - Returns: `nil` when anything might speak against it; then all of it must be judged.
    func acceptAgain(
        _ known: AcceptedHeaders, _ body: [UInt8], _ bodyByteCount: Int, at now: Instant
    ) -> Answer? {
        guard known.payloadByteCounts.contains(bodyByteCount), isStillGood(known, at: now),
            !settings.refusesMalformedPayload, !gateway.faults.has(.request)
        else { return nil }
        do throws(JournalRefusal) {
            let uniqueID = identifiers.next()
            let push = Push(
                request: PackedRequest(packing: body, same: known.packed),
                apnsID: known.messageID ?? identifiers.next(), uniqueID: uniqueID, environment: known.environment,
                pushType: known.pushType, priority: known.priority, expiration: known.expiration, receivedAt: now,
                connection: number)
            let digest = memo.digest(of: push.request)
            guard let receipt = try gateway.simulator.accept(push, ifActive: known.registration, digest) else {
                return nil
            }
            let pending = record(push, receipt, for: known.registration, known.authentication)
            return accepted(push, echo: known.echo, pending)
        } catch {
            return nil
        }
    }

    /// Whether the credentials are what the connection used last, and not out of date.
    private func isStillGood(_ known: AcceptedHeaders, at now: Instant) -> Bool {
        guard memo.verified === known.verified, settings.tokenPolicy.updateScope == .connection else { return false }
        guard let verified = known.verified, known.foundGoodAt != now else { return true }
        do throws(APNsRejection) {
            try settings.tokenPolicy.checkAge(issuedAt: verified.issuedAt, now: now)
            known.foundGoodAt = now
            return true
        } catch {
            return false
        }
    }
}
