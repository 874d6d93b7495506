import ExtensionWire
import Foundation
import Intents
import Testing

/// The code of the talks on donations and event suggestions, run as an extension.
@Suite struct DonationTests {
    /// The extension's messages before its answer.
    private func messages(_ name: String) throws -> [WireValue] {
        let program = try ExtensionProcess(example: "SeedDonations")
        try program.receive(#"{"aps":{},"donate":"\#(name)"}"#)
        let messages = program.messages(before: "content")
        #expect(program.finish().status == 0)
        return messages.filter { ["donate", "center"].contains($0["type"]?.text) }
    }

    private func donation(_ name: String) throws -> WireValue {
        try #require(try messages(name).first?["interaction"])
    }

    @Test("S1-5 S1-7 the weather's own intent is donated with its city") func weather() throws {
        let interaction = try donation("weather")
        #expect(
            interaction["intent"]?.json == """
                {"class":"CheckWeatherIntent","location":{"displayString":"Cupertino",\
                "identifier":"cupertino"}}
                """)
        #expect(interaction["response"] == .null && interaction["direction"] == .string("unspecified"))
    }

    @Test("S1-5 S1-7 the coffee is donated with item, size and date") func coffee() throws {
        #expect(
            try donation("coffee")["intent"]?.json == """
                {"class":"OrderCoffeeIntent","date":{"local":"2021-06-07T00:00:00","tz":"America/Los_Angeles"},\
                "item":{"displayString":"Iced Latte","identifier":"latte"},"size":"large"}
                """)
    }

    @Test("S1-11 the talk's donation is deleted by identifier, then by group") func deletion() throws {
        let messages = try messages("san-diego")
        #expect(messages.map { $0["type"]?.text } == ["donate", "center", "center"])
        let interaction = try #require(messages.first?["interaction"])
        #expect(interaction["identifier"]?.text == "68753A44-4D6F-1226-9C60-0050E4C00067")
        #expect(interaction["groupIdentifier"]?.text == "san-diego")
        #expect(messages.dropFirst().allSatisfy { $0["name"]?.text == "deleteDonations" })
        #expect(
            messages.dropFirst().map { $0["arguments"]?.json } == [
                #"{"identifiers":["68753A44-4D6F-1226-9C60-0050E4C00067"]}"#, #"{"groupIdentifier":"san-diego"}"#,
            ])
    }

    @Test("S1-11 a rejected deletion has the matching error", arguments: [true, false])
    func refusal(isRefused: Bool) throws {
        let program = try ExtensionProcess(example: "SeedDonations")
        try program.receive(#"{"aps":{},"donate":"deletion"}"#)
        for _ in 1...3 {
            let call = try #require(program.next("center")?["call"]?.integer)
            let error = isRefused ? #","error":"no""# : ""
            try program.send(#"{"type":"reply","call":\#(call),"result":null\#(error)}"#)
        }
        #expect(program.next("content")?["content"]?["title"]?.text == (isRefused ? "[1902, 1903, 1904]" : "[]"))
    }

    @Test("a donation outside an app or extension fails with 1901") func homelessDonation() async {
        let interaction = INInteraction(intent: INIntent(), response: nil)
        await #expect { try await interaction.donate() } throws: { ($0 as NSError).code == 1901 }
        #expect(await withCheckedContinuation { done in interaction.donate { done.resume(returning: $0 != nil) } })
    }

    @Test("S1-2 an activity is donated when it becomes current") func activity() throws {
        let messages = try messages("activity")
        #expect(messages.map { $0["name"]?.text } == ["becomeCurrent", "deleteUserActivities"])
        #expect(
            messages.map { $0["arguments"]?.json } == [
                """
                {"userActivity":{"activityType":"com.example.weather.city","isEligibleForPrediction":true,\
                "isEligibleForSearch":true,"requiredUserInfoKeys":["city"],"title":"Weather in Cupertino",\
                "userInfo":{"city":"cupertino"}}}
                """, #"{"persistentIdentifiers":["san-diego"]}"#,
            ])
    }

    @Test("S1-23 upcoming media are reported with their prediction mode") func media() throws {
        let messages = try messages("media")
        #expect(messages.map { $0["name"]?.text } == ["setSuggestedMediaIntents", "setPredictionMode"])
        #expect(
            messages.map { $0["arguments"]?.json } == [
                """
                {"intents":[{"class":"INPlayMediaIntent","mediaContainer":{"artist":null,"artwork":null,\
                "identifier":"show","title":"Show","type":"podcastShow"},"mediaItems":[{"artist":null,"artwork":null,\
                "identifier":"episode-2","title":"Episode 2","type":"podcastEpisode"}],"playShuffled":false,\
                "playbackQueueLocation":"unknown","playbackRepeatMode":"none","resumePlayback":true}]}
                """, #"{"mediaType":"podcastEpisode","mode":"onlyPredictSuggestedIntents"}"#,
            ])
    }

    @Test("S1-24 S1-25 a relevant shortcut has time, place and routine, for the watch and a widget")
    func relevantShortcut() throws {
        let message = try #require(try messages("shortcut").first)
        #expect(message["name"]?.text == "setRelevantShortcuts")
        #expect(
            message["arguments"]?["shortcuts"]?.json == """
                [{"intent":{"class":"CheckWeatherIntent","location":{"displayString":"Cupertino",\
                "identifier":"cupertino"}},"providers":[{"end":null,"start":"1970-01-01T00:00:00.000Z"},\
                {"region":{"identifier":"home","latitude":37.3318,"longitude":-122.0312,"notifyOnEntry":true,\
                "notifyOnExit":true,"radius":200.0}},{"situation":"morning"}],"role":"information",\
                "title":"Weather","widgetKind":"Weather"},{"intent":{"activityType":"com.example.weather.city",\
                "class":"NSUserActivity"},"providers":[],"role":"action","title":null,"widgetKind":null}]
                """)
    }
}
