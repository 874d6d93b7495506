// libFuzzer's main is not used: this one chooses the target by FUZZ_TARGET.
import Foundation
import Fuzzing

typealias Callback = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt

@_silgen_name("LLVMFuzzerRunDriver")
func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: Callback
) -> CInt

let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
    exit(name.isEmpty ? 0 : 2)
}
/// Set before libFuzzer begins, read by its callback on the same thread.
nonisolated(unsafe) var chosen: FuzzTarget = target

var count = CommandLine.argc
var arguments = CommandLine.unsafeArgv
exit(
    runDriver(&count, &arguments) { bytes, count in
        chosen.run(UnsafeRawBufferPointer(start: bytes, count: count))
        return 0
    })
