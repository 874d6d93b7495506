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
                \#(errors(404))
          /api/v1/devices/{name}/actions:
            parameters:
              - {$ref: "#/components/parameters/deviceInPath"}
            post:
              tags: [events]
              summary: Let the person or an app do something
              description: |
                What cannot be done now is refused with 409, what can never be done with 400; then nothing has changed. On a
                device that is switched off, nothing can be done.
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
                        additionalProperties: false
                        required: [events]
                        properties:
                          events: {type: array, items: {$ref: "#/components/schemas/Event"}}
                \#(errors(404, 409, 413, 415))
        """#

    /// The kinds of events, and everything that an act may name, are the model's own lists.
    static let deviceSchemas =
        #"""
            EventPage:
              type: object
              additionalProperties: false
              required: [events, next, hasMore, hasGap]
              properties:
                events: {type: array, items: {$ref: "#/components/schemas/Event"}}
                next: {type: string, pattern: "^[0-9]+$", description: Pass as `since`.}
                hasMore: {type: boolean, description: Whether more may follow at once.}
                hasGap: {type: boolean, description: Events after `since` are no longer kept.}
                outcome: {enum: [complete, timeout, stopping], description: Only with `wait`.}
            Event:
              type: object
              additionalProperties: false
              required: [at, event, number]
              properties:
                at: {$ref: "#/components/schemas/Time"}
                event: {$ref: "#/components/schemas/EventKind"}
                number: {type: integer, minimum: 1, description: "On the device: 1 for the first, one more each time."}
                notification: {type: integer, minimum: 1, description: The notification it is about.}
                app: {type: string, description: The app it is about.}
                details: {type: object, description: "More about it, such as a sound's `name`."}
            TimelineEntry:
              type: object
              additionalProperties: false
              required: [at, event]
              properties:
                at: {$ref: "#/components/schemas/Time"}
                event: {anyOf: [{const: accepted}, {$ref: "#/components/schemas/EventKind"}]}
                number: {type: integer, minimum: 1}
                notification: {type: integer, minimum: 1}
                app: {type: string}
                details: {type: object}
            DeliveryState: {enum: [accepted, stored, delivered, discarded]}
        """# + "\n"
        + [
            "    EventKind: {enum: [\(words(DeviceEvent.Kind.allCases.map(\.rawValue)))]}",
            "    DiscardReason: {enum: [\(words(DiscardReason.allCases.map(\.name)))]}",
            "    Timing: {enum: [\(words(Timing.allCases.map(\.name)))]}",
            "    Act:",
            "      description: The word in `action` tells which members go with it.",
            "      oneOf:",
        ].joined(separator: "\n") + "\n" + ActForm.all.map(act).joined(separator: "\n")

    static func words(_ words: [String]) -> String { words.joined(separator: ", ") }

    private static func act(_ form: ActForm) -> String {
        let required = ["action"] + form.required.map(\.rawValue)
        let members = (form.required + form.optional).map { member in
            "            \(member.rawValue): {\(type(of: member, in: form)), description: \"\(member.accepted)\"}"
        }
        let lines = [
            "        - type: object", "          additionalProperties: false",
            "          required: [\(words(required))]",
            "          properties:", "            action: {const: \(form.name)}",
        ]
        return (lines + members).joined(separator: "\n")
    }

    private static func type(of member: ActForm.Member, in form: ActForm) -> String {
        let type =
            switch member {
            case .notification, .count: "type: integer, minimum: 0, maximum: \(Int.max)"
            case .identifiers: "type: array, items: {type: string}"
            case .choice: "enum: [\(words(DeviceAct.PromptChoice.allCases.map(\.rawValue)))]"
            case .app: "$ref: \"#/components/schemas/Topic\""
            case .focus, .actionIdentifier, .text: "type: string"
            }
        return member == form.nullable ? "anyOf: [{\(type)}, {type: \"null\"}]" : type
    }
}
