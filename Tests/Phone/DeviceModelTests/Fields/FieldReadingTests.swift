import Fields
import Foundation
import Testing

@testable import DeviceModel

/// Reading changes only the given members.
@Suite struct FieldReadingTests {
    /// A device with conditions other than the defaults.
    static func device() throws -> DeviceConditions {
        var device = DeviceConditions()
        try device.apply(
            json(
                #"""
                {"locale": "ja_JP", "foregroundApp": "a.b", "isLocked": false, "announce": {"isEnabled": true},
                 "contacts": [{"id": "C1", "name": "Hanako"}],
                 "focus": {"active": "work", "modes": [{"id": "work", "name": "Work", "people": {"ids": ["contact:C1"]}}]}}
                """#))
        return device
    }

    @Test func objectsMerge() throws {
        var device = try Self.device()
        try device.apply(json(#"{"announce": {"inCarPlay": false}, "isScreenOn": true}"#))
        #expect(device.announce.isEnabled && !device.announce.inCarPlay)
        var expected = try Self.device()
        expected.announce.inCarPlay = false
        expected.isScreenOn = true
        #expect(device == expected)
    }

    @Test func listsAreReplaced() throws {
        var device = try Self.device()
        try device.apply(json(#"{"contacts": [{"id": "C2"}], "focus": {"modes": [{"id": "work"}]}}"#))
        #expect(device.contacts.map(\.id) == ["C2"])
        #expect(device.contacts[0].name == "")
        #expect(device.focus.modes[0].name == "" && device.focus.active == "work")
    }

    @Test func nullBringsBackTheDefault() throws {
        var device = try Self.device()
        try device.apply(
            json(#"{"locale":null,"foregroundApp":null,"isLocked":null,"announce":null,"focus":{"active":null}}"#))
        #expect(device.locale == "en_US" && device.foregroundApp == nil && device.isLocked)
        #expect(device.announce == DeviceConditions.Announce())
        #expect(device.focus.active == nil && device.focus.modes.count == 1)
    }

    @Test func nullBringsBackAnAppsOwnName() throws {
        var app = App(bundleID: "com.example.tea", displayName: "Tea")
        try app.apply(json(#"{"displayName":null,"bundleId":null}"#))
        #expect(app == App(bundleID: "com.example.tea"))
        #expect(app.displayName == "tea")
    }

    @Test func languagesMergeAndNullRemovesOne() throws {
        var app = App(bundleID: "a.b")
        app.localizations = ["en": ["A": "a", "B": "b"], "ja": ["A": "あ"]]
        try app.apply(json(#"{"localizations":{"en":{"B":"c","A":null},"ja":null,"de":{"A":"ä"}}}"#))
        #expect(app.localizations == ["en": ["B": "c"], "de": ["A": "ä"]])
    }

    @Test func anOptionalObjectIsMergedOrCreated() throws {
        var action = NotificationAction(identifier: "r", title: "Reply")
        try action.apply(json(#"{"textInput":{"buttonTitle":"Send"}}"#))
        #expect(action.textInput == .init(buttonTitle: "Send"))
        try action.apply(json(#"{"textInput":{"placeholder":"Text"}}"#))
        #expect(action.textInput == .init(buttonTitle: "Send", placeholder: "Text"))
        try action.apply(json(#"{"textInput":null}"#))
        #expect(action.textInput == nil)
    }

    @Test func anErrorChangesNothing() throws {
        var device = try Self.device()
        #expect(throws: FieldError.self) {
            try device.apply(json(#"{"isLocked":true,"locale":"de_DE","ringSwitch":"loud"}"#))
        }
        #expect(device == (try Self.device()))
    }

    @Test func membersOfOtherTablesAreIgnored() throws {
        var device = DeviceConditions()
        try device.apply(json(#"{"registrations":1,"isLocked":false}"#), besides: ["registrations"])
        #expect(!device.isLocked)
    }

    @Test func decodingErrorsHaveTheirPlace() throws {
        let text = #"{"a":[{"bundleId":"a.b","displayName":"b","settings":{"alert":"on"}}]}"#
        #expect {
            try JSONDecoder().decode([String: [App]].self, from: Data(text.utf8))
        } throws: { error in
            guard case .dataCorrupted(let context) = error as? DecodingError else { return false }
            return context.codingPath.map(\.stringValue).suffix(2) == ["settings", "alert"]
                && context.debugDescription == #"it is "on"; accepted: enabled, disabled or notSupported"#
        }
    }
}
