import DeviceModel
import DeviceSimulator
import Foundation
import Pictures
import TestSupport
import Testing

/// Pictures show exactly what the person saw.
@Suite(.admin) struct PictureTests {
    struct Row: CustomTestStringConvertible {
        var timing: Timing
        /// The body of a `PATCH` before the push.
        var device = "{}"
        var settings = "{}"
        var aps = #""alert":{"title":"Parcel","body":"It is here."}"#
        /// The picture without `form`, by its title.
        var inSight: String
        var shownOn: Set<PhonePicture.Form>

        var testDescription: String { "\(timing)" }
    }

    private static let inUse = #""isLocked":false,"isScreenOn":true"#

    static let rows = [
        Row(timing: .now, inSight: "Lock screen", shownOn: [.expanded, .watch, .lockScreen, .notificationCenter]),
        Row(
            timing: .now, device: "{\(inUse)}", inSight: "A banner over an app",
            shownOn: [.expanded, .watch, .banner, .notificationCenter]),
        Row(
            timing: .quiet, settings: #"{"authorizationStatus":"provisional"}"#, inSight: "Notification Center",
            shownOn: [.expanded, .notificationCenter]),
        Row(
            timing: .foreground, device: #"{\#(inUse),"foregroundApp":"com.example.app"}"#, inSight: "Lock screen",
            shownOn: [.expanded]),
        Row(
            timing: .silencedByFocus, device: #"{"focus":{"modes":[{"id":"work","name":"Work"}],"active":"work"}}"#,
            inSight: "Notification Center", shownOn: [.expanded, .notificationCenter]),
        Row(
            timing: .deferredToSummary, device: #"{"summary":{"isEnabled":true}}"#,
            settings: #"{"scheduledDelivery":"enabled"}"#, inSight: "Lock screen", shownOn: [.expanded]),
        Row(timing: .notAllowed, settings: #"{"authorizationStatus":"denied"}"#, inSight: "Lock screen", shownOn: []),
        Row(timing: .nothingToShow, aps: #""badge":4"#, inSight: "Lock screen", shownOn: []),
    ]

    @Test("A notification appears in the picture of each form it was shown in", arguments: rows)
    func showsWhatWasShown(_ row: Row) async throws {
        let token = try admin.register()
        _ = try await admin.send("PUT", "/api/v1/apps/com.example.app", #"{"settings":\#(row.settings)}"#)
        _ = try await admin.send("PATCH", "/api/v1/devices/phone", row.device)
        #expect(admin.push(token, #"{"aps":{\#(row.aps)}}"#) == 200)
        let detail = try await admin.get("/api/v1/notifications/1").text
        // A device that shows nothing of an app has no timing.
        let told = row.timing == .notAllowed ? #""discardReason":"disabled""# : #""timing":"\#(row.timing.rawValue)""#
        #expect(detail.contains(told))
        let picture = try await admin.get("/api/v1/notifications/1/picture.svg")
        #expect(picture.text.contains("<title>\(row.inSight)</title>"))
        for form in PhonePicture.Form.allCases where form != .homeIcon {
            let svg = try await admin.get("/api/v1/notifications/1/picture.svg?form=\(form)&appearance=dark").text
            #expect(svg.contains(">Parcel<") == row.shownOn.contains(form), "\(form)")
        }
    }

    @Test("Every timing has a row") func everyTimingHasARow() {
        #expect(Set(Self.rows.map(\.timing)) == Set(Timing.allCases))
    }

    @Test("A picture loads no resources, runs no scripts, and answers If-None-Match with 304")
    func pictureHasItsHeaders() async throws {
        #expect(admin.push(try admin.register()) == 200)
        let path = "/api/v1/devices/phone/screen.svg"
        let picture = try await admin.get(path)
        #expect(picture.status == 200 && picture.headers["content-type"] == "image/svg+xml; charset=utf-8")
        #expect(picture.headers["content-security-policy"] == "default-src 'none'; img-src data:; sandbox")
        #expect(picture.headers["x-content-type-options"] == "nosniff")
        let tag = try #require(picture.headers["etag"])
        let again = try await admin.send("GET", path, headers: [("If-None-Match", tag)])
        #expect(again.status == 304 && again.body.isEmpty && again.headers["etag"] == tag)
        let auto = try await admin.get(path + "?appearance=auto")
        #expect(auto.headers["content-security-policy"]?.contains("style-src 'unsafe-inline'") == true)
        let changed = try await admin.send("GET", path + "?appearance=dark", headers: [("If-None-Match", tag)])
        #expect(changed.status == 200)
        #expect(try await admin.get(path + "?form=poster").text.contains("accepted are lockScreen,"))
        #expect(try await admin.get(path + "?appearance=sepia").status == 400)
        #expect(try await admin.get("/api/v1/devices/none/screen.svg").status == 404)
        #expect(try await admin.get("/api/v1/notifications/9/picture.svg").status == 404)
    }

    @Test("Without a form, the picture shows the visible form, and is dark if the screen is")
    func inSightFollowsTheDevice() async throws {
        func title(_ change: String) async throws -> String {
            _ = try await admin.send("PATCH", "/api/v1/devices/phone", change)
            let svg = try await admin.get("/api/v1/devices/phone/screen.svg").text
            return String((svg.firstMatch(of: /<title>(.*?)<\/title>/)?.1 ?? "")) + (svg.isDim ? ", dark" : "")
        }
        let token = try admin.register()
        #expect(try await title("{}") == "Lock screen, dark")
        #expect(try await !admin.get("/api/v1/devices/phone/screen.svg?form=lockScreen").text.isDim)
        #expect(try await title(#"{"isScreenOn":true}"#) == "Lock screen")
        #expect(try await title(#"{"isLocked":false}"#) == "Notification Center")
        #expect(admin.push(token) == 200)
        #expect(try await title("{}") == "A banner over an app")
        #expect(try await title(#"{"isScreenOn":false}"#) == "Lock screen, dark")
        #expect(try await title(#"{"isPoweredOn":false}"#).hasPrefix("Lock screen"))
    }

    @Test("A banner is up for 5 s, a persistent one until the person acts on it") func bannersGo() async throws {
        let token = try admin.register()
        _ = try await admin.send("PUT", "/api/v1/clock", #"{"mode":"manual"}"#)
        _ = try await admin.send("PATCH", "/api/v1/devices/phone", "{\(Self.inUse)}")
        func hasBanner(after seconds: String) async throws -> Bool {
            _ = try await admin.send("POST", "/api/v1/clock/advance", #"{"by":"\#(seconds)"}"#)
            return try await admin.get("/api/v1/devices/phone/screen").text.contains(#""banner":{"notification""#)
        }
        #expect(admin.push(token) == 200)
        #expect(try await hasBanner(after: "4s"))
        #expect(try await !hasBanner(after: "1s"))
        _ = try await admin.send(
            "PATCH", "/api/v1/devices/phone", #"{"apps":{"com.example.app":{"alertStyle":"alert"}}}"#)
        #expect(admin.push(token) == 200)
        #expect(try await hasBanner(after: "1h"))
        _ = try await admin.send("POST", "/api/v1/devices/phone/actions", #"{"action":"dismiss","notification":2}"#)
        #expect(try await !hasBanner(after: "1s"))
    }

    @Test("H.5 A delivered summary is its own card in the picture and a member of the screen")
    func summaryIsACard() async throws {
        let token = try admin.register()
        _ = try await admin.send("PUT", "/api/v1/clock", #"{"mode":"manual"}"#)
        _ = try await admin.send(
            "PATCH", "/api/v1/devices/phone",
            #"{"summary":{"isEnabled":true},"apps":{"com.example.app":{"scheduledDelivery":"enabled"}}}"#)
        for title in ["First", "Second", "Third"] {
            #expect(admin.push(token, #"{"aps":{"alert":{"title":"\#(title)"}}}"#) == 200)
        }
        #expect(try await !admin.get("/api/v1/devices/phone/screen").text.contains(#""summary":"#))
        _ = try await admin.send("POST", "/api/v1/clock/advance", #"{"by":"12h"}"#)
        let screen = try await admin.get("/api/v1/devices/phone/screen").text
        #expect(screen.contains(#""summary":{"count":3,"notifications":[{"#))
        let svg = try await admin.get("/api/v1/devices/phone/screen.svg?form=lockScreen").text
        #expect(svg.contains("Your scheduled summary") && svg.contains("3 notifications"))
        #expect(!svg.contains("data-notification"))
    }

    @Test("The file contains the attachment unless the preview is hidden") func imagesAreEmbedded() async throws {
        try await admin.withExtensionFolder { folder in
            let lake = try Data(contentsOf: Golden.folder("Admin/PicturesTests").appending(path: "lake.png"))
            try lake.write(to: folder.appending(path: "lake.png"))
            try await admin.push(
                changedBy:
                    #"{"title":"T","body":"B","attachments":[{"identifier":"a b","url":"\#(folder.appending(path: "lake.png"))"}]}"#
            )
            let detail = try await admin.get("/api/v1/notifications/1").text
            #expect(detail.contains(#""thumbnail":"/api/v1/notifications/1/attachments/a%20b""#))
            let svg = try await admin.get("/api/v1/devices/phone/screen.svg?form=lockScreen").text
            #expect(svg.contains("xlink:href=\"data:image/png;base64,\(lake.base64EncodedString())\""))
            _ = try await admin.send("PATCH", "/api/v1/devices/phone", #"{"showPreviews":"never"}"#)
            #expect(try await !admin.get("/api/v1/devices/phone/screen.svg?form=lockScreen").text.contains("<image"))
        }
    }
}

extension String {
    fileprivate var isDim: Bool { contains(##"fill="#000000" fill-opacity="0.65""##) }
}
