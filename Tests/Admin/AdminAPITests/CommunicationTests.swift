import APNs
import DeviceModel
import Foundation
import Gateway
import Testing

@testable import Media

/// The API's answers about notifications updated from an intent.
@Suite(.admin) struct CommunicationTests {
    @Test("S0-35 S0-36 E.2 the sender is the title, in list, detail and screen") func showsTheSender() async throws {
        let id = try await admin.push(changedBy: PeopleTests.message())
        let list = try await admin.get("/api/v1/notifications").text
        #expect(list.contains(#""isCommunication":true,"sender":"Neko Neko","title":"Push","body":"Hi""#))
        let detail = try await admin.get("/api/v1/notifications/\(id)").text
        let displayed =
            #""title":"Neko Neko","body":"Hi","isHidden":false,"isCommunication":true,"avatar":{"monogram":"NN"}"#
        #expect(detail.contains(displayed))
        #expect(detail.contains(#""intent":"INSendMessageIntent""#))
        #expect(try await admin.get("/api/v1/devices/phone/screen").text.contains(displayed))
        let explanation = try await admin.get("/api/v1/notifications/\(id)/explanation").text
        #expect(explanation.contains("Shown as: Neko Neko | Hi"))
    }

    @Test("S3-22 S0-32 B.7 a hidden preview hides the sender, the picture and a suggested contact")
    func hides() async throws {
        try admin.register()
        _ = try await admin.send("PATCH", "/api/v1/devices/phone", PeopleTests.contacts)
        try await admin.push(changedBy: PeopleTests.message())
        _ = try await admin.send("PATCH", "/api/v1/devices/phone", #"{"showPreviews":"never"}"#)
        let screen = try await admin.get("/api/v1/devices/phone/screen").text
        #expect(screen.contains(#""title":"Chat","body":"Notification","isHidden":true,"isCommunication":true}"#))
        #expect(!screen.contains("Neko") && !screen.contains("avatar"))
    }

    // MARK: Files

    static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    @Test("S2-1 S3-22 the avatar's address returns the sender's picture") func picture() async throws {
        try await admin.withExtensionFolder { _ in
            let image = #"{"displayName":"Neko","image":{"kind":"data","value":"iVBORw0KGgo="}}"#
            let answer = #"{"communication":{"class":"INSendMessageIntent","sender":\#(image)}}"#
            try await admin.push(changedBy: answer, device: "my phone")
            let screen = try await admin.get("/api/v1/devices/my%20phone/screen").text
            let start = try #require(screen.split(separator: #""avatar":{"image":""#).dropFirst().first)
            let path = String(start.prefix { $0 != "\"" })
            #expect(path.hasPrefix("/api/v1/devices/my%20phone/images/"))
            let picture = try await admin.get(path)
            #expect(picture.status == 200 && picture.body == Self.png)
            #expect(picture.headers["content-type"] == "image/png")
            #expect(picture.headers["x-content-type-options"] == "nosniff")
            let tag = try #require(picture.headers["etag"])
            #expect(path.hasSuffix("/" + tag.dropFirst().dropLast()))
            for known in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
                let again = try await admin.send("GET", path, headers: [("if-none-match", known)])
                #expect(again.status == 304 && again.body.isEmpty && again.headers["etag"] == tag)
            }
            #expect(try await admin.send("GET", path, headers: [("if-none-match", "\"x\"")]).status == 200)
        }
    }

    @Test("C.7 a moved attachment can be fetched by name or digest") func attachment() async throws {
        try await admin.withExtensionFolder { folder in
            let file = folder.appending(path: "cat.png")
            try Data(Self.png).write(to: file)
            let files = #"{"identifier":"my cat","url":"\#(file)"},{"identifier":"dog","url":"file:///t/dog.png"}"#
            let id = try await admin.push(changedBy: #"{"attachments":[\#(files)]}"#)
            #expect(!FileManager.default.fileExists(atPath: file.path))
            let path = "/api/v1/notifications/\(id)/attachments"
            let found = try await admin.get("\(path)/my%20cat")
            #expect(found.status == 200 && found.body == Self.png)
            #expect(found.headers["content-type"] == "image/png")
            let digest = try #require(found.headers["etag"]).dropFirst().dropLast()
            #expect(try await admin.get("\(path)/\(digest)").body == Self.png)
            let unknown = try await admin.get("\(path)/dog")
            #expect(unknown.status == 404 && unknown.text.contains("it has my cat"))
            try FileManager.default.removeItem(atPath: try #require(admin.gateway.media).folder)
            let gone = try await admin.get("\(path)/my%20cat")
            #expect(gone.status == 404 && gone.text.contains("evicted"))
            #expect(try await admin.get("/api/v1/notifications/99/attachments/x").status == 404)
        }
    }

    @Test("browsers show pictures and download everything else") func disposition() async throws {
        try await admin.withExtensionFolder { folder in
            let sound = Array("RIFF\0\0\0\0WAVEfmt ".utf8)
            for (name, bytes, shown) in [("cat.png", Self.png, nil), ("cat.wav", sound, "attachment")] {
                let file = folder.appending(path: name)
                try Data(bytes).write(to: file)
                let id = try await admin.push(changedBy: #"{"attachments":[{"identifier":"cat","url":"\#(file)"}]}"#)
                let found = try await admin.get("/api/v1/notifications/\(id)/attachments/cat")
                #expect(found.status == 200 && found.body == bytes, "\(name)")
                #expect(found.headers["content-disposition"] == shown, "\(name)")
            }
        }
    }

    @Test("C.7 an attachment without a file has only its address") func attachmentWithoutFile() async throws {
        let id = try await admin.push(changedBy: #"{"attachments":[{"identifier":"a","url":"file:///t/a.png"}]}"#)
        let answer = try await admin.get("/api/v1/notifications/\(id)/attachments/a")
        #expect(answer.status == 404 && answer.text.contains("was never received"))
        let other = try await admin.push(changedBy: "{}")
        #expect(try await admin.get("/api/v1/notifications/\(other)/attachments/a").text.contains("it has none"))
    }

    static let refused: [(path: String, status: Int, text: String)] = [
        ("/api/v1/devices/phone/images/\(String(repeating: "0", count: 64))", 404, "There is no picture 0000"),
        ("/api/v1/devices/phone/images/cat.png", 400, "64 hexadecimal digits"),
        ("/api/v1/devices/tablet/images/\(String(repeating: "0", count: 64))", 404, "tablet"),
        ("/api/v1/notifications/x/attachments/y", 400, "whole number"),
    ]

    @Test("missing files and wrong paths are rejected", arguments: refused) func refuses(
        _ path: String, _ status: Int, _ text: String
    )
        async throws
    {
        try admin.register()
        let answer = try await admin.get(path)
        #expect(answer.status == status)
        #expect(answer.text.contains(text))
    }
}
