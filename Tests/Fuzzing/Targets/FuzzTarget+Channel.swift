import APNs
import DeviceSimulator
import Gateway
import JSON
import RequestWire

extension FuzzTarget {
    /// The body of a new channel; with control bit 0, of a broadcast on an existing channel.
    static let channel = FuzzTarget("channel") { input in
        guard let input = ControlledInput(input) else { return }
        let provider = FuzzGateway(isOpen: true, isStrict: false, hasFaults: false)
        let connection = provider.connect()
        defer { connection.closed() }
        connection.beginTurn()
        var fields = [
            (name: ":method", value: "POST"), (name: ":scheme", value: "https"),
            (name: ":authority", value: "api-manage-broadcast.sandbox.push.apple.com"),
        ]
        if input.has(0) {
            let id = try! provider.gateway.createChannel(for: "com.example.app", in: .sandbox, .mostRecent)
            fields += [
                (":path", "/4/broadcasts/apps/com.example.app"), ("apns-channel-id", id), ("apns-priority", "5"),
                ("apns-expiration", "0"), ("apns-push-type", "liveactivity"),
            ]
        } else {
            fields.append((":path", "/1/apps/com.example.app/channels"))
        }
        let body = Array(input.bytes)
        let answer = connection.answer(to: RequestBlock(fields: fields, body: body))
        let simulator = provider.gateway.simulator
        let ids = simulator.channelIDs(of: "com.example.app", in: .sandbox)
        if input.has(0) {
            precondition(answer.status == (body.isEmpty ? 400 : body.count > 5120 ? 413 : 200))
            precondition(simulator.channelStatus(ids[0])?.channel.published == (answer.status == 200 ? 1 : 0))
        } else {
            precondition(answer.status == 201 || answer.status == 400)
            precondition(ids.count == (answer.status == 201 ? 1 : 0))
            if answer.status == 201 { precondition(JSONValue(body.span.bytes)?["push-type"] != nil) }
        }
    }
}
