internal import DeviceModel

extension OpenAPIDocument {
    static let screen = #"""
          /api/v1/devices/{name}/screen:
            parameters:
              - {$ref: "#/components/parameters/deviceInPath"}
            get:
              tags: [events]
              summary: What the person holding the device could look at now
              operationId: screen
              responses:
                "200":
                  description: Lock screen and Notification Center in stacks, the newest first.
                  content:
                    application/json: {schema: {$ref: "#/components/schemas/Screen"}}
                \#(errors(404))
          /api/v1/devices/{name}/delivered:
            parameters:
              - {$ref: "#/components/parameters/deviceInPath"}
            get:
              tags: [events]
              summary: What `getDeliveredNotifications` gives an app
              operationId: delivered
              parameters:
                - {$ref: "#/components/parameters/app"}
              responses:
                "200":
                  description: The notifications, the newest first.
                  content:
                    application/json:
                      schema:
                        type: object
                        additionalProperties: false
                        required: [notifications]
                        properties:
                          notifications:
                            type: array
                            items:
                              type: object
                              additionalProperties: false
                              required: [identifier, notification, date, content]
                              properties:
                                identifier: {type: string}
                                notification: {type: integer, minimum: 1}
                                date: {$ref: "#/components/schemas/Time"}
                                content: {$ref: "#/components/schemas/NotificationContent", description: In the device's language.}
                \#(errors(404))
        """#

    static let screenSchemas = #"""
            Suggestion:
              type: object
              description: "A contact who has the sender's name, which alone is no match; counts once the action `confirmContact` confirmed it."
              required: [kind, person, name, contact, app]
              properties:
                kind: {const: contactAssociation}
                person: {type: string, description: "`person:BUNDLE/ID`, as the app knows the sender."}
                name: {type: string}
                contact: {type: string, description: The contact's identifier.}
                app: {type: string}
            Screen:
              type: object
              additionalProperties: false
              required: [at, isLocked, isScreenOn, lockScreen, notificationCenter, badges, prompts]
              properties:
                at: {$ref: "#/components/schemas/Time"}
                isLocked: {type: boolean}
                isScreenOn: {type: boolean}
                foregroundApp: {type: string}
                focus: {type: object, additionalProperties: false, required: [id, name], properties: {id: {type: string, minLength: 1}, name: {type: string}}}
                lockScreen: {type: array, items: {$ref: "#/components/schemas/Stack"}}
                notificationCenter: {type: array, items: {$ref: "#/components/schemas/Stack"}, description: Stacks with a communication notification come first.}
                nextSummary:
                  type: object
                  additionalProperties: false
                  description: Absent without a scheduled summary.
                  required: [count]
                  properties:
                    at: {$ref: "#/components/schemas/Time"}
                    count: {type: integer, minimum: 0}
                    notifications:
                      type: array
                      description: Only when `summary.showsNext`.
                      items: {$ref: "#/components/schemas/Card"}
                badges: {type: object, additionalProperties: {type: integer, minimum: 1}, description: By bundle identifier.}
                prompts:
                  type: array
                  description: What the system asks; answered with the action `answer`.
                  items:
                    type: object
                    additionalProperties: false
                    required: [app, prompt, choices]
                    properties:
                      app: {type: string}
                      prompt: {enum: [timeSensitiveIntro, timeSensitiveReview, provisional]}
                      choices: {type: array, items: {enum: [\#(words(DeviceAct.PromptChoice.allCases.map(\.rawValue)))]}}
            Stack:
              type: object
              additionalProperties: false
              description: Notifications that lie on each other, by the app's setting for grouping.
              required: [app, count, notifications]
              properties:
                app: {type: string}
                thread: {type: string}
                count: {type: integer, minimum: 0}
                text: {type: string, description: What stands under the notification on top.}
                notifications: {type: array, items: {$ref: "#/components/schemas/Card"}}
            Card:
              unevaluatedProperties: false
              allOf:
                - {$ref: "#/components/schemas/DisplayedText"}
                - type: object
                  required: [notification, identifier, at]
                  properties:
                    notification: {type: integer, minimum: 1}
                    identifier: {type: string}
                    at: {$ref: "#/components/schemas/Time"}
                    section: {const: whileInFocus, description: "On the lock screen: a Focus silenced it. It stays there when the Focus has ended."}
                    suggestion: {$ref: "#/components/schemas/Suggestion"}
                    buttons:
                      type: array
                      items:
                        type: object
                        additionalProperties: false
                        required: [identifier, title, isRed, opensApp, needsUnlock, takesText]
                        properties:
                          identifier: {type: string}
                          title: {type: string}
                          glyph: {type: string}
                          isRed: {type: boolean}
                          opensApp: {type: boolean}
                          needsUnlock: {type: boolean}
                          takesText: {type: boolean}
        """#
}
