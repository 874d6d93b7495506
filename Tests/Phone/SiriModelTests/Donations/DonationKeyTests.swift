import DeviceModel
import JSON
import TestSupport
import Testing

@testable import SiriModel

/// Keys of equal donations (F.2).
@Suite struct DonationKeyTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var intent: String
        var keys: [String]
        var testDescription: String { name }
    }

    static let rows = [
        Row(
            name: "S1-9 an object is its identifier",
            intent: #"{"class":"CheckWeatherIntent","location":{"identifier":"sd","displayString":"San Diego"}}"#,
            keys: ["CheckWeatherIntent|location=sd"]),
        Row(
            name: "S1-9 a combination needs all of its parameters", intent: #"{"class":"CheckWeatherIntent"}"#, keys: []
        ),
        Row(name: "S1-9 null is no value", intent: #"{"class":"CheckWeatherIntent","location":null}"#, keys: []),
        Row(
            name: "F.2 a message is its conversation",
            intent:
                #"{"class":"INSendMessageIntent","conversationIdentifier":"c1","recipients":[{"displayName":"A"}]}"#,
            keys: ["INSendMessageIntent|conversationIdentifier=c1"]),
        Row(
            name: "F.2 or its recipients without the user, in any order",
            intent: #"{"class":"INSendMessageIntent","recipients":[{"customIdentifier":"b"},{"isMe":true},"#
                + #"{"customIdentifier":"a"}]}"#,
            keys: ["INSendMessageIntent|recipients=person:com.example.weather/a+person:com.example.weather/b"]),
        Row(
            name: "E.3 a person is the contact",
            intent:
                #"{"class":"INStartCallIntent","contacts":[{"handle":{"value":"AGA@example.com","type":"emailAddress"}}]}"#,
            keys: ["INStartCallIntent|callCapability=unknown,contacts=contact:aga"]),
        Row(
            name: "F.2 media is its container",
            intent:
                #"{"class":"INPlayMediaIntent","mediaContainer":{"identifier":"show"},"mediaItems":[{"identifier":"e"}]}"#,
            keys: ["INPlayMediaIntent|mediaContainer=show"]),
        Row(
            name: "F.2 or its items", intent: #"{"class":"INPlayMediaIntent","mediaItems":[{"identifier":"e"}]}"#,
            keys: ["INPlayMediaIntent|mediaItems=e"]),
        Row(name: "F.2 a reservation has no key", intent: #"{"class":"INGetReservationDetailsIntent"}"#, keys: []),
        Row(
            name: "S1-2 an activity is its type and required values",
            intent:
                #"{"class":"NSUserActivity","activityType":"view","userInfo":{"id":7,"at":"now"},"requiredUserInfoKeys":["id"]}"#,
            keys: ["view|id=7"]),
        Row(
            name: "S1-2 an activity without a required value has no key",
            intent: #"{"class":"NSUserActivity","activityType":"view","requiredUserInfoKeys":["id"]}"#, keys: []),
    ]

    @Test(arguments: rows) func keys(_ row: Row) throws {
        var lab = Lab()
        lab.device.contacts = [.with { ($0.id, $0.emails) = ("aga", ["aga@example.com"]) }]
        try lab.donate(try Lab.json(row.intent))
        #expect(lab.siri.donations.entries[0].keys.map(\.text) == row.keys)
    }

    @Test("S1-6 a donation belongs to each complete combination once") func combinations() throws {
        var lab = Lab()
        let parameters = ["item": "String", "size": "String", "spot": "Placemark"]
        lab.define(Lab.coffee, Lab.intent("Order", parameters, [["size", "item"], ["item"], ["item"], ["spot"]]))
        let spot: JSONValue = ["location": ["latitude": .number(35.681236), "longitude": .number(139.767125)]]
        let intent: JSONValue = [
            "class": .string("Order"), "item": .string("latte"), "size": .string("large"), "spot": spot,
        ]
        try lab.donate(intent, app: Lab.coffee)
        let expected = ["Order|item=latte,size=large", "Order|item=latte", "Order|spot=35.6812/139.7671"]
        #expect(lab.siri.donations.entries[0].keys.map(\.text) == expected)
    }
}
