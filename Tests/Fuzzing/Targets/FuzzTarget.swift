/// An entry point for untrusted input, and its invariants.
///
/// Runs over mutations of the corpus in `make test`, and by libFuzzer in `make fuzz`. A violation traps.
package struct FuzzTarget: Sendable {
    /// Its folder in `Corpus`.
    package let name: String
    private let body: @Sendable (UnsafeRawBufferPointer) -> Void

    init(_ name: String, _ body: @escaping @Sendable (UnsafeRawBufferPointer) -> Void) {
        self.name = name
        self.body = body
    }

    /// Processes one input; traps on a violation.
    package func run(_ input: UnsafeRawBufferPointer) { body(input) }

    /// Every target. A new one is a file beside this one, and a folder in `Corpus` with at least one input.
    package static let all: [FuzzTarget] = [
        .http2, .headers, .connection, .admission, .payload, .fields, .token, .configuration, .serviceExtension,
        .stream, .channel, .query, .markup, .recording, .relay,
    ]
}

/// The control byte, which selects a variant, and the rest of the input.
struct ControlledInput {
    let control: UInt8
    let bytes: UnsafeRawBufferPointer

    init?(_ input: UnsafeRawBufferPointer) {
        guard let control = input.first else { return nil }
        self.control = control
        bytes = UnsafeRawBufferPointer(rebasing: input.dropFirst())
    }

    func has(_ bit: Int) -> Bool { control & 1 << bit != 0 }

    /// The input as a socket might deliver it: at once, or in pieces of 1 to 15 bytes.
    ///
    /// The control byte's upper half is the size; 0 means at once.
    func inPieces(_ body: (UnsafeRawBufferPointer) -> Bool) {
        let size = control >> 4 == 0 ? max(1, bytes.count) : Int(control >> 4)
        var rest = bytes[...]
        while !rest.isEmpty {
            guard body(UnsafeRawBufferPointer(rebasing: rest.prefix(size))) else { return }
            rest = rest.dropFirst(size)
        }
    }
}
