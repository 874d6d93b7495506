package import APNs

/// A moment at which the schedules want another Focus on than before.
package struct FocusChange: Sendable, Hashable {
    package var at: Instant
    /// The mode they wanted until then; nil for none.
    package var from: String?
    /// The mode they want from then on; nil for none.
    package var to: String?
    /// Whether `to` starts at this instant, rather than coming to light because another one ends.
    package var isStart: Bool

    /// Makes a change.
    package init(at: Instant, from: String?, to: String?, isStart: Bool) {
        self.at = at
        self.from = from
        self.to = to
        self.isStart = isStart
    }

    /// The mode that is on afterwards.
    ///
    /// Assumption: a start takes over whatever is on; an end switches off its own mode only. So a mode that the
    /// person switched on stays when another one's time is over, and one switched off stays off until its next start.
    ///
    /// - Parameter active: the mode that is on before; nil for none.
    package func active(following active: String?) -> String? { isStart || active == from ? to : active }
}
