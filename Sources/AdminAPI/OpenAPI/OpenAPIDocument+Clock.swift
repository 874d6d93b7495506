extension OpenAPIDocument {
    static let clock = #"""
          /api/v1/clock:
            get:
              tags: [clock]
              summary: What time it is, and when something happens by itself next
              operationId: clock
              responses:
                "200": {$ref: "#/components/responses/Clock"}
                default: {$ref: "#/components/responses/Error"}
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
                        now: {$ref: "#/components/schemas/Time"}
                        nextDue: {description: Ignored.}
              responses:
                "200": {$ref: "#/components/responses/Clock"}
                default: {$ref: "#/components/responses/Error"}
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
                      type: object
                      additionalProperties: false
                      description: One of the two.
                      properties:
                        by: {type: string, description: "A duration: `30s`, `2h`, `PT1H`, `P1D`."}
                        to: {$ref: "#/components/schemas/Time"}
              responses:
                "200":
                  description: The clock, and on how many devices something was due.
                  content:
                    application/json:
                      schema:
                        allOf:
                          - {$ref: "#/components/schemas/Clock"}
                          - {type: object, required: [devices], properties: {devices: {type: integer}}}
                default: {$ref: "#/components/responses/Error"}
        """#
}
