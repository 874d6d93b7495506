internal import Gateway

extension OpenAPIDocument {
    static let faults = #"""
          /api/v1/faults:
            get:
              tags: [faults]
              summary: The fault rules in their order, with how often each has fired
              operationId: faults
              responses:
                "200": {$ref: "#/components/responses/Faults"}
                \#(errors())
            put:
              tags: [faults]
              summary: Replace all fault rules; counting starts anew
              operationId: putFaults
              requestBody:
                required: true
                content:
                  application/json:
                    schema: {$ref: "#/components/schemas/NewFaults"}
              responses:
                "200": {$ref: "#/components/responses/Faults"}
                \#(errors(409, 413, 415))
            post:
              tags: [faults]
              summary: Put a rule, those of a scenario, or a list of both behind the others
              description: |
                The first rule that fits and whose turn it is fires. A rule's name must be new (409); a scenario that is
                there already begins again. There may be 100 rules (409). All are added, or none. Answered with the rules
                that were added.
              operationId: addFault
              requestBody:
                required: true
                content:
                  application/json:
                    schema:
                      oneOf:
                        - {$ref: "#/components/schemas/NewFault"}
                        - {$ref: "#/components/schemas/NewFaults"}
              responses:
                "201": {$ref: "#/components/responses/Faults"}
                \#(errors(409, 413, 415))
            delete:
              tags: [faults]
              summary: Remove all fault rules
              operationId: deleteFaults
              responses:
                "200": {$ref: "#/components/responses/Removed"}
                \#(errors(415))
          /api/v1/faults/{name}:
            parameters: [{$ref: "#/components/parameters/FaultName"}]
            get:
              tags: [faults]
              summary: A fault rule
              operationId: fault
              responses:
                "200":
                  description: The rule.
                  content:
                    application/json: {schema: {$ref: "#/components/schemas/Fault"}}
                \#(errors(404))
            delete:
              tags: [faults]
              summary: Remove a fault rule
              operationId: deleteFault
              responses:
                "200": {$ref: "#/components/responses/Removed"}
                \#(errors(415))
          /api/v1/fault-scenarios:
            get:
              tags: [faults]
              summary: Sets of rules that go wrong as APNs did
              operationId: faultScenarios
              responses:
                "200":
                  description: All of them.
                  content:
                    application/json:
                      schema:
                        type: object
                        additionalProperties: false
                        required: [scenarios]
                        properties:
                          scenarios:
                            type: array
                            items:
                              type: object
                              additionalProperties: false
                              required: [name, summary, rules]
                              properties:
                                id: {type: string, description: "Such as `G1`."}
                                name: {type: string}
                                summary: {type: string}
                                rules: {type: array, items: {$ref: "#/components/schemas/FaultRule"}}
                \#(errors())
        """#

    static let faultResponses = #"""
            Faults:
              description: Fault rules in their order.
              content:
                application/json:
                  schema:
                    type: object
                    additionalProperties: false
                    required: [faults, seed]
                    properties:
                      faults: {type: array, items: {$ref: "#/components/schemas/Fault"}}
                      seed: {type: integer, minimum: 0, description: What chance is drawn with.}
        """#

    static let faultSchemas = #"""
            NewFault:
              description: A rule, or the name of a scenario.
              oneOf:
                - {$ref: "#/components/schemas/NewFaultRule"}
                - type: object
                  additionalProperties: false
                  required: [scenario]
                  properties:
                    scenario:
                      description: "Its name, or `G1` to `G22`."
                      enum: [\#(words(FaultScenario.all.flatMap { [$0.id, $0.name].compactMap(\.self) }))]
                    match: {$ref: "#/components/schemas/FaultMatch", description: Over what each of its rules matches.}
                    count: {type: integer, minimum: 1, description: How many times each of its rules fires.}
            NewFaults:
              type: object
              additionalProperties: false
              required: [faults]
              properties:
                faults: {type: array, items: {$ref: "#/components/schemas/NewFault"}}
        """#
}
