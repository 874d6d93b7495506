// The code of the talk on donations ("Donate your intent."), in functions whose arguments it leaves open; then what the
// talk says without code.
// swift-format-ignore-file
import CoreLocation
import Intents

func donateWeather(in weatherLocation: City) {
// Donate your intent.
let intent = CheckWeatherIntent()
intent.location = weatherLocation
let interaction = INInteraction(intent: intent, response: nil)
interaction.donate { (error) in
// Handle the error.
}
}

func donateAndDeleteSanDiego(_ intent: INIntent, response: INIntentResponse?) {
// Donate your intent.
let interaction = INInteraction(intent: intent, response: response)
interaction.identifier = "68753A44-4D6F-1226-9C60-0050E4C00067"
interaction.groupIdentifier = "san-diego"
interaction.donate { (error) in
// Handle the error.
}
// Delete individual donations.
INInteraction.delete(with: ["68753A44-4D6F-1226-9C60-0050E4C00067"]) { (error) in
// Handle the error.
}
// Delete group donations.
INInteraction.delete(with: "san-diego") { (error) in
// Handle the error.
}
}

func orderCoffee(_ item: Item, _ size: Size, on date: DateComponents) {
// Donate your intent.
let intent = OrderCoffeeIntent()
intent.item = item
intent.size = size
intent.date = date
let interaction = INInteraction(intent: intent, response: nil)
interaction.donate { (error) in
// Handle the error.
}
}

enum June {
    static let seventh = DateComponents(timeZone: TimeZone(identifier: "America/Los_Angeles"), year: 2021, month: 6, day: 7)
}

func showCupertino() {
    let activity = NSUserActivity(activityType: "com.example.weather.city")
    activity.title = "Weather in Cupertino"
    activity.userInfo = ["city": "cupertino"]
    activity.requiredUserInfoKeys = ["city"]
    activity.isEligibleForSearch = true
    activity.isEligibleForPrediction = true
    activity.becomeCurrent()
    NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: ["san-diego"]) {}
}

func suggestMedia() {
    let episode = INMediaItem(identifier: "episode-2", title: "Episode 2", type: .podcastEpisode, artwork: nil)
    let show = INMediaItem(identifier: "show", title: "Show", type: .podcastShow, artwork: nil)
    let intent = INPlayMediaIntent(
        mediaItems: [episode], mediaContainer: show, playShuffled: false, playbackRepeatMode: .none,
        resumePlayback: true)
    INUpcomingMediaManager.shared.setSuggestedMediaIntents(NSOrderedSet(array: [intent]))
    INUpcomingMediaManager.shared.setPredictionMode(.onlyPredictSuggestedIntents, for: .podcastEpisode)
}

func setRelevantShortcuts() {
    let intent = CheckWeatherIntent()
    intent.location = City(identifier: "cupertino", display: "Cupertino")
    guard let shortcut = INShortcut(intent: intent) else { return }
    let relevantShortcut = INRelevantShortcut(shortcut: shortcut)
    relevantShortcut.shortcutRole = .information
    relevantShortcut.widgetKind = "Weather"
    let template = INDefaultCardTemplate(title: "Weather")
    template.subtitle = "Cupertino"
    relevantShortcut.watchTemplate = template
    let center = CLLocationCoordinate2D(latitude: 37.3318, longitude: -122.0312)
    relevantShortcut.relevanceProviders = [
        INDateRelevanceProvider(start: Date(timeIntervalSince1970: 0), end: nil),
        INLocationRelevanceProvider(region: CLCircularRegion(center: center, radius: 200, identifier: "home")),
        INDailyRoutineRelevanceProvider(situation: .morning),
    ]
    let activity = INShortcut(userActivity: NSUserActivity(activityType: "com.example.weather.city"))
    INRelevantShortcutStore.default.setRelevantShortcuts([
        relevantShortcut, INRelevantShortcut(shortcut: activity),
    ]) { (error) in }
}
