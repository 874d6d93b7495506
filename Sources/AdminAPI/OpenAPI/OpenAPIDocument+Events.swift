internal import DeviceModel

extension OpenAPIDocument {
    static let events = #"""
          /api/v1/devices/{name}/events:
            parameters:
              - {$ref: "#/components/parameters/deviceInPath"}
            get:
              tags: [events]
              summary: What happened on a device, oldest first; waits when asked to
              description: |
                With `wait`, the answer comes as soon as `count` events after `since` match, or when the time is up. A device's
                `eventCount` is where it is now.
              operationId: events
              parameters:
                - {$ref: "#/components/parameters/since"}
                - {$ref: "#/components/parameters/kind"}
                - {$ref: "#/components/parameters/notification"}
                - {$ref: "#/components/parameters/limit"}
                - {$ref: "#/components/parameters/wait"}
                - {$ref: "#/components/parameters/count"}
              responses:
                "200":
                  description: Some of the events.
                  content:
                    application/json: {schema: {$ref: "#/components/schemas/EventPage"}}
                default: {$ref: "#/components/responses/Error"}
          /api/v1/devices/{name}/actions:
            parameters:
              - {$ref: "#/components/parameters/deviceInPath"}
            post:
              tags: [events]
              summary: Let the person or an app do something
              description: |
                What cannot be done now is refused with 409, what can never be done with 400; then nothing has changed.
              operationId: act
              requestBody:
                required: true
                content:
                  application/json: {schema: {$ref: "#/components/schemas/Act"}}
              responses:
                "200":
                  description: What came of it, oldest first.
                  content:
                    application/json:
                      schema:
                        type: object
                        required: [events]
                        properties:
                          events: {type: array, items: {$ref: "#/components/schemas/Event"}}
                default: {$ref: "#/components/responses/Error"}
        """#

    /// The kinds of events, and everything that an act may name, are the model's own lists.
    static let deviceSchemas =
        #"""
            EventPage:
              type: object
              required: [events, next, hasMore, hasGap]
              properties:
                events: {type: array, items: {$ref: "#/components/schemas/Event"}}
                next: {type: string, description: Pass as `since`.}
                hasMore: {type: boolean, description: Whether more may follow at once.}
                hasGap: {type: boolean, description: Events after `since` are no longer kept.}
                outcome: {enum: [complete, timeout, stopping], description: Only with `wait`.}
            Event:
              type: object
              required: [at, event, number]
              properties:
                at: {$ref: "#/components/schemas/Time"}
                event: {$ref: "#/components/schemas/EventKind"}
                number: {type: integer, description: "On the device: 1 for the first, one more each time."}
                notification: {type: integer, description: The notification it is about.}
                app: {type: string, description: The app it is about.}
                details: {type: object, description: "More about it, such as a sound's `name`."}
            TimelineEntry:
              type: object
              required: [at, event]
              properties:
                at: {$ref: "#/components/schemas/Time"}
                event: {anyOf: [{const: accepted}, {$ref: "#/components/schemas/EventKind"}]}
                number: {type: integer}
                notification: {type: integer}
                app: {type: string}
                details: {type: object}
            DeliveryState: {enum: [accepted, stored, delivered, discarded]}
        """# + "\n"
        + [
            "    EventKind: {enum: [\(words(DeviceEvent.Kind.allCases.map(\.rawValue)))]}",
            "    DiscardReason: {enum: [\(words(DiscardReason.allCases.map(\.name)))]}",
            "    Timing: {enum: [\(words(Timing.allCases.map(\.name)))]}",
            "    Act:",
            "      type: object",
            "      additionalProperties: false",
            "      required: [action]",
            "      properties:",
            "        action: {enum: [\(words(ActForm.all.map(\.name)))]}",
        ].joined(separator: "\n") + "\n" + ActForm.Member.allCases.map(property).joined(separator: "\n")

    private static func words(_ words: [String]) -> String { words.joined(separator: ", ") }

    private static func property(_ member: ActForm.Member) -> String {
        let forms = ActForm.all.filter { ($0.required + $0.optional).contains(member) }.map(\.name)
        let type =
            switch member {
            case .notification, .count: "type: integer"
            case .identifiers: "type: array, items: {type: string}"
            case .choice: "enum: [\(words(DeviceAct.PromptChoice.allCases.map(\.rawValue)))]"
            case .focus, .app: "type: [string, \"null\"]"
            case .actionIdentifier, .text: "type: string"
            }
        return "        \(member.rawValue): {\(type), description: \"With \(words(forms)): \(member.accepted).\"}"
    }
}
