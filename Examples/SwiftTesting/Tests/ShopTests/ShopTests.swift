import PushcoteTesting
import Shop
import Testing

@Suite(.pushcote) struct ShopTests {
    @Test func theCustomerHearsOfTheOrder() async throws {
        let token = try await phone.register("com.example.app")
        #expect(try await ship(order: 7, to: token) == 200)
        let order = try await phone.expect("title=Order 7", "sound", within: .seconds(5))
        #expect(order.matched.count == 1)
        try await phone.expect("event=sound", of: .events)
    }

    @Test func theCustomerWhoIsOfflineHearsLater() async throws {
        try await phone.patch(["isOnline": false])
        let token = try await phone.register("com.example.app")
        #expect(try await ship(order: 8, to: token) == 200)
        try await phone.expect("state=stored", within: .seconds(5))
        try await phone.patch(["isOnline": true])
        try await phone.expect("title=Order 8", "state=delivered", within: .seconds(5))
    }

    @Test func anOutageIsNoticed() async throws {
        let token = try await phone.register("com.example.app")
        let rule: Pushcote.JSON = [
            "name": "outage", "match": ["device": .init(try phone.name)],
            "effect": ["answer": ["status": 503, "reason": "Shutdown"]],
        ]
        let status = try await Pushcote.current.fault(rule) { try await ship(order: 9, to: token) }
        #expect(status == 503)
        try await phone.expect("title=Order 9", count: .never)
    }

    private func ship(order: Int, to token: String) async throws -> Int {
        let gateway = try Pushcote.current
        let shop = Shop(
            apns: gateway.provider, providerToken: gateway.providerToken(),
            authorityFile: gateway.authorityFile)
        return try await shop.ship(order: order, to: token)
    }
}
