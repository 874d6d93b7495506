extension OpenAPIDocument {
    static let clock = #"""
          /api/v1/clock:
            get:
              tags: [clock]
              summary: What time it is, and when something happens by itself next
              operationId: clock
              responses:
                "200": {$ref: "#/components/responses/Clock"}
                \#(errors())
            put:
              tags: [clock]
              summary: Stop the clock, or let it follow real time again
              description: |
                With `manual` it stands still at `now`, or at the present, until `POST /clock/advance`. The clock never goes
                back (409); to follow `real` time again it must not be ahead of it.
              operationId: putClock
              requestBody:
                required: true
                content:
                  application/json:
                    schema:
                      type: object
                      additionalProperties: false
                      required: [mode]
                      properties:
                        mode: {enum: [real, manual]}
                        now: {$ref: "#/components/schemas/WrittenTime"}
                        nextDue: {description: Ignored.}
              responses:
                "200": {$ref: "#/components/responses/Clock"}
                \#(errors(409, 413, 415))
          /api/v1/clock/advance:
            post:
              tags: [clock]
              summary: Move a manual clock on; everything due by then happens, in order
              operationId: advanceClock
              requestBody:
                required: true
                content:
                  application/json:
                    schema:
                      oneOf:
                        - type: object
                          additionalProperties: false
                          required: [by]
                          properties: {by: {$ref: "#/components/schemas/Duration"}}
                        - type: object
                          additionalProperties: false
                          required: [to]
                          properties: {to: {$ref: "#/components/schemas/WrittenTime"}}
              responses:
                "200":
                  description: The clock, and on how many devices something was due.
                  content:
                    application/json:
                      schema:
                        unevaluatedProperties: false
                        allOf:
                          - {$ref: "#/components/schemas/ClockMembers"}
                          - {type: object, required: [devices], properties: {devices: {type: integer, minimum: 0}}}
                \#(errors(409, 413, 415))
          /api/v1/clock/reset:
            post:
              tags: [clock]
              summary: Let the clock follow real time again, at once
              description: |
                Also when it is ahead of real time. What happened keeps its times, which then lie in the future, and what was
                due by then does not come again.
              operationId: resetClock
              responses:
                "200": {$ref: "#/components/responses/Clock"}
                \#(errors(413, 415))
        """#
}
