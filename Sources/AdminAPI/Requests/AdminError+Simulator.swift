internal import DeviceSimulator

extension AdminError {
    /// Why the simulator refuses: 404 for what there is not, 409 for what cannot be now, 400 for what can never be.
    init(_ error: SimulatorError) {
        let message = Self.sentence(error.message)
        self =
            switch error {
            case .noSuchDevice: .notFound(message)
            case .tooManyDevices, .tokenTaken, .noSuchNotification, .notListed, .noPrompt, .summaryOff, .noSuggestion,
                .poweredOff:
                .conflict(message)
            case .notKept: .notKept(message)
            case .unknownFocus, .unknownAction, .textMismatch, .negativeBadge, .wrongChoice, .twoTokens:
                .badRequest(message)
            }
    }

    /// A message as a sentence, without double quotes, which would have to be escaped in JSON.
    static func sentence(_ message: String) -> String {
        let text = String(message.map { $0 == "\"" ? "'" : $0 })
        return text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix("?") ? "" : ".")
    }
}

/// Runs something that the simulator may refuse.
@discardableResult
func simulated<Result>(_ body: () throws(SimulatorError) -> Result) throws(AdminError) -> Result {
    do throws(SimulatorError) {
        return try body()
    } catch {
        throw AdminError(error)
    }
}
