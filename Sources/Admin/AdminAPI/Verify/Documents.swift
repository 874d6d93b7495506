internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Gateway
internal import JSON
internal import Queries
internal import Synchronization
internal import Webhooks

/// The documents that queries match: the API's own answers, with headers and payload by name.
enum DocumentKind: String, CaseIterable, Sendable {
    case notifications, requests, events

    /// The names whose values never change in a document.
    var fixedMembers: Set<String> {
        switch self {
        case .notifications:
            [
                "id", "identifier", "device", "topic", "token", "environment", "receivedAt", "apnsId", "apnsUniqueId",
                "pushType", "priority", "expiration", "collapseId", "payload", "headers",
            ]
        case .requests:
            [
                "number", "receivedAt", "connection", "environment", "source", "authentication", "apnsId", "token",
                "topic", "pushType", "payload", "headers",
            ]
        case .events: Set(DeviceEvent.roots.names)
        }
    }
}

extension AdminAPI {
    func document(_ notification: Notification) -> Document {
        var parts: [NotificationPart: JSONValue] = [:]
        return { name in
            let push = notification.push
            // The person sees what the extension answers, and nothing before.
            if NotificationPart.extensible.contains(name), notification.awaitsExtension { return nil }
            switch name {
            // Of a local notification, too.
            case "token": return .string(notification.registration.token.hex)
            case "payload": return JSONValue(push.payload.span.bytes)
            case "headers": return .headersByName(push.request.fields(token: notification.registration.token))
            case QueryPath.anyText:
                let content = notification.localizedContent
                return .array([content.title, content.subtitle, content.body].compactMap { .nonEmpty($0) })
            default:
                let part = NotificationPart(of: name)
                if part == .summary { return summary(notification, findings: []).member(name) }
                let answer = parts[part] ?? self.part(part, of: notification)
                parts[part] = answer
                return answer[name]
            }
        }
    }

    func document(_ record: RequestRecord) -> Document {
        { name in
            switch name {
            case "payload": JSONValue(record.request.payload.span.bytes)
            case "headers": .headersByName(record.request.fields(token: record.token))
            default: summary(record).member(name)
            }
        }
    }

    /// The condition of a list's `where` parameters; nil without.
    func condition(_ query: Query) -> NotificationQuery.Condition? {
        guard !query.isEmpty else { return nil }
        return NotificationQuery.Condition(
            dependsOnState: !query.roots.isSubset(of: DocumentKind.notifications.fixedMembers),
            matches: { query.matches(document($0)) })
    }
}

extension RequestQuery {
    /// The conditions of all `where` parameters.
    ///
    /// - Parameter roots: The names that a path may begin with.
    func query(_ roots: QueryRoots) throws(AdminError) -> Query {
        var found: [Condition] = []
        for text in conditions {
            do throws(QueryError) {
                found.append(try Condition(text, roots: roots))
            } catch {
                throw .badRequest(AdminError.sentence("'where' is wrong at \(error.description)"))
            }
        }
        guard found.count <= Query.maximumConditionCount else {
            throw .badRequest(
                "There are \(found.count) conditions; at most \(Query.maximumConditionCount) are accepted.")
        }
        return Query(found)
    }
}
