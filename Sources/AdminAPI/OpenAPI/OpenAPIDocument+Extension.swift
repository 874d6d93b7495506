internal import DeviceModel
internal import Fields

extension OpenAPIDocument {
    /// What is told of service extensions; the words are the model's own lists.
    static let extensionSchemas = #"""
            NotificationExtension:
              description: What the service extension had to do with it; `state` tells which members there are.
              oneOf:
                - type: object
                  additionalProperties: false
                  required: [state]
                  properties:
                    state: {const: running, description: The extension has it.}
                - type: object
                  additionalProperties: false
                  required: [state, message]
                  properties:
                    state: {const: waiting, description: The device has not taken the push yet.}
                    message: {type: string}
                - type: object
                  additionalProperties: false
                  required: [state, rule, message, source]
                  properties:
                    state: {const: notEmployed, description: The extension is not asked.}
                    rule: {enum: [\#(words(ExtensionCondition.allCases.map(\.rawValue)))], description: The condition that does not hold.}
                    message: {type: string}
                    source: {type: string, description: Where the rule comes from.}
                - type: object
                  additionalProperties: false
                  required: [state, verdict, rule, message, source, before, changes, run]
                  properties:
                    state: {const: finished, description: The extension is done with it.}
                    verdict: {enum: [\#(words(ExtensionDecision.Verdict.allCases.map(\.rawValue)))], description: What is shown.}
                    rule: {type: string, description: "The rule that decided, such as `nse.answered`."}
                    message: {type: string}
                    source: {type: string, description: Where the rule comes from.}
                    before: {$ref: "#/components/schemas/NotificationContent"}
                    after: {$ref: "#/components/schemas/NotificationContent"}
                    changes:
                      type: array
                      description: The members of the content that differ.
                      items:
                        type: object
                        additionalProperties: false
                        required: [member]
                        properties:
                          member: {enum: [\#(words(NotificationContent.fieldNames))]}
                          before: {description: "The value before; absent when there was none."}
                          after: {description: "The value after; absent when there is none."}
                    run: {$ref: "#/components/schemas/ExtensionRun"}
            ExtensionRun:
              type: object
              description: A run as its supervisor saw it.
              additionalProperties: false
              required: [end, ignoredAnswers, startedAt, endedAt, isNewProcess, log, donations, centerCalls, findings]
              properties:
                end: {enum: [\#(words(ExtensionRun.End.allCases.map(\.rawValue)))]}
                detail: {type: string, minLength: 1, description: "More about the end, such as `exit status 0`."}
                answerSource: {enum: [\#(words(ExtensionRun.AnswerSource.allCases.map(\.rawValue)))], description: Absent without an answer.}
                ignoredAnswers: {type: integer, minimum: 0, description: Calls of the handler after the first.}
                startedAt: {$ref: "#/components/schemas/Time"}
                expiredAt: {$ref: "#/components/schemas/Time", description: When `serviceExtensionTimeWillExpire` was called.}
                endedAt: {$ref: "#/components/schemas/Time"}
                isNewProcess: {type: boolean, description: Whether a process was started for it.}
                startUpMilliseconds: {type: number, minimum: 0, description: Real time until `didReceive` was entered.}
                answerMilliseconds: {type: number, minimum: 0, description: Real time until the handler was called.}
                peakMemoryBytes: {type: integer, minimum: 0}
                log:
                  type: array
                  description: What it logged, oldest first.
                  items:
                    type: object
                    additionalProperties: false
                    required: [level, message]
                    properties:
                      level: {type: string}
                      message: {type: string}
                output: {type: string, minLength: 1, description: The end of what it wrote to standard error and output.}
                donations: {type: array, items: {$ref: "#/components/schemas/Donation"}}
                centerCalls:
                  type: array
                  description: "What it asked of UNUserNotificationCenter, in order."
                  items:
                    type: object
                    additionalProperties: false
                    required: [name, arguments]
                    properties:
                      name: {type: string, description: "Such as `setBadgeCount`."}
                      arguments: {description: What it was called with.}
                findings: {type: array, items: {$ref: "#/components/schemas/Finding"}}
            Donation:
              type: object
              description: An interaction that was donated.
              additionalProperties: false
              required: [identifier, direction, intent]
              properties:
                identifier: {type: string}
                groupIdentifier: {type: string}
                direction: {enum: [\#(words(Donation.Direction.allCases.map(\.rawValue)))]}
                dateInterval:
                  type: object
                  additionalProperties: false
                  required: [start, duration]
                  properties:
                    start: {$ref: "#/components/schemas/Time"}
                    duration: {type: number, minimum: 0, description: Seconds.}
                intent: {description: The intent as the extension wrote it.}
                response: {description: The intent's response.}
        """#
}
