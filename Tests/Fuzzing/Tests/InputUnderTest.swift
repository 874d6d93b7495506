import Foundation

/// The current input, printed in hexadecimal when it crashes the process, because a trap cannot be caught.
///
/// One at a time; the suite is serialized.
enum InputUnderTest {
    private static let capacity = 8192
    /// `nonisolated(unsafe)`: written by the one test that runs, read by the handler of a signal that it raised.
    nonisolated(unsafe) private static let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    nonisolated(unsafe) private static var count = 0

    /// Runs a body that may trap.
    static func with(_ input: [UInt8], _ body: (UnsafeRawBufferPointer) -> Void) {
        count = min(input.count, capacity)
        input.withUnsafeBytes { source in
            if let base = source.baseAddress { UnsafeMutableRawPointer(bytes).copyMemory(from: base, byteCount: count) }
            body(source)
        }
        count = 0
    }

    /// From now on a trap prints its input before the process ends.
    static func tellAtTraps() {
        for number in [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE] {
            signal(number) { number in
                InputUnderTest.tell()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    /// Writes without allocating: this runs inside a signal handler.
    private static func tell() {
        guard count > 0 else { return }
        write("\nfuzzing: ended by the input ")
        for index in 0..<count {
            for digit in [bytes[index] >> 4, bytes[index] & 15] {
                var character = digit < 10 ? digit + 0x30 : digit + 0x57
                _ = Foundation.write(2, &character, 1)
            }
        }
        write("\n")
    }

    private static func write(_ text: StaticString) { _ = Foundation.write(2, text.utf8Start, text.utf8CodeUnitCount) }
}
