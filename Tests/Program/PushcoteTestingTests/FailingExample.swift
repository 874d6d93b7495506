import FoundationEssentials
import PushcoteTesting
import Testing

private func ship(order number: Int, to token: String) async throws {
    try await phone.push(topic, order(number))
}

/// The test of docs/testing.md, which fails: `Tests/EndToEnd/test_helpers.py` runs it and compares its output with the page.
@Suite(.pushcote, .enabled(if: ProcessInfo.processInfo.environment["FAILING_EXAMPLE"] != nil)) struct FailingExample {
    @Test func theCustomerHearsOfTheOrder() async throws {
        let token = try await phone.register("com.example.app")
        try await ship(order: 7, to: token)
        try await phone.expect("title=Order 8", "sound", within: .milliseconds(500))
    }
}
