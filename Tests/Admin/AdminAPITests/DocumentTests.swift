import DeviceSimulator
import Gateway
import JSON
import Queries
import Testing

@testable import AdminAPI

/// The documents that conditions read.
@Suite(.admin) struct DocumentTests {
    /// Names of a push that the details have under another name, or not at all.
    private static let others: Set<String> = ["headers", "payload", QueryPath.anyText]

    @Test func `a condition reads the members that GET answers`() async throws {
        let token = try admin.register()
        let payload = #"{"aps":{"alert":{"title":"Tea","body":"Ready"},"badge":2,"mutable-content":1}}"#
        #expect(admin.push(token, payload) == 200)
        let notification = try #require(admin.gateway.simulator.notification(1))
        let api = makeAdmin(admin.gateway)
        let details = api.detail(notification)
        let document = api.document(notification)
        let names = QueryRoots.notifications.names.filter { !Self.others.contains($0) }
        for name in names { #expect(document(name) == details[name], "\(name)") }
        #expect(names.count { document($0) != nil } > 25)
    }
}
