import APNs
import DeviceSimulator
import Gateway
import Testing

/// Devices, tokens, and direct pushes.
@Suite(.admin) struct DeviceTests {
    @Test func aDeviceIsCreatedOnceAndPutAgainKeepsItsState() async throws {
        let path = "/api/v1/devices/Anna%27s%20phone"
        let empty =
            #"{"name":"Anna's phone","createdAt":"2026-11-21T07:00:00.000Z","registrations":[],"notificationCount":0,"#
            + #""storedCount":0,"droppedCount":0,"eventCount":0,"#
            + #""counts":{"received":0,"delivered":0,"discarded":0,"dropped":0,"cleared":0},"locale":"en_US","#
        let made = try await admin.send("PUT", path)
        #expect(made.status == 201 && made.text.hasPrefix(empty))
        let again = try await admin.send("PUT", path)
        #expect(again.status == 200 && again.text == made.text)
        // The answer can be written back.
        #expect(try await admin.send("PUT", path, made.text).text == made.text)
        #expect(try await admin.send("DELETE", path).text == #"{"removed":1}"#)
        #expect(try await admin.send("DELETE", path).text == #"{"removed":0}"#)
        #expect(try await admin.get(path).status == 404)
    }

    @Test func editsAtTheSameTimeDoNotUndoEachOther() async throws {
        let path = "/api/v1/devices/phone"
        for _ in 0..<100 {
            _ = try await admin.send("PUT", path)
            async let unlocked = admin.send("PATCH", path, #"{"isLocked":false}"#)
            async let silenced = admin.send("PATCH", path, #"{"ringSwitch":"silent"}"#)
            _ = try await (unlocked, silenced)
            let text = try await admin.get(path).text
            #expect(text.contains(#""isLocked":false"#) && text.contains(#""ringSwitch":"silent""#))
        }
    }

    @Test func replacingRegistrationsUnregistersTheOthers() async throws {
        let path = "/api/v1/devices/phone"
        _ = try await admin.send("PUT", path, #"{"registrations":[{"topic":"a.b"},{"topic":"a.b.voip"}]}"#)
        let patched = try await admin.send("PATCH", path, #"{"registrations":[{"topic":"c.d"}]}"#)
        #expect(patched.text.split(separator: #""status":"active""#).count == 4)
        let put = try await admin.send("PUT", path, #"{"registrations":[{"topic":"c.d"}]}"#).text
        #expect(put.split(separator: #""status":"unregistered""#).count == 3)
        #expect(put.contains(#""topic":"c.d","environment":"sandbox","kind":"app","status":"active""#))
        #expect(try await admin.send("PUT", path, #"{"registrations":[{"topic":"c.d"}]}"#).text == put)
    }

    @Test func severalActiveTokensForOneUseAreRejected() async throws {
        let path = "/api/v1/devices/phone"
        let two =
            #"{"registrations":[{"topic":"a.b","token":"00112233445566"},{"topic":"a.b","token":"aabbccddeeff"}]}"#
        let answer = try await admin.send("PUT", path, two)
        #expect(answer.status == 400)
        #expect(
            answer.text.contains("The tokens 00112233… and aabbccdd… are both for a.b in the sandbox"),
            "\(answer.text)")
        #expect(try await admin.get(path).status == 404)
        _ = try await admin.send("PUT", path, #"{"registrations":[{"topic":"a.b"}]}"#)
        let before = try await admin.get(path).text
        #expect(try await admin.send("PATCH", path, two).status == 400)
        #expect(try await admin.get(path).text == before)
        // A different use is no conflict.
        let others =
            #"{"registrations":[{"topic":"a.b","token":"01"},{"topic":"a.b","token":"02","environment":"production"},"#
            + #"{"topic":"a.b.voip","token":"03"}]}"#
        let put = try await admin.send("PUT", path, others)
        #expect(put.status == 200 && put.text.split(separator: #""status":"active""#).count == 4, "\(put.text)")
    }

    @Test func addingAFormerTokenKeepsTheActiveOne() async throws {
        let first = try await withAdmin { try $0.register(topic: "a.b") }
        let path = "/api/v1/devices/phone"
        let alone = try await admin.send("PUT", "/api/v1/devices/other", #"{"registrations":[{"topic":"a.b"}]}"#)
        let former = #"{"topic":"a.b","token":"00112233445566","status":"expired"}"#
        let made = try await admin.send("PUT", path, #"{"registrations":["# + former + #",{"topic":"a.b"}]}"#)
        #expect(made.text.contains(#""status":"active""#) && made.text.contains(#""status":"expired""#))
        #expect(alone.status == 201 && made.status == 201)
        let active = try #require(
            admin.gateway.simulator.device(named: "phone")?.registrations.first { $0.status == .active })
        #expect(active.token == first, "the first token of this use")
        let other = #"{"topic":"a.b","token":"aabbccddeeff","status":"unregistered"}"#
        #expect(try await admin.send("POST", path + "/registrations", other).status == 201)
        #expect(admin.gateway.simulator.registration(of: active.token)?.status == .active)
    }

    /// Otherwise a derived token would be the active one, or would become a former one at once.
    @Test func aGivenTokenIsTheOnlyOneOfItsUse() async throws {
        for list in [
            #"{"topic":"a.b"},{"topic":"a.b","token":"aabb"}"#, #"{"topic":"a.b","token":"aabb"},{"topic":"a.b"}"#,
        ] {
            let answer = try await admin.send("PUT", "/api/v1/devices/phone", #"{"registrations":["# + list + "]}")
            #expect(answer.text.split(separator: #""status":""#).count == 2, "\(answer.text)")
            _ = try await admin.send("DELETE", "/api/v1/devices/phone")
        }
    }

    @Test func aDeviceCanBeWrittenBackWithAnyActiveToken() async throws {
        let path = "/api/v1/devices/phone"
        for token in ["aa", "bb", "aa"] {
            _ = try await admin.send("POST", path + "/registrations", #"{"topic":"a.b","token":"\#(token)"}"#)
        }
        let read = try await admin.get(path).text
        #expect(
            read.contains(
                #"{"token":"aa","device":"phone","topic":"a.b","environment":"sandbox","kind":"app","status":"active""#
            ))
        #expect(try await admin.send("PUT", path, read).text == read)
        // The same holds on a gateway that does not know the device.
        _ = try await admin.send("DELETE", path)
        let again = try await admin.send("PUT", path, read).text
        #expect(
            again.contains(
                #"{"token":"aa","device":"phone","topic":"a.b","environment":"sandbox","kind":"app","status":"active""#
            ))
        #expect(
            again.contains(
                #"{"token":"bb","device":"phone","topic":"a.b","environment":"sandbox","kind":"app","status":"unregistered""#
            ))
    }

    @Test("I.6 deleting an app's registration removes its listed notifications, its badge and its stored pushes")
    func aDeletedRegistrationTakesItsApp() async throws {
        let path = "/api/v1/devices/phone"
        let token = try admin.register()
        #expect(admin.push(token, #"{"aps":{"alert":"Listed","badge":3}}"#) == 200)
        _ = try await admin.send("PATCH", path, #"{"isOnline":false}"#)
        #expect(admin.push(token, #"{"aps":{"alert":"Stored","sound":"default"}}"#) == 200)
        let gone = try await admin.send("DELETE", path + "/registrations/\(token.hex)")
        #expect(gone.status == 200 && gone.text.contains(#""status":"unregistered""#))
        #expect(admin.push(token) == 410)
        _ = try await admin.send("PATCH", path, #"{"isOnline":true}"#)
        let screen = try await admin.get(path + "/screen").text
        #expect(
            screen.contains(#""lockScreen":[],"notificationCenter":[],"#) && screen.contains(#""badges":{}"#),
            "\(screen)")
        let stored = try await admin.get("/api/v1/notifications/2").text
        #expect(stored.contains(#""state":"discarded","discardReason":"uninstalled""#))
        #expect(try await admin.get(path + "/events?kind=sound&notification=2").text.contains(#"{"events":[]"#))
    }

    @Test func aTokenChangesFromActiveToUnregisteredAndBack() async throws {
        let path = "/api/v1/devices/phone/registrations"
        let answer = try await admin.send("POST", path, #"{"topic":"com.example.app","token":"00FF"}"#)
        let registration =
            #"{"token":"00ff","device":"phone","topic":"com.example.app","environment":"sandbox","kind":"app","#
        let active = registration + #""status":"active","registeredAt":"2026-11-21T07:00:00.000Z"}"#
        #expect(answer.status == 201 && answer.text == active)
        #expect(try await admin.get(path).text == #"{"registrations":["# + active + #"],"forgottenCount":0}"#)
        let gone =
            registration + #""status":"unregistered","since":"2026-11-21T07:00:00.000Z","#
            + #""registeredAt":"2026-11-21T07:00:00.000Z"}"#
        let one = path + "/00FF"
        for _ in 0..<2 { #expect(try await admin.send("DELETE", one).text == gone) }
        #expect(admin.push("00ff", [0x7B, 0x7D], topic: "com.example.app", fields: []) == 410)
        #expect(try await admin.send("PATCH", one, #"{"status":"expired"}"#).text.contains(#""status":"expired""#))
        #expect(try await admin.send("PATCH", one, #"{"status":"active"}"#).text == active)
        #expect(admin.push("00ff", [0x7B, 0x7D], topic: "com.example.app", fields: []) == 200)
        let taken = #"{"topic":"a","token":"00ff"}"#
        #expect(try await admin.send("POST", "/api/v1/devices/pad/registrations", taken).status == 409)
        #expect(try await admin.get("/api/v1/devices/phone/registrations/00").status == 404)
    }

    static let files = [
        (#"{"aps":{},"Simulator Target Bundle":"com.example.app"}"#, #"{"aps":{}}"#),
        (#"{"Simulator Target Bundle":"com.example.app","aps":{}}"#, #"{"aps":{}}"#),
        (
            #"{ "a" : "}" , "Simulator Target Bundle" : "com.example.app" , "aps":{"b":[{"Simulator Target Bundle":2}]} }"#,
            #"{ "a" : "}" , "aps":{"b":[{"Simulator Target Bundle":2}]} }"#
        ),
        (#"{"a":"\"","Simulator Target Bundle":"com.example.app"}"#, #"{"a":"\""}"#),
        ("{\"a\":1.10 \n,\n\"Simulator Target Bundle\":\"com.example.app\"\n}", "{\"a\":1.10\n}"),
        (#"{"Simulator Target Bundle":"com.example.app"}"#, "{}"),
    ]

    @Test(arguments: files)
    func anAPNSFileNamesItsAppOutsideThePayload(_ file: (sent: String, received: String)) async throws {
        let answer = try await admin.send("POST", "/api/v1/devices/phone/push", file.sent)
        #expect(answer.status == 201)
        #expect(answer.text.hasPrefix(#"{"id":1,"apnsId":""#))
        #expect(try await admin.get("/api/v1/notifications/1/payload").body == Array(file.received.utf8))
        let found = try await admin.get("/api/v1/notifications?topic=com.example.app").text
        #expect(found.contains(#""device":"phone""#))
    }

    @Test func aDirectPushHasTheHeadersOfItsQuery() async throws {
        let query = "topic=com.example.app&environment=production&pushType=background&priority=5&collapseId=x"
        let body = #"{"aps":{"content-available":1},"Simulator Target Bundle":"other.app"}"#
        #expect(try await admin.send("POST", "/api/v1/devices/phone/push?\(query)", body).status == 201)
        let text = try await admin.get("/api/v1/notifications").text
        #expect(text.contains(#""topic":"com.example.app""#) && text.contains(#""environment":"production""#))
        #expect(text.contains(#""pushType":"background","priority":5,"collapseId":"x","findingCount":0"#))
    }
}
