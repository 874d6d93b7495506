extension OpenAPIDocument {
    static let lint = #"""
          /api/v1/lint:
            get:
              tags: [lint]
              summary: Every rule that pushes are held against
              operationId: lintRules
              responses:
                "200":
                  description: The rules, in the order of their findings.
                  content:
                    application/json:
                      schema:
                        type: object
                        additionalProperties: false
                        required: [rules]
                        properties:
                          rules:
                            type: array
                            items:
                              type: object
                              additionalProperties: false
                              required: [id, severity, sentence, source, needs, isSilenced]
                              properties:
                                id: {type: string, description: The stable name; `lint.silenced` takes it.}
                                severity: {enum: [info, warning, error]}
                                sentence: {type: string}
                                source: {type: string}
                                fix: {type: string, description: "How it looks when it is right, by example."}
                                needs:
                                  type: array
                                  description: What it must know beside the payload.
                                  items: {enum: [app, history, clock]}
                                isSilenced: {type: boolean}
                \#(errors())
            post:
              tags: [lint]
              summary: What is wrong or could be better about a push, without sending it
              description: |
                The body is a payload, or an `.apns` file that names the app. With the app, texts and categories are judged, with
                `device` what it got before. A payload that cannot be read is a finding, and no failure.
              operationId: lint
              parameters:
                - {$ref: "#/components/parameters/pushTopic"}
                - {$ref: "#/components/parameters/lintApp"}
                - {$ref: "#/components/parameters/pushType"}
                - {$ref: "#/components/parameters/lintIdentifier"}
                - {$ref: "#/components/parameters/device"}
              requestBody:
                description: Any bytes.
                content:
                  application/json: {schema: {}}
              responses:
                "200":
                  description: What was found.
                  content:
                    application/json:
                      schema:
                        type: object
                        additionalProperties: false
                        required: [findings]
                        properties:
                          findings: {type: array, items: {$ref: "#/components/schemas/Finding"}}
                          categoryFindings:
                            type: array
                            description: About the app's categories and buttons; absent when nobody described the app.
                            items: {$ref: "#/components/schemas/Finding"}
                \#(errors(404, 413, 415))
        """#
}
