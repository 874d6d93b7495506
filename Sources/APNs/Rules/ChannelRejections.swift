public import Wire

/// Rejections of channel requests that depend on state, not on the request's form.
extension APNsRejection {
    public static func unknownPath(_ request: borrowing RequestBlock, _ remedy: String) -> APNsRejection {
        APNsRejection(.badPath, "path.unknown", "The path is \(HeaderRules.quoted(.path, request)); \(remedy).")
    }

    /// The broadcast capability of an app is off.
    public static func broadcastsOff(_ bundleID: String) -> APNsRejection {
        APNsRejection(
            .broadcastFeatureNotEnabled, "app.broadcasts",
            "The app \(bundleID) has isBroadcastEnabled: false; set it to true.")
    }

    public static func tooManyChannels(_ bundleID: String, _ environment: APNsEnvironment) -> APNsRejection {
        APNsRejection(
            .cannotCreateChannelConfiguration, "channel.limit",
            "\(bundleID) has \(ChannelRules.maximumCount) channels in the \(environment.rawValue) environment, the most "
                + "that are allowed; delete some.")
    }

    /// Reading or deleting a channel that does not exist: observed for DELETE, assumed for GET.
    public static var noSuchChannel: APNsRejection {
        APNsRejection(
            .badPath, "channel.unknown",
            "The app has no channel with this apns-channel-id in this environment, or it was deleted. APNs answers "
                + "404 BadPath here.")
    }

    public static var channelDeleted: APNsRejection {
        APNsRejection(.channelNotRegistered, "channel.deleted", "The channel was deleted; create another one.")
    }

    public static func channelUnknown(_ key: ChannelKey, belongsTo owner: ChannelKey?) -> APNsRejection {
        guard let owner else {
            return APNsRejection(
                .badChannelID, "channel.never-existed",
                "No channel '\(key.id)' was ever created here; create it with POST /1/apps/\(key.bundleID)/channels.")
        }
        return APNsRejection(
            .badChannelID, "channel.owner",
            "The channel belongs to \(owner.bundleID) in the \(owner.environment.rawValue) environment, the request is for "
                + "\(key.bundleID) in \(key.environment.rawValue); channels are not shared.")
    }
}
