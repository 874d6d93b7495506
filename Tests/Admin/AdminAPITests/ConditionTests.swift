import AdminAPI
import DeviceModel
import DeviceSimulator
import Gateway
import Testing

/// A device's conditions and the person's settings of its apps.
@Suite(.admin) struct ConditionTests {
    static let path = "/api/v1/devices/phone"

    @Test func conditionsAreMembersOfTheDeviceAndMerge() async throws {
        let body = #"{"ringSwitch":"silent","focus":{"modes":[{"id":"work","name":"Work"}],"active":"work"}}"#
        let made = try await admin.send("PUT", Self.path, body)
        #expect(made.status == 201)
        #expect(made.text.contains(#""ringSwitch":"silent""#) && made.text.contains(#""active":"work""#))
        let patched = try await admin.send("PATCH", Self.path, #"{"isLocked":false,"focus":{"active":null}}"#).text
        #expect(patched.contains(#""ringSwitch":"silent""#) && patched.contains(#""isLocked":false"#))
        #expect(patched.contains(#""id":"work""#) && !patched.contains(#""active":"work""#))
        // Members omitted in PUT have a new device's values.
        let put = try await admin.send("PUT", Self.path, #"{"isOnline":false}"#).text
        #expect(put.contains(#""ringSwitch":"ring""#) && put.contains(#""isOnline":false"#))
        #expect(put.contains(#""isLocked":true"#))
    }

    @Test("a device has 20 modes, each with 20 schedules", arguments: [(20, 200), (21, 400)])
    func focusIsLimited(_ count: Int, _ status: Int) async throws {
        let schedules = Array(repeating: #"{"days":"monday"}"#, count: count).joined(separator: ",")
        let modes = (1...count).map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
        _ = try await admin.send("PUT", Self.path)
        for (modes, name) in [(modes, "modes"), (#"{"id":"a","schedule":[\#(schedules)]}"#, "schedule")] {
            let answer = try await admin.send("PATCH", Self.path, #"{"focus":{"modes":[\#(modes)]}}"#)
            #expect(answer.status == status && (status == 200 || answer.text.contains(name)), "\(answer.text)")
        }
    }

    @Test func aFocusUntilAPastInstantIsOffAtOnceAsDescribed() async throws {
        let focus = #"{"focus":{"modes":[{"id":"work"}],"active":"work","until":"2026-11-21T06:59:59.000Z"}}"#
        #expect(try await admin.send("PUT", Self.path, focus).status == 201)
        let read = try await admin.get(Self.path).text
        #expect(read.contains(#""id":"work""#) && !read.contains(#""active":"work""#))
        #expect(OpenAPIDocument.text.contains("When the active mode ends, at once if it is past;"))
    }

    @Test func writingBackWhatWasReadChangesNothing() async throws {
        _ = try admin.register()
        _ = try await admin.send("PATCH", Self.path, #"{"showPreviews":"never","apps":{"a.b":{"sound":"disabled"}}}"#)
        let read = try await admin.get(Self.path).text
        for method in ["PUT", "PATCH"] { #expect(try await admin.send(method, Self.path, read).text == read) }
        // The second app has no settings on this device, so it follows the app's defaults.
        let apps = admin.gateway.simulator.appsOnDevice("phone")
        #expect(apps.map(\.hasOwnSettings) == [true, false])
    }

    @Test func settingsMergeAndNullRestoresTheAppsDefault() async throws {
        _ = try await admin.send("PUT", "/api/v1/apps/com.x", #"{"settings":{"badge":"disabled"}}"#)
        _ = try await admin.send("PUT", Self.path)
        func settings(_ body: String, _ method: String = "PATCH") async throws -> NotificationSettings? {
            #expect(try await admin.send(method, Self.path, body).status == 200)
            return admin.gateway.simulator.appsOnDevice("phone").first { $0.app.bundleID == "com.x" }?.settings
        }
        var expected = NotificationSettings()
        expected.badge = .disabled
        expected.sound = .disabled
        #expect(try await settings(#"{"apps":{"com.x":{"sound":"disabled"}}}"#) == expected)
        expected.alertStyle = .alert
        #expect(try await settings(#"{"apps":{"com.x":{"alertStyle":"alert"}}}"#) == expected)
        #expect(try await settings("{}", "PUT") == expected)
        expected.sound = .enabled
        #expect(try await settings(#"{"apps":{"com.x":{"alertStyle":"alert"}}}"#, "PUT") == expected)
        expected.alertStyle = .banner
        #expect(try await settings(#"{"apps":{"com.x":null}}"#) == expected)
        #expect(admin.gateway.simulator.appsOnDevice("phone").allSatisfy { !$0.hasOwnSettings })
    }

    static let wrong = [
        (#"{"isOnline":false,"ringSwitch":"loud"}"#, "'ringSwitch' is 'loud'; accepted: ring or silent."),
        (#"{"isOnline":false,"focus":{"active":"sleep"}}"#, "'focus.active'"),
        (#"{"isOnline":false,"apps":{"com.x":{"sound":"of"}}}"#, "'apps.com.x.sound' is 'of'"),
        (#"{"isOnline":false,"apps":{"com.x":{"sounds":"disabled"}}}"#, "did you mean sound?"),
        (#"{"isOnline":false,"apps":[]}"#, "'apps' is a list; accepted: an object"),
        (#"{"isOnline":false,"apps":{"a b":{}}}"#, "'apps' is 'a b'"),
        (#"{"isOnline":false,"registrations":[{"topic":"a b"}]}"#, "'registrations[0].topic' is 'a b'"),
        (
            #"{"isOnline":false,"registrations":[{"topic":"a","token":"01"},{"topic":"b","token":"01"}]}"#,
            "Duplicate 'registrations[1].token'"
        ),
        (#"{"isOnline":false,"registrations":[{"topic":"a","token":"00ff"}]}"#, "belongs to another registration"),
        (
            #"{"isOnline":false,"registrations":[{"topic":"a"},{"topic":"b"},{"topic":"a","status":"expired"}]}"#,
            "'registrations[2]' repeats 'registrations[0]': a device derives one token for a in the sandbox environment"
        ),
        (#"{"isOnlin":false}"#, "'isOnlin' is unknown; did you mean isOnline?"),
    ]

    @Test(arguments: wrong) func anErrorAnywhereChangesNothing(_ row: (body: String, words: String)) async throws {
        let taken = #"{"topic":"com.x","token":"00ff"}"#
        #expect(try await admin.send("POST", "/api/v1/devices/other/registrations", taken).status == 201)
        #expect(try await admin.send("PUT", Self.path).status == 201)
        let before = try await admin.get(Self.path).text
        for method in ["PUT", "PATCH"] {
            let answer = try await admin.send(method, Self.path, row.body)
            #expect(answer.status == (row.words.contains("belongs") ? 409 : 400))
            #expect(answer.text.contains(row.words), "\(answer.text)")
        }
        #expect(try await admin.get(Self.path).text == before)
        // No device is created either.
        #expect(try await admin.send("PUT", "/api/v1/devices/new", row.body).status >= 400)
        #expect(try await admin.get("/api/v1/devices/new").status == 404)
    }

    @Test func theListOfDevicesStaysShort() async throws {
        _ = try await admin.send("PUT", Self.path)
        let list = try await admin.get("/api/v1/devices").text
        #expect(list.contains(#""eventCount":0,"counts":"#) && !list.contains("ringSwitch"))
    }
}
