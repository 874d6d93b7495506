internal import APNs
internal import RequestWire

extension ProviderConnection {
    /// Authenticates the provider by its certificate, or else by its token.
    func authenticate(_ request: borrowing RequestBlock, _ admission: inout Admission) throws(APNsRejection) {
        guard asksForCredentials else {
            admission.authentication = number == 0 ? .admin : .off
            return
        }
        if let certificate {
            try certificate.checkTrust()
            try certificate.checkEnvironment(admission.environment)
            admission.authentication = .certificate
            return
        }
        let range = request[.authorization]?.bounds ?? 0..<0
        if let known = memo.verified, request.bytes.span.bytes.extracting(range).equals(memo.authorization) {
            admission.verified = known
            try checkAge(of: known, admission)
            if known.isEnvironmentSpecific { try known.key?.checkEnvironment(admission.environment) }
            if settings.tokenPolicy.updateScope == .key { try checkUse(of: known, admission) }
        } else {
            memo.verified = try admitToken(in: range, of: request, &admission)
            memo.authorization = Array(request.bytes[range])
        }
        admission.authentication = memo.verified?.isRegistered == true ? .verifiedToken : .unknownKey
    }

    private func admitToken(
        in range: Range<Int>, of request: borrowing RequestBlock, _ admission: inout Admission
    ) throws(APNsRejection) -> VerifiedToken {
        let header = request.bytes.span.bytes.extracting(range)
        let token = try ProviderToken.bearer(header)
        let bytes = Array(request.bytes[range.lowerBound + token.lowerBound..<range.upperBound])
        let verified = try gateway.authenticator.verify(bytes, settings: settings, revision: settingsRevision)
        admission.verified = verified
        var binding = binding
        try binding.admit(
            keyID: verified.keyID, teamID: verified.teamID, key: verified.key, policy: settings.tokenPolicy)
        try verified.key?.checkEnvironment(admission.environment)
        try checkAge(of: verified, admission)
        // Replacing a token that a fault expired does not count as a token update.
        if let known = memo.verified, gateway.faults.hasExpired(known) { forgetUpdates() }
        try checkUse(of: verified, admission)
        self.binding = binding
        record(verified, at: admission.now)
        return verified
    }

    /// Rejects a token that is too old, from the future, or expired by a fault rule; after such an expiry, the age of a
    /// newer token counts from then. The diagnosis mentions a gateway clock that does not follow real time.
    private func checkAge(of token: VerifiedToken, _ admission: borrowing Admission) throws(APNsRejection) {
        let renewedAt = try gateway.faults.renewal(of: token)
        do throws(APNsRejection) {
            try settings.tokenPolicy.checkAge(
                issuedAt: renewedAt.map { max($0, token.issuedAt) } ?? token.issuedAt, now: admission.now)
        } catch {
            var rejection = error
            rejection.diagnosis.message += gateway.clockRemark
            throw rejection
        }
    }

    private func checkUse(of token: VerifiedToken, _ admission: borrowing Admission) throws(APNsRejection) {
        let policy = settings.tokenPolicy
        switch policy.updateScope {
        case .connection where isRelated(token):
            try relatedUpdates.use(token.signature, now: admission.now, interval: policy.updateInterval)
        case .connection: try updates.use(token.signature, now: admission.now, interval: policy.updateInterval)
        case .key: try gateway.authenticator.countUpdate(token, now: admission.now, interval: policy.updateInterval)
        }
    }

    /// Whether an admitted token is of the related key: a connection has no other two topic-specific keys.
    private func isRelated(_ token: VerifiedToken) -> Bool {
        guard token.isTopicSpecific, case .bound(let first, _, _?) = binding else { return false }
        return token.keyID != first
    }

    func forgetUpdates() { (updates, relatedUpdates) = (TokenUpdates(), TokenUpdates()) }
}
