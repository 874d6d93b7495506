internal import ExtensionWire
public import Foundation

public enum INMediaItemType: Int, Sendable, CaseIterable {
    case unknown, song, album, artist, genre, playlist, podcastShow, podcastEpisode, podcastPlaylist, musicStation
    case audioBook, movie, tvShow, tvShowEpisode, musicVideo, podcastStation, radioStation, station, music
    case algorithmicRadioStation, news
}

open class INMediaItem: NSObject, StoredAsJSON {
    public let identifier: String?
    public let title: String?
    public let type: INMediaItemType
    public let artwork: INImage?
    public let artist: String?

    public init(identifier: String?, title: String?, type: INMediaItemType, artwork: INImage?, artist: String? = nil) {
        (self.identifier, self.title, self.type, self.artwork, self.artist) = (identifier, title, type, artwork, artist)
    }
}

public enum INPlaybackRepeatMode: Int, Sendable, CaseIterable { case unknown, none, all, one }

public enum INPlaybackQueueLocation: Int, Sendable, CaseIterable { case unknown, now, next, later }

public enum INMediaSortOrder: Int, Sendable, CaseIterable {
    case unknown, newest, oldest, best, worst, popular, unpopular, trending, recommended
}

public enum INMediaReference: Int, Sendable, CaseIterable { case unknown, currentlyPlaying, my }

open class INMediaSearch: NSObject, StoredAsJSON {
    public let mediaType: INMediaItemType
    public let sortOrder: INMediaSortOrder
    public let mediaName: String?
    public let artistName: String?
    public let albumName: String?
    public let genreNames: [String]?
    public let moodNames: [String]?
    public let releaseDate: INDateComponentsRange?
    public let reference: INMediaReference
    public let mediaIdentifier: String?

    public init(
        mediaType: INMediaItemType, sortOrder: INMediaSortOrder, mediaName: String?, artistName: String?,
        albumName: String?, genreNames: [String]?, moodNames: [String]?, releaseDate: INDateComponentsRange?,
        reference: INMediaReference, mediaIdentifier: String?
    ) {
        (self.mediaType, self.sortOrder, self.mediaName) = (mediaType, sortOrder, mediaName)
        (self.artistName, self.albumName, self.genreNames) = (artistName, albumName, genreNames)
        (self.moodNames, self.releaseDate, self.reference) = (moodNames, releaseDate, reference)
        self.mediaIdentifier = mediaIdentifier
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

    override var parameters: [String: WireValue] {
        super.parameters.filter { $0.value != .null || ["mediaItems", "mediaContainer"].contains($0.key) }
    }
}

open class INPlayMediaIntentResponse: INCodedResponse<INPlayMediaIntentResponseCode> {}

public enum INPlayMediaIntentResponseCode: Int, Sendable, CaseIterable {
    case unspecified, ready, continueInApp, inProgress, success, handleInApp, failure, failureRequiringAppLaunch
    case failureUnknownMediaType, failureNoUnplayedContent, failureRestrictedContent, failureMaxStreamLimitReached
}

public enum INUpcomingMediaPredictionMode: Int, Sendable, CaseIterable { case `default`, onlyPredictSuggestedIntents }

open class INUpcomingMediaManager: NSObject {
    // `nonisolated(unsafe)`: immutable and without state.
    private nonisolated(unsafe) static let manager = INUpcomingMediaManager()

    open class var shared: INUpcomingMediaManager { manager }

    /// Replaces those that the app has set before.
    /// - Parameter intents: Each an `INPlayMediaIntent`; others are skipped.
    open func setSuggestedMediaIntents(_ intents: NSOrderedSet) {
        let intents = intents.array.compactMap { ($0 as? INPlayMediaIntent)?.json }
        HostConnection.shared.call("setSuggestedMediaIntents", ["intents": .array(intents)])
    }

    open func setPredictionMode(_ mode: INUpcomingMediaPredictionMode, for type: INMediaItemType) {
        HostConnection.shared.call(
            "setPredictionMode", ["mode": .string("\(mode)"), "mediaType": .string("\(type)")])
    }
}
