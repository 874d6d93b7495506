import AdminAPI
import Testing

/// Apps: every member of the table can be written and read.
@Suite(.admin) struct AppTests {
    static let path = "/api/v1/apps/com.example.app"
    static let settings =
        #""settings":{"authorizationStatus":"authorized","alert":"enabled","sound":"enabled","badge":"enabled","#
        + #""lockScreen":"enabled","notificationCenter":"enabled","carPlay":"enabled","criticalAlert":"enabled","#
        + #""timeSensitive":"enabled","scheduledDelivery":"disabled","directMessages":"enabled","#
        + #""announcement":"enabled","announcesEverything":false,"alertStyle":"banner","grouping":"automatic"}"#

    @Test func anAppIsPutPatchedAndDeleted() async throws {
        let made = try await admin.send("PUT", Self.path, #"{"team":"TEAM","entitlements":["e"]}"#)
        #expect(made.status == 201)
        let rest =
            #""categories":[],"localizations":{},"userActivityTypes":[],"supportedIntents":[],"#
            + #""isFocusStatusAuthorized":false,"providesNotificationSettings":false,"hasServiceExtension":false,"#
            + #""isBroadcastEnabled":true,"# + Self.settings
        #expect(
            made.text == #"{"bundleId":"com.example.app","displayName":"app","team":"TEAM","entitlements":["e"],"#
                + rest + "}")
        let patched = try await admin.send("PATCH", Self.path, #"{"displayName":"Example"}"#).text
        #expect(patched == made.text.replacing(#":"app""#, with: #":"Example""#))
        #expect(try await admin.get("/api/v1/apps").text == #"{"apps":["# + patched + "]}")
        let replaced = try await admin.send("PUT", Self.path, "{}")
        #expect(replaced.status == 200)
        #expect(replaced.text == #"{"bundleId":"com.example.app","displayName":"app","entitlements":[],"# + rest + "}")
        #expect(try await admin.send("DELETE", Self.path).text == #"{"removed":1}"#)
        #expect(try await admin.send("DELETE", Self.path).text == #"{"removed":0}"#)
    }

    @Test(arguments: ["time-sensitive", "com.apple.developer.usernotifications.time-sensitve"])
    func aMisspeltEntitlementNamesTheNearest(_ name: String) async throws {
        let body = #"{"entitlements":["com.apple.developer.family-controls","\#(name)"]}"#
        let answer = try await admin.send("PUT", Self.path, body)
        let nearest = "did you mean com.apple.developer.usernotifications.time-sensitive?"
        #expect(answer.status == 400 && answer.text.contains("'entitlements[1]' is '\(name)'; \(nearest)"))
    }

    @Test func everyMemberIsKept() async throws {
        let body =
            #"{"bundleId":"com.example.app","displayName":"A","team":"T","entitlements":["e"],"categories":["#
            + #"{"identifier":"c","actions":[{"identifier":"r","title":"R","options":["foreground"],"#
            + #""icon":{"systemImageName":"heart"},"textInput":{"buttonTitle":"Send","placeholder":"Text"}}],"#
            + #""intentIdentifiers":["INSendMessageIntent"],"options":["customDismissAction"],"#
            + #""hiddenPreviewsBodyPlaceholder":"%u","summaryFormat":"%u more"}],"#
            + #""localizations":{"en":{"HELLO":"Hello"},"ja":{"HELLO":"こんにちは"}},"#
            + #""userActivityTypes":["u"],"supportedIntents":["i"],"presentationOptions":["banner"],"#
            + #""isFocusStatusAuthorized":true,"providesNotificationSettings":true,"hasMarketingConsent":false,"#
            + #""hasServiceExtension":true,"soundNames":["a.caf"],"#
            + #""liveActivities":{"supported":true,"frequentKey":true,"types":[{"name":"T","attributes":{"a":"String"},"#
            + #""contentState":{"b":"[Int]?"},"template":{"title":"{a}","lines":["{b}"]}}]},"isBroadcastEnabled":false,"#
            + Self.settings.replacing(#""grouping""#, with: #""showPreviews":"never","grouping""#) + "}"
        #expect(try await admin.send("PUT", Self.path, body).text == body)
        #expect(try await admin.get(Self.path).text == body)
        let state = try await admin.get("/api/v1/state").text
        #expect(try await admin.send("DELETE", Self.path).status == 200)
        #expect(try await admin.send("PUT", "/api/v1/state", state).status == 200)
        #expect(try await admin.get(Self.path).text == body)
    }

    @Test func aPatchMergesAndNullBringsBackTheDefault() async throws {
        let first = #"{"team":"T","displayName":"A","settings":{"alert":"disabled"},"entitlements":["a","b"]}"#
        _ = try await admin.send("PUT", Self.path, first)
        let second = #"{"team":null,"displayName":null,"settings":{"sound":"disabled"},"entitlements":["c"]}"#
        let text = try await admin.send("PATCH", Self.path, second).text
        #expect(text.hasPrefix(#"{"bundleId":"com.example.app","displayName":"app","entitlements":["c"],"#))
        #expect(text.contains(#""alert":"disabled","sound":"disabled","badge":"enabled""#))
    }

    @Test func anInvalidBodyChangesNothing() async throws {
        let before = try await admin.send("PUT", Self.path, #"{"team":"T"}"#).text
        let wrong = try await admin.send("PATCH", Self.path, #"{"team":"U","hasServiceExtension":"yes"}"#)
        #expect(wrong.text == #"{"error":"'hasServiceExtension' is 'yes'; accepted: true or false.","status":400}"#)
        #expect(try await admin.get(Self.path).text == before)
    }

    @Test func aStateWithAnInvalidAppIsRejectedWithThePlace() async throws {
        _ = try await admin.send("PUT", Self.path)
        let state = try await admin.get("/api/v1/state").text
        let wrong = state.replacing(#""alertStyle":"banner""#, with: #""alertStyle":"loud""#)
        let answer = try await admin.send("PUT", "/api/v1/state", wrong)
        #expect(answer.status == 400)
        #expect(answer.text.contains("'apps[0].settings.alertStyle' is wrong: it is"), "\(answer.text)")
    }

    @Test func theTablesAreDescribed() {
        for line in [
            "    App:", "    NotificationAction:", "    DeviceConditions:", "    Selection:",
            #"        team: {type: string, description: "The developer team's identifier."}"#,
        ] { #expect(OpenAPIDocument.text.split(separator: "\n").contains { $0 == line }, "\(line)") }
    }
}
