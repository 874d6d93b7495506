internal import DeviceModel
internal import Fields
internal import JSON
internal import NIOCore
internal import Time

/// Messages to an extension; docs/service-extension-protocol.md has the members.
enum HostMessage {
    /// The member `protocol`.
    static let version = 1

    static func didReceive(_ request: ExtensionRequest, id: Int, folder: WorkingFolder?) -> ByteBuffer {
        let service = request.app.extension ?? ServiceExtension()
        var content = request.content.changeableMembers
        content["userInfo"] = request.content.userInfo?.sorted ?? .verbatim(onOneLine(request.payload))
        return line([
            "type": .string("didReceive"), "protocol": .integer(version), "id": .integer(id),
            "request": [
                "identifier": .string(request.identifier), "date": .string(request.at.text),
                "trigger": ["type": .string("push"), "repeats": .bool(false)], "content": .object(content),
            ],
            "app": app(request.app),
            "device": [
                "name": .string(request.device), "locale": .string(request.locale),
                "isUnlockedSinceBoot": .bool(request.isUnlockedSinceBoot),
            ],
            "settings": request.settings.json,
            "paths": folder.map {
                ["temporary": .string($0.temporary), "groups": .string($0.groups), "bundle": .string($0.bundle)]
            },
            "reusesInstance": .bool(service.reusesInstance),
        ])
    }

    private static func app(_ app: App) -> JSONValue {
        [
            "bundleId": .string(app.bundleID), "displayName": .string(app.displayName),
            "entitlements": .strings(app.entitlements), "userActivityTypes": .strings(app.userActivityTypes),
        ]
    }

    static func timeWillExpire(id: Int) -> ByteBuffer {
        line(["type": .string("serviceExtensionTimeWillExpire"), "id": .integer(id)])
    }

    static func cancel(id: Int) -> ByteBuffer { line(["type": .string("cancel"), "id": .integer(id)]) }

    static func reply(call: Int, _ reply: CenterReply) -> ByteBuffer {
        let message: JSONValue = ["type": .string("reply"), "call": .integer(call)]
        return switch reply {
        case .result(let result): line(message.adding(["result": result.sorted]))
        case .refused(let reason): line(message.adding(["result": .null, "error": .string(reason)]))
        }
    }

    private static func line(_ message: JSONValue) -> ByteBuffer {
        ByteBuffer(bytes: message.bytes + [UInt8(ascii: "\n")])
    }

    /// Replaces line breaks, which JSON allows only between values, with spaces.
    private static func onOneLine(_ document: [UInt8]) -> [UInt8] {
        document.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 }
    }
}

extension NotificationContent {
    /// The members that an extension may change, except `userInfo`.
    var changeableMembers: JSONObject {
        let others = [
            "titleLocalization", "subtitleLocalization", "bodyLocalization", "isMutable", "isContentAvailable",
            "userInfo", "communication",
        ]
        guard case .object(let members) = json else { return [:] }
        return members.filter { !others.contains($0.key) }
    }
}
