internal import APNs
internal import DeviceSimulator
internal import Gateway

extension FuzzTarget {
    /// A provider's request, from its header fields to the device.
    ///
    /// The input is text as in HTTP/1.1: lines of `name: value`, an empty line, the body. `@` is the device's token
    /// in `:path`, and a valid provider token in `authorization`. Control bits: 0 requires no credentials, 1 accepts only known
    /// tokens under strict rules, 2 adds fault rules.
    static let admission = FuzzTarget("admission") { input in
        guard let input = ControlledInput(input) else { return }
        let provider = FuzzGateway(isOpen: input.has(0), isStrict: input.has(1), hasFaults: input.has(2))
        let block = provider.request(from: input.bytes)
        let connection = provider.connect()
        let first = connection.answer(block)
        // Again on the same connection, which has a cache, and on another, which has none.
        let second = connection.answer(block)
        let other = provider.connect().answer(block)
        if !input.has(2) {
            precondition(first.status == second.status && first.body == second.body, "the memory changes the answer")
            precondition(first.status == other.status, "another connection changes the answer")
            precondition(
                APNsReason.allCases.contains { $0.status == first.status } || [200, 201].contains(first.status))
        }
        provider.check()
        connection.closed()
    }
}

extension FuzzGateway {
    /// Every request is recorded once, with fields that can be read back.
    fileprivate func check() {
        let records = gateway.requestLog.page(since: 0, limit: 10).items
        precondition(records.count == 3, "a request is missing, or recorded twice")
        for record in records {
            switch record.outcome {
            case .accepted(let push, _, let notification):
                _ = push.request.fields(token: nil)
                precondition(gateway.simulator.notification(notification) != nil, "an accepted push is lost")
            case .refused(let undelivered, _), .served(let undelivered, _), .handledByFault(let undelivered):
                _ = undelivered.request.fields(token: nil)
            case .oversized: preconditionFailure("a request that was read is recorded as one that was not")
            }
            _ = RequestFindings.findings(for: record, on: nil)
        }
    }
}
