internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import HTTPTypes
internal import HummingbirdCore
internal import Time

/// Broadcast channels without credentials: the operations of the ports for channel management, and counters that providers
/// cannot read.
extension AdminAPI {
    var channelEndpoints: [Endpoint] {
        [
            Endpoint(
                .get, "/channels", .channels, "Broadcast channels, by app, environment and creation", id: "channels",
                answer: "A page of channels; the last page has no `next`.",
                query: ["app", "environment", "limit", "cursor"]
            ) { request in
                let page = gateway.simulator.channelPage(
                    of: request.query["app"], in: try request.query.value("environment", .word()),
                    after: request.query["cursor"], limit: try request.limit())
                return ChannelsAnswer(
                    channels: page.channels.map { ChannelAnswer(($0, nil)) },
                    next: page.hasMore ? page.channels.last?.channel.key.id : nil, total: page.total)
            },
            Endpoint(
                .post, "/channels", .channels,
                "Create a channel, as a provider does with `POST /1/apps/{bundle id}/channels`", id: "createChannel",
                body: .required("NewChannel"), answer: "The channel.", status: .created
            ) { request in
                let draft = try ChannelDraft(json: try await request.description(isNeeded: true))
                let id = try gateway.createChannel(
                    for: draft.app, in: draft.environment ?? gateway.settings.defaultEnvironment, draft.policy)
                return ChannelAnswer((try status(id), nil))
            },
            Endpoint(
                .get, "/channels/{id}", .channels, "One channel with its counters; can wait for its broadcasts",
                id: "channel",
                about: """
                    With `wait`, waits until the channel has `published` broadcasts and all of them have reached its
                    subscribers. Delivery to a subscriber that is offline counts as done.
                    """,
                answer: "The channel.", errors: [404], query: ["wait", "published"], channel),
            Endpoint(
                .delete, "/channels/{id}", .channels, "Delete a channel; its subscribers get no more broadcasts",
                id: "deleteChannel", answers: [.removed]
            ) { request in
                guard let status = gateway.simulator.channelStatus(try request.parameter("id")) else {
                    return Response(removed: 0)
                }
                return Response(removed: try gateway.deleteChannel(status.channel.key))
            },
            Endpoint(
                .get, "/channels/{id}/subscriptions", .channels,
                "The devices with a subscription, in order of creation", id: "subscriptions",
                answer: "A page of subscriptions; the last page has no `next`.",
                errors: [404], query: ["limit", "cursor"]
            ) { request in
                let (id, limit) = (try status(try request.parameter("id")).channel.key.id, try request.limit())
                let found = gateway.simulator.subscriptions(to: id, after: request.query["cursor"], limit: limit + 1)
                let shown = found.prefix(limit).map {
                    SubscriptionsAnswer.Subscription(device: $0.device, stored: $0.stored)
                }
                let next = found.count > limit ? shown.last?.device : nil
                return SubscriptionsAnswer(subscriptions: shown, next: next)
            },
        ]
    }

    /// With `wait`, waits until the broadcasts have reached the subscribers.
    private func channel(_ request: AdminRequest) async throws -> ChannelAnswer {
        let id = try status(try request.parameter("id")).channel.key.id
        let published = try request.query.integer("published", in: 0...Int.max)
        let longest = try request.query.value("wait", .duration(atMost: AdminRequest.longestWait, "600s"))
        guard let longest else {
            if published != nil { throw AdminError.badRequest("'published' needs 'wait', such as 5s.") }
            return ChannelAnswer((try status(id), nil))
        }
        let outcome = await gateway.simulator.waitForBroadcasts(on: id, published: published ?? 0, timeout: longest)
        return ChannelAnswer((try status(id), outcome))
    }

    private func status(_ id: String) throws(AdminError) -> ChannelStatus {
        try gateway.simulator.channelStatus(id).found(
            or: "There is no channel '\(id.prefix(ChannelRules.maximumIDByteCount))'; create one with POST "
                + "/api/v1/channels, and percent-encode '/' and '+' of its ID in a path.")
    }
}

/// A channel in a request body.
struct ChannelDraft: FieldDescribed, Hashable {
    var app = ""
    /// nil for the gateway's default.
    var environment: APNsEnvironment?
    var messageStoragePolicy = 0

    var policy: StoragePolicy { StoragePolicy(rawValue: messageStoragePolicy) ?? .none }

    static let fields: [Field<ChannelDraft>] = [
        Field("app", \.app, .topic, "The bundle identifier of the app.").required,
        Field("environment", \.environment, .optional(.word()), "The gateway's default when absent."),
        Field(
            "messageStoragePolicy", \.messageStoragePolicy, .integer(in: 0...1),
            "0 stores no message for devices that are offline, 1 the most recent one."),
    ]
}

struct ChannelsAnswer: APIShape {
    var channels: [ChannelAnswer]
    var next: String?
    var total: Int

    static let shape = Shape([
        "next": .filled(),
        "total": "How many channels match.",
    ])
}

struct ChannelAnswer: AnswerTable {
    let source: (status: ChannelStatus, outcome: WaitOutcome?)

    static let rows: [Row<(status: ChannelStatus, outcome: WaitOutcome?)>] = [
        Row("id", \.status.channel.key.id, .filled("The `apns-channel-id`.")),
        Row("app", \.status.channel.key.bundleID, .filled()),
        Row("environment", \.status.channel.key.environment),
        Row("messageStoragePolicy", \.status.channel.policy.rawValue, .with("maximum: 1")),
        Row("createdAt", \.status.channel.createdAt),
        Row("published", \.status.channel.published, "Accepted broadcasts."),
        Row("pending", \.status.pending, "Broadcasts that have not reached every subscriber."),
        Row("delivered", \.status.channel.delivered, "Deliveries to devices."),
        Row("subscribers", \.status.subscribers, "Devices with a subscription."),
        Row("subscriptions", \.status.channel.subscriptions, "Subscriptions since the creation."),
        Row("outcome", \.outcome, "Only with `wait`."),
    ]
}

struct SubscriptionsAnswer: APIShape {
    var subscriptions: [Subscription]
    var next: String?

    static let shape = Shape(["next": .filled()])

    struct Subscription: APIShape {
        var device: String
        var stored: UInt64?

        static let shape = Shape([
            "device": .filled(),
            "stored": .positive("The number of the broadcast that is stored for the device."),
        ])
    }
}
