import Testing

@testable import Gateway

/// How a fleet's devices are assigned to its parts.
@Suite struct FleetTests {
    @Test(arguments: [1, 3, 10, 1000]) func sharesAreExactUpToRounding(_ count: Int) {
        let assignment = Gateway.assignment(of: count, by: [0.1, 0.2, 0.7], seed: 1)
        #expect(assignment.count == count && !assignment.contains(0))
        for (part, share) in [0.1, 0.2, 0.7].enumerated() {
            let found = assignment.count { $0 == part + 1 }
            #expect(abs(Double(found) - share * Double(count)) <= 1)
        }
    }

    @Test func theSeedDecidesTheOrderOnly() {
        let first = Gateway.assignment(of: 100, by: [0.5], seed: 1)
        #expect(first == Gateway.assignment(of: 100, by: [0.5], seed: 1))
        #expect(first != Gateway.assignment(of: 100, by: [0.5], seed: 2))
        #expect(first.prefix(50).contains(0) && first.prefix(50).contains(1))
        #expect(Gateway.assignment(of: 3, by: [], seed: 1) == [0, 0, 0])
        #expect(Gateway.assignment(of: 3, by: [0, 1], seed: 1) == [2, 2, 2])
    }
}
