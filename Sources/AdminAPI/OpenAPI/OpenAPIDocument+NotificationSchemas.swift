internal import DeviceModel

extension OpenAPIDocument {
    static let notificationSchemas = #"""
            NotificationPage:
              type: object
              additionalProperties: false
              required: [notifications, next, hasMore, dropped, hasGap]
              properties:
                notifications: {type: array, items: {$ref: "#/components/schemas/NotificationSummary"}}
                next: {type: string, pattern: "^[0-9]+$", description: Pass as `since`.}
                hasMore: {type: boolean, description: Whether more may follow at once.}
                dropped: {type: integer, minimum: 0, description: Notifications that full inboxes dropped.}
                hasGap: {type: boolean, description: Some of the dropped ones came after `since`.}
                outcome: {enum: [complete, timeout, stopping], description: Only with `wait`.}
            NotificationSummary:
              unevaluatedProperties: false
              allOf: [{$ref: "#/components/schemas/NotificationMembers"}]
            NotificationMembers:
              type: object
              required: [id, identifier, device, topic, token, environment, state, receivedAt, settledAt, apnsId, apnsUniqueId, priority, findingCount]
              properties:
                id: {type: integer, minimum: 1, description: "Greater than those of all notifications before, on whatever device."}
                identifier: {type: string, minLength: 1, description: "`request.identifier`: the collapse identifier, or one of its own."}
                device: {type: string}
                topic: {type: string}
                token: {$ref: "#/components/schemas/DeviceToken"}
                environment: {$ref: "#/components/schemas/Environment"}
                state: {$ref: "#/components/schemas/DeliveryState"}
                discardReason: {$ref: "#/components/schemas/DiscardReason"}
                holdReason: {enum: [\#(words(HoldReason.allCases.map(\.name)))], description: Why it waits.}
                timing: {$ref: "#/components/schemas/Timing"}
                level: {enum: [passive, active, time-sensitive, critical], description: "The level in effect, after entitlements and settings."}
                places:
                  type: array
                  description: Where it can be seen now. Like timing and level, only of alerts that were delivered.
                  items: {enum: [lockScreen, notificationCenter, nextSummary]}
                receivedAt: {$ref: "#/components/schemas/Time"}
                settledAt: {$ref: "#/components/schemas/Time"}
                apnsId: {type: string, format: uuid, description: As the provider got it back.}
                apnsUniqueId: {type: string, format: uuid, description: Sent to the provider in the sandbox only.}
                pushType: {$ref: "#/components/schemas/PushType"}
                priority: {enum: [1, 5, 10]}
                expiration: {type: integer, minimum: 0, description: "Seconds since 1970; 0 is one attempt."}
                collapseId: {type: string}
                isCommunication: {type: boolean, description: Whether it is shown as what somebody wrote or as a call.}
                sender: {type: string, description: Who it comes from; of communication notifications only.}
                title: {type: string}
                subtitle: {type: string}
                body: {type: string}
                badge: {type: integer, minimum: 0}
                sound: {type: string}
                findingCount: {type: integer, minimum: 0, description: Without those that come from a comparison with earlier pushes.}
            Notification:
              unevaluatedProperties: false
              allOf:
                - {$ref: "#/components/schemas/NotificationMembers"}
                - type: object
                  required: [request, content, localized, circumstances, why, deliveryLog, findings, timeline]
                  properties:
                    request:
                      unevaluatedProperties: false
                      allOf:
                        - {$ref: "#/components/schemas/Payload"}
                        - type: object
                          required: [headers, connection]
                          properties:
                            headers: {$ref: "#/components/schemas/Headers"}
                            payload: {description: "The payload as JSON, byte for byte; absent when it is none."}
                            connection: {type: integer, minimum: 0, description: The connection's number; 0 for a push by this API.}
                    content: {$ref: "#/components/schemas/NotificationContent", description: What the app receives.}
                    localized:
                      type: object
                      additionalProperties: false
                      description: The texts in the device's language.
                      required: [title, subtitle, body]
                      properties:
                        title: {type: string}
                        subtitle: {type: string}
                        body: {type: string}
                    displayed:
                      unevaluatedProperties: false
                      allOf: [{$ref: "#/components/schemas/DisplayedText"}]
                      description: What the person sees; absent when there is nothing to see.
                    announcement: {type: string, description: "What Siri said: to headphones, on a HomePod or in the car. Absent when it was not read out."}
                    suggestion: {$ref: "#/components/schemas/Suggestion"}
                    alertReleasedAt: {$ref: "#/components/schemas/Time"}
                    extension: {$ref: "#/components/schemas/NotificationExtension", description: Absent where no extension is expected.}
                    presentation: {type: array, items: {enum: [\#(words(Presentation.allNames))]}, description: "What it did: banner, sound, haptic, …"}
                    circumstances:
                      type: object
                      additionalProperties: false
                      description: What surrounded the decision.
                      required: [device, app, settings]
                      properties:
                        device: {$ref: "#/components/schemas/DeviceConditions"}
                        app: {$ref: "#/components/schemas/App"}
                        settings: {$ref: "#/components/schemas/NotificationSettings"}
                    trace:
                      type: array
                      description: Every rule that was tried, in order; absent when there was nothing to decide.
                      items: {$ref: "#/components/schemas/TraceStep"}
                    why: {type: string, description: The outcome in one line.}
                    deliveryLog:
                      type: array
                      description: The states it went through, in the words of Apple's push console.
                      items:
                        type: object
                        additionalProperties: false
                        required: [at, text]
                        properties:
                          at: {$ref: "#/components/schemas/Time"}
                          text: {type: string}
                    findings: {type: array, items: {$ref: "#/components/schemas/Finding"}}
                    timeline:
                      type: array
                      description: "First `accepted`, then the device's events about it."
                      items: {$ref: "#/components/schemas/TimelineEntry"}
            DisplayedText:
              type: object
              required: [appName, title, isHidden, isCommunication]
              properties:
                appName: {type: string}
                title: {type: string, description: "The sender of a communication notification; the app's name where the content has no title."}
                subtitle: {type: string}
                watchSubtitle: {type: string, description: "Of a group message: what an Apple Watch has as subtitle, the recipients by their first names."}
                body: {type: string}
                isHidden: {type: boolean, description: Whether the preview is hidden.}
                label: {type: string, description: "What the system puts beside the title, such as Time Sensitive."}
                isCommunication: {type: boolean, description: Whether it is shown as what somebody wrote or as a call.}
                avatar:
                  type: object
                  additionalProperties: false
                  description: Who it comes from, or the group; absent while the preview is hidden.
                  minProperties: 1
                  maxProperties: 1
                  properties:
                    image: {type: string, format: uri-reference, description: Where the picture can be had.}
                    monogram: {type: string, description: The first letters of the name; empty without a name.}
            TraceStep:
              type: object
              additionalProperties: false
              required: [stage, rule, source, sentence]
              properties:
                stage: {type: string}
                rule: {type: string, description: "The rule's stable name, such as F5."}
                facts: {type: string, description: "What the rule asked, with the values it looked at."}
                answer: {type: string, description: Absent when the rule passed the decision on.}
                source: {type: string, description: Where the rule comes from.}
                sentence: {type: string, description: The step for people.}
            Headers:
              type: array
              description: The header fields in wire order, without `authorization`.
              items:
                type: object
                additionalProperties: false
                required: [name, value]
                properties:
                  name: {type: string}
                  value: {type: string}
            Payload:
              type: object
              required: [payloadByteCount]
              properties:
                payloadText: {type: string, description: Absent when the payload is not UTF-8.}
                payloadBase64: {type: string, description: Only when the payload is not UTF-8.}
                payloadByteCount: {type: integer, minimum: 0, description: As sent.}
            RequestSummary:
              unevaluatedProperties: false
              allOf: [{$ref: "#/components/schemas/RequestMembers"}]
            RequestMembers:
              type: object
              required: [number, receivedAt, connection, environment, authentication, apnsId, findings]
              properties:
                number: {type: integer, minimum: 1}
                receivedAt: {$ref: "#/components/schemas/Time"}
                connection: {type: integer, minimum: 0}
                environment: {$ref: "#/components/schemas/Environment"}
                authentication: {enum: [verifiedToken, unknownKey, certificate, "off", admin, none]}
                status: {type: integer, minimum: 200, maximum: 599, description: Absent when no answer was sent; `answer` says why.}
                reason: {type: string, description: APNs' word for a refusal.}
                fault: {type: string, description: The fault rule that fired.}
                answer:
                  type: object
                  additionalProperties: false
                  description: What became of an answer that did not leave at once.
                  required: [outcome, at]
                  properties:
                    outcome: {enum: [waiting, sent, withheld, reset, unprocessed, cancelled, connectionLost]}
                    at: {$ref: "#/components/schemas/Time"}
                apnsId: {type: string, format: uuid}
                token: {type: string}
                topic: {type: string}
                pushType: {type: string}
                notification: {type: integer, minimum: 1, description: The number of the notification it became.}
                diagnosis:
                  type: object
                  additionalProperties: false
                  description: What was wrong with a refused request, and what to change; never told to the provider.
                  required: [id, message]
                  properties:
                    id: {type: string}
                    message: {type: string}
                findings: {type: array, items: {$ref: "#/components/schemas/Finding"}}
            Request:
              unevaluatedProperties: false
              allOf:
                - {$ref: "#/components/schemas/RequestMembers"}
                - {$ref: "#/components/schemas/Payload"}
                - type: object
                  required: [headers]
                  properties:
                    headers: {$ref: "#/components/schemas/Headers"}
        """#
}
