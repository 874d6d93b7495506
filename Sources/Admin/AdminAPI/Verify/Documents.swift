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
            // The members that most queries read, without building the whole answer.
            switch name {
            case "device": return .string(notification.device)
            case "topic": return .string(notification.registration.topic)
            case "token": return .string(notification.registration.token.hex)
            case "state": return .string(notification.state.kind.rawValue)
            case "timing": return notification.outcome.map { .string($0.timing.rawValue) }
            case "pushType": return push.pushType.map { .string($0.name) }
            case "priority": return .integer(push.priority.rawValue)
            case "collapseId": return push.collapseID.map { .string($0) }
            case "payload": return JSONValue(push.payload.span.bytes)
            case "headers": return .headersByName(push.request.fields(token: notification.registration.token))
            case "title": return .nonEmpty(notification.localizedContent.title)
            case "subtitle": return .nonEmpty(notification.localizedContent.subtitle)
            case "body": return .nonEmpty(notification.localizedContent.body)
            case QueryPath.anyText:
                let content = notification.localizedContent
                return .array([content.title, content.subtitle, content.body].compactMap { .nonEmpty($0) })
            default:
                let part = NotificationPart(of: name)
                let answer = parts[part] ?? self.part(part, of: notification)
                parts[part] = answer
                return answer[name]
            }
        }
    }

    func document(_ record: RequestRecord) -> Document {
        var answer: JSONValue?
        return { [self] name in
            switch name {
            case "payload": return JSONValue(record.request.payload.span.bytes)
            case "headers": return .headersByName(record.request.fields(token: record.token))
            default:
                let summary = answer ?? JSONValue(self.summary(record))
                answer = summary
                return summary[name]
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
