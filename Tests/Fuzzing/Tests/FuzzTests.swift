import Foundation
import Fuzzing
import Testing

/// Every entry point, with the corpus and with seeded mutations of it.
///
/// `FUZZ_SEED` and `FUZZ_INPUTS` select the inputs; `make fuzz` runs longer, guided by coverage.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FuzzTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Corpus")
        .standardized
    private static let environment = ProcessInfo.processInfo.environment
    static let seed = environment["FUZZ_SEED"].flatMap { UInt64($0) } ?? 20_261_121
    static let count = environment["FUZZ_INPUTS"].flatMap { Int($0) } ?? 500

    private static func corpus(of target: FuzzTarget) throws -> [[UInt8]] {
        let folder = folder.appending(path: target.name)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        return try names.map { Array(try Data(contentsOf: folder.appending(path: $0))) }
    }

    @Test(arguments: FuzzTarget.all.map(\.name)) func `no input ends the process`(_ name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let corpus = try Self.corpus(of: target)
        #expect(corpus.count >= 3, "a target needs something to begin with")
        print("fuzzing: \(name) with FUZZ_SEED=\(Self.seed)")
        InputUnderTest.tellAtTraps()
        for input in corpus + [[]] { InputUnderTest.with(input, target.run) }
        var mutator = Mutator(seed: Self.seed, corpus: corpus)
        for _ in 0..<Self.count { InputUnderTest.with(mutator.next(), target.run) }
    }
}
