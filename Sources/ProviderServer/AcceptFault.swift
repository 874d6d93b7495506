/// What becomes of a client that has just connected, when it is not served as usual.
package struct AcceptFault: Sendable, Hashable {
    /// The name of the rule that asks for it.
    package var rule: String
    /// How long nothing is read from it.
    package var delay: Duration
    /// What happens then; `nil` serves it.
    package var refusal: Refusal?

    /// How a client is turned away.
    package enum Refusal: Sendable, Hashable {
        /// Without a word.
        case end(ConnectionEnd)
        /// By TLS: its first bytes are answered with an alert.
        case alert
    }

    package init(rule: String, delay: Duration, refusal: Refusal?) {
        self.rule = rule
        self.delay = delay
        self.refusal = refusal
    }
}
