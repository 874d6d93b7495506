/// Inputs that happened and are not written yet, in the order in which they happened.
struct InputQueue {
    private var inputs: [SimulatorInput] = []
    /// The position of the newest input, written or not.
    private(set) var last: UInt64
    /// The position of the newest input whose outcome may still be open; 0 once the latest inputs are known to be lost.
    private(set) var newest: UInt64
    /// Why nothing is taken at present; nil as a rule.
    var refusal: String?
    /// Something happened meanwhile that is to be undone.
    private(set) var isDirty = false
    /// Whether the state was read anew from the journal before.
    private(set) var wasRefusing = false
    /// Tells whoever writes that there is something to write.
    private let wake: @Sendable () -> Void

    init(after position: UInt64, wake: @escaping @Sendable () -> Void) {
        last = position
        newest = position
        self.wake = wake
    }

    mutating func append(_ input: SimulatorInput) {
        guard refusal == nil else {
            isDirty = true
            return
        }
        last += 1
        newest = last
        inputs.append(input)
        if inputs.count == 1 { wake() }
    }

    /// Takes out everything, oldest first; the last one stands at `last`.
    mutating func take() -> [SimulatorInput] {
        defer { inputs = [] }
        return inputs
    }

    /// The inputs happened in vain, and so does what comes until `refusal` is nil.
    mutating func refuse(_ reason: String) {
        refusal = reason
        isDirty = true
        wasRefusing = true
        inputs = []
    }

    /// From now on the inputs whose commit failed are reported as lost.
    mutating func lossIsKnown() { newest = 0 }

    /// Something that should have happened has not, so that the state is to be read anew before inputs are taken again.
    mutating func becameDirty() { isDirty = true }

    /// The state is that of the journal again.
    mutating func becameClean() { isDirty = false }
}
