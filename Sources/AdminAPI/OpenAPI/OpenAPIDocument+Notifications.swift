extension OpenAPIDocument {
    static let notifications = #"""
          /api/v1/notifications:
            get:
              tags: [notifications]
              summary: What devices received, oldest first; waits when asked to
              description: |
                With `wait`, the answer comes as soon as `count` notifications after `since` match, or when the time is up;
                `outcome` says which. What has come already counts, so no notification is missed between two requests. With
                `state` or `timing`, a notification that was there before counts as soon as it comes to match.
              operationId: notifications
              parameters:
                - {$ref: "#/components/parameters/device"}
                - {$ref: "#/components/parameters/topic"}
                - {$ref: "#/components/parameters/state"}
                - {$ref: "#/components/parameters/timing"}
                - {$ref: "#/components/parameters/text"}
                - {$ref: "#/components/parameters/pushType"}
                - {$ref: "#/components/parameters/apnsId"}
                - {$ref: "#/components/parameters/apnsUniqueId"}
                - {$ref: "#/components/parameters/since"}
                - {$ref: "#/components/parameters/cursor"}
                - {$ref: "#/components/parameters/limit"}
                - {$ref: "#/components/parameters/wait"}
                - {$ref: "#/components/parameters/count"}
              responses:
                "200":
                  description: Some of the notifications.
                  content:
                    application/json: {schema: {$ref: "#/components/schemas/NotificationPage"}}
                \#(errors())
            delete:
              tags: [notifications]
              summary: Clear what matches; everything without a filter
              operationId: clearNotifications
              parameters:
                - {$ref: "#/components/parameters/device"}
                - {$ref: "#/components/parameters/topic"}
                - {$ref: "#/components/parameters/state"}
                - {$ref: "#/components/parameters/timing"}
                - {$ref: "#/components/parameters/text"}
                - {$ref: "#/components/parameters/pushType"}
                - {$ref: "#/components/parameters/apnsId"}
                - {$ref: "#/components/parameters/apnsUniqueId"}
              responses:
                "200": {$ref: "#/components/responses/Removed"}
                \#(errors(415))
          /api/v1/notifications/{id}:
            parameters:
              - {$ref: "#/components/parameters/idInPath"}
            get:
              tags: [notifications]
              summary: Everything about a notification
              operationId: notification
              responses:
                "200":
                  description: The notification.
                  content:
                    application/json: {schema: {$ref: "#/components/schemas/Notification"}}
                \#(errors(404))
          /api/v1/notifications/{id}/explanation:
            parameters:
              - {$ref: "#/components/parameters/idInPath"}
            get:
              tags: [notifications]
              summary: What became of a notification and why, in sentences
              operationId: explanation
              responses:
                "200":
                  description: The outcome, the delivery log, every rule that was tried, and findings.
                  content:
                    text/plain: {schema: {type: string}}
                \#(errors(404))
          /api/v1/notifications/{id}/payload:
            parameters:
              - {$ref: "#/components/parameters/idInPath"}
            get:
              tags: [notifications]
              summary: The payload, byte for byte as received
              operationId: payload
              responses:
                "200":
                  description: The payload, which may be no JSON.
                  content:
                    application/octet-stream: {}
                \#(errors(404))
        """#

    static let requests = #"""
          /api/v1/requests:
            get:
              tags: [requests]
              summary: Provider requests with their answers, oldest first
              operationId: requests
              parameters:
                - {$ref: "#/components/parameters/since"}
                - {$ref: "#/components/parameters/limit"}
                - {$ref: "#/components/parameters/status"}
                - {$ref: "#/components/parameters/reason"}
                - {$ref: "#/components/parameters/fault"}
                - {$ref: "#/components/parameters/connection"}
                - {$ref: "#/components/parameters/device"}
                - {$ref: "#/components/parameters/topic"}
              responses:
                "200":
                  description: Some of the requests.
                  content:
                    application/json:
                      schema:
                        type: object
                        additionalProperties: false
                        required: [requests, next, hasMore, dropped, isTruncated]
                        properties:
                          requests: {type: array, items: {$ref: "#/components/schemas/RequestSummary"}}
                          next: {type: string, pattern: "^[0-9]+$", description: Pass as `since`.}
                          hasMore: {type: boolean, description: More match than `limit` let through.}
                          dropped: {type: integer, minimum: 0, description: Records that had to make room since the start.}
                          isTruncated: {type: boolean, description: Some of the records asked for had to make room.}
                \#(errors())
            delete:
              tags: [requests]
              summary: Forget all recorded requests
              operationId: removeRequests
              responses:
                "200": {$ref: "#/components/responses/Removed"}
                \#(errors(415))
          /api/v1/requests/{number}:
            parameters:
              - {$ref: "#/components/parameters/numberInPath"}
            get:
              tags: [requests]
              summary: Everything about a request
              operationId: request
              responses:
                "200":
                  description: The request.
                  content:
                    application/json: {schema: {$ref: "#/components/schemas/Request"}}
                \#(errors(404))
        """#

    static let state = #"""
          /api/v1/state:
            get:
              tags: [state]
              summary: Apps, devices, tokens and notifications with all events, to be put back later
              operationId: state
              responses:
                "200":
                  description: The state.
                  content:
                    application/json: {schema: {$ref: "#/components/schemas/State"}}
                \#(errors())
            put:
              tags: [state]
              summary: Put a state in the place of everything; loading it twice changes nothing more
              operationId: putState
              requestBody:
                required: true
                content:
                  application/json: {schema: {$ref: "#/components/schemas/State"}}
              responses:
                "200":
                  description: What the gateway holds now.
                  content:
                    application/json:
                      schema:
                        type: object
                        additionalProperties: false
                        required: [status, devices, apps, notifications]
                        properties:
                          status: {const: loaded}
                          devices: {type: integer, minimum: 0}
                          apps: {type: integer, minimum: 0}
                          notifications: {type: integer, minimum: 0}
                \#(errors(413, 415))
          /api/v1/reset:
            post:
              tags: [state]
              summary: Start over; keys stay, fault rules go, and numbers go on
              operationId: reset
              requestBody:
                content:
                  application/json:
                    schema:
                      type: object
                      additionalProperties: false
                      properties:
                        keep:
                          type: array
                          description: What stays. Kept devices keep their tokens, not their notifications; without them the clock is real again.
                          items: {enum: [devices, apps, requests, faults]}
              responses:
                "200": {$ref: "#/components/responses/Reset"}
                \#(errors(413, 415))
        """#
}
