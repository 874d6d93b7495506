import ExtensionWire
import Foundation
import Intents
import Testing
import UserNotifications

@Suite struct IntentTests {
    private func person(_ name: String?, image: INImage? = nil) -> INPerson {
        INPerson(
            personHandle: INPersonHandle(value: "mia@example.com", type: .emailAddress, label: .work),
            nameComponents: try? PersonNameComponents("Mia Lin Chen"), displayName: name, image: image,
            contactIdentifier: "c-1", customIdentifier: nil, aliases: [INPersonHandle(value: "+1", type: .phoneNumber)],
            suggestionType: .socialProfile)
    }

    private func message(_ sender: INPerson?) -> INSendMessageIntent {
        INSendMessageIntent(
            recipients: nil, outgoingMessageType: .outgoingMessageAudio, content: nil,
            speakableGroupName: INSpeakableString(
                vocabularyIdentifier: "g-1", spokenPhrase: "Team", pronunciationHint: nil),
            conversationIdentifier: "chat-1", serviceName: "Chat", sender: sender,
            attachments: [
                INSendMessageAttachment(
                    audioMessageFile: INFile(data: Data([1]), filename: "a.m4a", typeIdentifier: nil))
            ])
    }

    /// E.2 iOS 18's message with attributes passes the text on, and needs a sender as the message does.
    @Test func anAttributedMessageAsJSON() throws {
        let content = UNMutableNotificationContent()
        for context in [
            UNNotificationAttributedMessageContext(
                sendMessageIntent: message(person("Mia")), attributedContent: NSAttributedString(string: "See you!")),
            UNNotificationAttributedMessageContext(
                sendMessageIntent: message(person("Mia")), attributedContent: AttributedString("See you!")),
        ] {
            let json = try content.updating(from: context).json["communication"]
            #expect(json?["class"]?.text == "UNNotificationAttributedMessageContext")
            #expect(json?["attributedContent"]?.text == "See you!")
            #expect(json?["sendMessageIntent"] == message(person("Mia")).json)
        }
        let withoutPeople = UNNotificationAttributedMessageContext(
            sendMessageIntent: message(nil), attributedContent: AttributedString("See you!"))
        #expect(throws: UNError.self) { try content.updating(from: withoutPeople) }
    }

    /// S0-33 S2-8 a message and the people in it.
    @Test func aMessageAsJSON() {
        let intent = message(person("@mia", image: INImage(imageData: Data([1, 2, 3]))))
        intent.setImage(INImage(named: "group"), forParameterNamed: \.speakableGroupName)
        let metadata = INSendMessageIntentDonationMetadata()
        metadata.mentionsCurrentUser = true
        metadata.recipientCount = 5
        intent.donationMetadata = metadata
        #expect(
            intent.json.json == """
                {"attachments":[{"audioMessageFile":{"byteCount":1,"filename":"a.m4a","type":null,"url":null}}],\
                "class":"INSendMessageIntent","content":null,"conversationIdentifier":"chat-1",\
                "donationMetadata":{"isReplyToCurrentUser":false,"mentionsCurrentUser":true,\
                "notifyRecipientAnyway":false,"recipientCount":5},"outgoingMessageType":"outgoingMessageAudio",\
                "parameterImages":{"speakableGroupName":{"kind":"named","value":"group"}},"recipients":null,\
                "sender":{"aliases":[{"type":"phoneNumber","value":"+1"}],"contactIdentifier":"c-1",\
                "customIdentifier":null,"displayName":"@mia",\
                "handle":{"label":"work","type":"emailAddress","value":"mia@example.com"},\
                "image":{"kind":"data","value":"AQID"},"isMe":false,\
                "nameComponents":{"family":"Chen","given":"Mia","middle":"Lin"},"suggestionType":"socialProfile"},\
                "serviceName":"Chat","speakableGroupName":{"id":"g-1","spoken":"Team"}}
                """)
    }

    @Test func aCallAsJSON() {
        let intent = INStartCallIntent(
            callRecordFilter: nil,
            callRecordToCallBack: INCallRecord(
                identifier: "r", dateCreated: Date(timeIntervalSince1970: 0), callRecordType: .missed,
                callCapability: .videoCall, callDuration: 1.5, unseen: true),
            audioRoute: .speakerphoneAudioRoute, destinationType: .callBack, contacts: [], callCapability: .videoCall)
        #expect(
            intent.json.json == """
                {"audioRoute":"speakerphoneAudioRoute","callCapability":"videoCall","callRecordFilter":null,\
                "callRecordToCallBack":{"callCapability":"videoCall","callDuration":1.5,"callRecordType":"missed",\
                "dateCreated":"1970-01-01T00:00:00.000Z","identifier":"r","unseen":true},"class":"INStartCallIntent",\
                "contacts":[],"destinationType":"callBack"}
                """)
    }

    @Test func displayNameFallsBackToTheNameThenToTheHandle() {
        #expect(person("@mia").displayName == "@mia")
        #expect(person(nil).displayName == "Mia Lin Chen")
        let nameless = INPerson(
            personHandle: INPersonHandle(value: "+1", type: .phoneNumber), nameComponents: nil, displayName: nil,
            image: nil, contactIdentifier: nil, customIdentifier: nil)
        #expect(nameless.displayName == "+1")
    }

    /// S2-11 setImage gives a parameter its picture.
    @Test func picturesBelongToParameters() {
        let intent = message(person(nil))
        let image = INImage.systemImageNamed("star")
        intent.setImage(image, forParameterNamed: \.sender)
        #expect(intent.image(forParameterNamed: \.sender) === image)
        #expect(intent.image(forParameterNamed: \.recipients) == nil)
        #expect(intent.keyImage() === image)
        intent.setImage(nil, forParameterNamed: \.sender)
        #expect(intent.keyImage() == nil)

        let call = INStartCallIntent(
            callRecordFilter: nil, callRecordToCallBack: nil, audioRoute: .unknown, destinationType: .unknown,
            contacts: nil, callCapability: .unknown)
        call.setImage(image, forParameterNamed: \.callRecordToCallBack)
        #expect(call.json["parameterImages"]?["callRecordToCallBack"]?["value"] == .string("star"))
    }

    @Test func anAppsOwnIntentIsReadByReflection() {
        final class OrderCoffeeIntent: INIntent {
            var item: String?
            var size = 2
            var date: Date?
        }
        let intent = OrderCoffeeIntent()
        intent.item = "Latte"
        #expect(intent.json.json == #"{"class":"OrderCoffeeIntent","date":null,"item":"Latte","size":2}"#)
    }

    @Test(arguments: [
        ("Mia", #"{"given":"Mia"}"#), ("Mia Chen", #"{"family":"Chen","given":"Mia"}"#),
        (" Mia  Lin Ma Chen ", #"{"family":"Chen","given":"Mia","middle":"Lin Ma"}"#),
    ]) func namesAreRead(_ text: String, _ json: String) throws {
        let person = INPerson(
            personHandle: INPersonHandle(value: nil, type: .unknown), nameComponents: try PersonNameComponents(text),
            displayName: nil, image: nil, contactIdentifier: nil, customIdentifier: nil)
        #expect(person.json["nameComponents"]?.json == json)
    }

    @Test(arguments: ["", "  "]) func aMissingNameIsAnError(_ text: String) {
        #expect(throws: CocoaError.self) { try PersonNameComponents(text) }
    }

    @Test func aFlightAsJSON() {
        let zone = TimeZone(identifier: "America/Los_Angeles")
        let start = DateComponents(timeZone: zone, year: 2026, month: 1, day: 5, hour: 10, minute: 5)
        let gate = INAirportGate(
            airport: INAirport(name: "SFO", iataCode: "SFO", icaoCode: nil), terminal: "1", gate: nil)
        let reservation = INFlightReservation(
            itemReference: INSpeakableString(
                vocabularyIdentifier: "r-1", spokenPhrase: "Flight", pronunciationHint: nil),
            reservationNumber: "AXZ123", bookingTime: nil, reservationStatus: .canceled, reservationHolderName: "Mia",
            actions: nil, reservedSeat: INSeat(seatSection: nil, seatRow: "12", seatNumber: "12A", seatingType: nil),
            flight: INFlight(
                airline: INAirline(name: "Example Air", iataCode: "EA", icaoCode: nil), flightNumber: "42",
                boardingTime: nil, flightDuration: INDateComponentsRange(start: start, end: nil),
                departureAirportGate: gate, arrivalAirportGate: gate))
        let response = INGetReservationDetailsIntentResponse(code: .success, userActivity: nil)
        response.reservations = [reservation]
        let gateJSON = #"{"airport":{"iataCode":"SFO","icaoCode":null,"name":"SFO"},"gate":null,"terminal":"1"}"#
        #expect(
            response.json.json == """
                {"class":"INGetReservationDetailsIntentResponse","code":"success","reservations":[{"actions":[],\
                "bookingTime":null,"class":"INFlightReservation","flight":{\
                "airline":{"iataCode":"EA","icaoCode":null,"name":"Example Air"},"arrivalAirportGate":\(gateJSON),\
                "boardingTime":null,"departureAirportGate":\(gateJSON),"flightDuration":{"end":null,\
                "start":{"local":"2026-01-05T10:05:00","tz":"America/Los_Angeles"}},"flightNumber":"42"},\
                "itemReference":{"id":"r-1","spoken":"Flight"},"reservationHolderName":"Mia",\
                "reservationNumber":"AXZ123","reservationStatus":"canceled",\
                "reservedSeat":{"seatNumber":"12A","seatRow":"12","seatSection":null,"seatingType":null},"url":null}]}
                """)
    }

    @Test func rawValuesAreApples() {
        #expect(INPersonHandleType.allCases.map(\.rawValue) == [0, 1, 2])
        #expect(INCallRecordType.allCases.map(\.rawValue) == Array(0...8))
        #expect(INCallDestinationType.allCases.map(\.rawValue) == Array(0...5))
        #expect(INIntentError.Code.allCases.map(\.rawValue) == Array(1900...1904))
    }
}
