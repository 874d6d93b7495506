internal import ExtensionWire
public import Foundation

public enum INMediaItemType: Int, Sendable, CaseIterable {
    case unknown, song, album, artist, genre, playlist, podcastShow, podcastEpisode, podcastPlaylist, musicStation
    case audioBook, movie, tvShow, tvShowEpisode, musicVideo, podcastStation, radioStation, station, music
    case algorithmicRadioStation, news
}

open class INMediaItem: NSObject {
    public let identifier: String?
    public let title: String?
    public let type: INMediaItemType
    public let artwork: INImage?
    public let artist: String?

    public init(identifier: String?, title: String?, type: INMediaItemType, artwork: INImage?, artist: String? = nil) {
        (self.identifier, self.title, self.type, self.artwork, self.artist) = (identifier, title, type, artwork, artist)
    }

    var json: WireValue {
        .object([
            "identifier": WireValue(identifier), "title": WireValue(title), "type": .string("\(type)"),
            "artwork": artwork?.json ?? .null, "artist": WireValue(artist),
        ])
    }
}

public enum INPlaybackRepeatMode: Int, Sendable, CaseIterable {
    case unknown, none, all, one
}

public enum INPlaybackQueueLocation: Int, Sendable, CaseIterable {
    case unknown, now, next, later
}

open class INMediaSearch: NSObject {
    public let mediaType: INMediaItemType
    public let mediaName: String?
    public let artistName: String?

    public init(mediaType: INMediaItemType, mediaName: String?, artistName: String?) {
        (self.mediaType, self.mediaName, self.artistName) = (mediaType, mediaName, artistName)
    }

    var json: WireValue {
        .object([
            "mediaType": .string("\(mediaType)"), "mediaName": WireValue(mediaName),
            "artistName": WireValue(artistName),
        ])
    }
}

open class INPlayMediaIntent: INIntent {
    public let mediaItems: [INMediaItem]?
    public let mediaContainer: INMediaItem?
    public let playShuffled: Bool?
    public let playbackRepeatMode: INPlaybackRepeatMode
    public let resumePlayback: Bool?
    public let playbackQueueLocation: INPlaybackQueueLocation
    public let playbackSpeed: Double?
    public let mediaSearch: INMediaSearch?

    public init(
        mediaItems: [INMediaItem]? = nil, mediaContainer: INMediaItem? = nil, playShuffled: Bool? = nil,
        playbackRepeatMode: INPlaybackRepeatMode = .unknown, resumePlayback: Bool? = nil,
        playbackQueueLocation: INPlaybackQueueLocation = .unknown, playbackSpeed: Double? = nil,
        mediaSearch: INMediaSearch? = nil
    ) {
        (self.mediaItems, self.mediaContainer, self.playShuffled) = (mediaItems, mediaContainer, playShuffled)
        (self.playbackRepeatMode, self.resumePlayback) = (playbackRepeatMode, resumePlayback)
        (self.playbackQueueLocation, self.playbackSpeed) = (playbackQueueLocation, playbackSpeed)
        self.mediaSearch = mediaSearch
    }

    override class var parameterNames: [AnyKeyPath: String] {
        [\INPlayMediaIntent.mediaItems: "mediaItems", \INPlayMediaIntent.mediaContainer: "mediaContainer"]
    }

    override var parameters: [String: WireValue] {
        var members: [String: WireValue] = [
            "mediaItems": mediaItems.map { .array($0.map(\.json)) } ?? .null,
            "mediaContainer": mediaContainer?.json ?? .null,
            "playbackRepeatMode": .string("\(playbackRepeatMode)"),
            "playbackQueueLocation": .string("\(playbackQueueLocation)"),
        ]
        members["playShuffled"] = playShuffled.map { .bool($0) }
        members["resumePlayback"] = resumePlayback.map { .bool($0) }
        members["playbackSpeed"] = playbackSpeed.map { .number($0) }
        members["mediaSearch"] = mediaSearch?.json
        return members
    }
}
