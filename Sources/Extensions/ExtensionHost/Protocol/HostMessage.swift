internal import APNs
internal import DeviceModel
internal import Fields
internal import JSON
internal import NIOCore

/// What the gateway tells an extension; docs/service-extension-protocol.md has the members.
enum HostMessage {
    /// The protocol's version, `protocol`.
    static let version = 1

    /// `didReceive(_:withContentHandler:)`.
    static func didReceive(_ request: ExtensionRequest, id: Int, folder: WorkingFolder?) -> ByteBuffer {
        let service = request.app.extension ?? ServiceExtension()
        var line = JSONLine(capacity: request.payload.count + 1024)
        line.append(raw: #"{"type":"didReceive","protocol":\#(version),"id":\#(id),"request":{"identifier":"#)
        line.append(.string(request.identifier))
        line.append(raw: #","date":"\#(request.at.text)","trigger":{"type":"push","repeats":false},"content":{"#)
        for member in request.content.changeableMembers {
            line.append(.string(member.name))
            line.append(raw: ":")
            line.append(member.value)
            line.append(raw: ",")
        }
        line.append(raw: #""userInfo":"#)
        if let userInfo = request.content.userInfo {
            line.append(OrderedJSON(userInfo))
        } else {
            line.append(document: request.payload)
        }
        line.append(raw: #"}},"app":"#)
        line.append(app(request.app))
        line.append(raw: #","device":"#)
        line.append(
            .object([
                .init("name", .string(request.device)), .init("locale", .string(request.locale)),
                .init("isUnlockedSinceBoot", .bool(request.isUnlockedSinceBoot)),
            ]))
        line.append(raw: #","settings":"#)
        line.append(request.settings.json)
        if let folder {
            line.append(raw: #","paths":"#)
            line.append(
                .object([
                    .init("temporary", .string(folder.temporary)), .init("groups", .string(folder.groups)),
                    .init("bundle", .string(folder.bundle)),
                ]))
        }
        line.append(raw: #","reusesInstance":\#(service.reusesInstance)}"#)
        return line.ended()
    }

    private static func app(_ app: App) -> OrderedJSON {
        .object([
            .init("bundleId", .string(app.bundleID)), .init("displayName", .string(app.displayName)),
            .init("entitlements", .array(app.entitlements.map { .string($0) })),
            .init("userActivityTypes", .array(app.userActivityTypes.map { .string($0) })),
        ])
    }

    /// `serviceExtensionTimeWillExpire()`.
    static func timeWillExpire(id: Int) -> ByteBuffer {
        JSONLine.of([.init("type", .string("serviceExtensionTimeWillExpire")), .init("id", .integer(id))])
    }

    /// The run is over; nobody waits for its answer.
    static func cancel(id: Int) -> ByteBuffer {
        JSONLine.of([.init("type", .string("cancel")), .init("id", .integer(id))])
    }

    /// The answer to a call of `UNUserNotificationCenter`.
    static func reply(call: Int, _ reply: CenterReply) -> ByteBuffer {
        let members: [OrderedJSON.Member] =
            switch reply {
            case .result(let result): [.init("result", OrderedJSON(result))]
            case .refused(let reason): [.init("result", .null), .init("error", .string(reason))]
            }
        return JSONLine.of([.init("type", .string("reply")), .init("call", .integer(call))] + members)
    }
}
