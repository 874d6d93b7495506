import APNs
import DeviceModel
import DeviceSimulator
import TLSEngine

@testable import Gateway

/// A gateway with a channel of each policy, and one in production.
struct ChannelFixture {
    let base: GatewayFixture
    let plain: String
    let storing: String
    let inProduction: String

    init() {
        base = GatewayFixture()
        let gateway = base.gateway
        plain = try! gateway.createChannel(for: GatewayFixture.topic, in: .sandbox, .none)
        storing = try! gateway.createChannel(for: GatewayFixture.topic, in: .sandbox, .mostRecent)
        inProduction = try! gateway.createChannel(for: GatewayFixture.topic, in: .production, .none)
    }

    /// A valid request, to be edited.
    func request(_ action: ChannelAction) -> RequestFixture {
        let app = GatewayFixture.topic
        let path =
            switch action {
            case .broadcast: "/4/broadcasts/apps/\(app)"
            case .create, .read, .delete: "/1/apps/\(app)/channels"
            case .list: "/1/apps/\(app)/all-channels"
            }
        var request = RequestFixture(path: path, jwt: base.lastToken)
        request["apns-topic"] = nil
        request["apns-push-type"] = nil
        request.body = []
        if action == .read || action == .list { request[":method"] = "GET" }
        if action == .delete { request[":method"] = "DELETE" }
        if action != .create, action != .list { request["apns-channel-id"] = plain }
        if action == .create { request.body = #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#.bytes }
        guard action == .broadcast else { return request }
        request["apns-push-type"] = "liveactivity"
        request["apns-expiration"] = "0"
        request["apns-priority"] = "10"
        request.body = #"{"aps":{"event":"update","timestamp":1767571200,"content-state":{}}}"#.bytes
        return request
    }

    func deleteChannel() {
        _ = try! base.gateway.deleteChannel(
            ChannelKey(bundleID: GatewayFixture.topic, environment: .sandbox, id: plain))
    }

    func switchBroadcastsOff() {
        var app = App(bundleID: GatewayFixture.topic)
        app.isBroadcastEnabled = false
        base.gateway.simulator.put(app)
    }

    func limitKey() {
        base.gateway.keys.register(
            ProviderKey(
                keyID: GatewayFixture.keyID, teamID: GatewayFixture.teamID, scope: .topics(["com.example.other"])),
            publicKey: base.privateKey.publicKey)
    }

    /// Creates channels in the sandbox up to the limit.
    func fill(but free: Int = 0) {
        for number in 0..<(ChannelRules.maximumCount - 2 - free) {
            let key = ChannelKey(bundleID: GatewayFixture.topic, environment: .sandbox, id: "number-\(number)")
            _ = try! base.gateway.simulator.createChannel(key, policy: .none, at: .start)
        }
    }
}

extension RequestFixture {
    func edited(_ edit: (inout RequestFixture) -> Void) -> RequestFixture {
        var copy = self
        edit(&copy)
        return copy
    }
}
