import Testing

/// People in notifications: suggested contacts, order, Siri's announcement, and the Apple Watch.
@Suite(.admin, .timeLimit(.minutes(5))) struct PeopleTests {
    static let phone = "/api/v1/devices/phone"
    static let contacts = #"{"contacts":[{"id":"C1","name":"Neko Neko"}]}"#

    static func message(_ more: String = "") -> String {
        let sender =
            #"{"displayName":"Neko Neko","customIdentifier":"neko","suggestionType":"socialProfile""#
            + #","handle":{"value":"n@n.example","type":"emailAddress"}}"#
        return
            #"{"communication":{"class":"INSendMessageIntent","conversationIdentifier":"c","sender":\#(sender)\#(more)}}"#
    }

    @Test("S0-32 S2-7 E.3 a contact with the sender's name is suggested and matches once confirmed")
    func confirmsASuggestion() async throws {
        try admin.register()
        #expect(try await admin.send("PATCH", Self.phone, Self.contacts).status == 200)
        let id = try await admin.push(changedBy: Self.message())
        let suggestion =
            #""suggestion":{"kind":"contactAssociation","person":"person:com.example.app/neko","name":"Neko Neko","#
            + #""contact":"C1","app":"com.example.app"}"#
        #expect(try await admin.get("/api/v1/notifications/\(id)").text.contains(suggestion))
        #expect(try await admin.get(Self.phone + "/screen").text.contains(suggestion))
        let events = try await admin.get(Self.phone + "/events?kind=suggestion").text
        #expect(events.contains(#""contact":"C1","isConfirmed":false"#))
        let act = #"{"action":"confirmContact","notification":\#(id)}"#
        let confirmed = try await admin.send("POST", Self.phone + "/actions", act)
        #expect(confirmed.status == 200 && confirmed.text.contains(#""isConfirmed":true"#))
        let people = #""people":["person:com.example.app/neko"]"#
        #expect(try await admin.get(Self.phone).text.contains(people))
        #expect(try await !admin.get(Self.phone + "/screen").text.contains("suggestion"))
        // The policy inputs of the decision are unchanged.
        #expect(try await admin.get("/api/v1/notifications/\(id)").text.contains(suggestion))
        let again = try await admin.send("POST", Self.phone + "/actions", act)
        #expect(again.status == 409)
        #expect(again.text.contains("The system suggests no contact with notification \(id)."))
        let missing = try await admin.send("POST", Self.phone + "/actions", #"{"action":"confirmContact"}"#)
        #expect(missing.status == 400 && missing.text.contains("'confirmContact' needs 'notification'"))
    }

    @Test("E.2 messages are listed first in Notification Center, the newest notification first on the lock screen")
    func promotesCommunication() async throws {
        try await admin.push(changedBy: Self.message())
        let other = try admin.register(topic: "com.example.news")
        #expect(admin.push(other, #"{"aps":{"alert":"News"}}"#, topic: "com.example.news") == 200)
        let screen = try await admin.get(Self.phone + "/screen").text
        #expect(screen.contains(#""lockScreen":[{"app":"com.example.news","#))
        #expect(screen.contains(#""notificationCenter":[{"app":"com.example.app","#))
    }

    @Test("S0-30 an Apple Watch shows the first names of a group's recipients") func watch() async throws {
        let recipients = #","recipients":[{"displayName":"Bob Brown"},{"displayName":"Carol Clay"}]"#
        let id = try await admin.push(changedBy: Self.message(recipients))
        let detail = try await admin.get("/api/v1/notifications/\(id)").text
        let screen = try await admin.get(Self.phone + "/screen").text
        for text in [detail, screen] {
            #expect(text.contains(#""subtitle":"To you, Bob Brown and Carol Clay","body":"Hi""#))
            #expect(text.contains(#""watchSubtitle":"To you, Bob and Carol""#))
        }
    }

    @Test("S0-31 B.8 Siri announces the text on headphones and in the car") func announces() async throws {
        try admin.register()
        let conditions = #"{"audioRoute":"airpodsPro","isCarPlayConnected":true,"announce":{"isEnabled":true}}"#
        _ = try await admin.send("PATCH", Self.phone, conditions)
        let group = #","recipients":[{"displayName":"Bob"}],"speakableGroupName":{"spoken":"Team"}"#
        let id = try await admin.push(changedBy: Self.message(group))
        let announced = try await admin.get(Self.phone + "/events?kind=announced").text
        #expect(announced.contains(#""details":{"text":"Neko Neko to Team: Hi"}"#))
        let car = try await admin.get(Self.phone + "/events?kind=carPlay").text
        #expect(car.contains(#""details":{"isRead":true,"text":"Neko Neko to Team: Hi"}"#))
        let detail = try await admin.get("/api/v1/notifications/\(id)").text
        #expect(detail.contains(#""announcement":"Neko Neko to Team: Hi""#))
        _ = try await admin.send("PATCH", Self.phone, #"{"announce":{"inCarPlay":false},"showPreviews":"never"}"#)
        let hidden = try await admin.push(changedBy: Self.message())
        let told = try await admin.get(Self.phone + "/events?kind=announced,carPlay&notification=\(hidden)").text
        #expect(told.contains(#""details":{"text":"Notification from Chat"}"#))
        #expect(told.contains(#""details":{"isRead":false}"#))
        _ = try await admin.send("PATCH", Self.phone, #"{"announce":null}"#)
        let silent = try await admin.push(changedBy: Self.message())
        #expect(try await !admin.get("/api/v1/notifications/\(silent)").text.contains(#""announcement":"Neko"#))
    }
}
