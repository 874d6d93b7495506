/// What goes wrong because somebody asked for it.
extension Gateway {
    /// Whether a client that connects now is to be treated badly; nothing is known of it yet.
    package func acceptFault() -> FaultFiring? {
        guard faults.has(.accept) else { return nil }
        return faults.fire(.accept, FaultFacts(), at: now())
    }
}
