extension OpenAPIDocument {
    static let keys = #"""
          /api/v1/keys:
            get:
              tags: [keys]
              summary: Provider keys, by key id
              operationId: keys
              responses:
                "200":
                  description: The keys, without their bytes.
                  content:
                    application/json:
                      schema:
                        type: object
                        additionalProperties: false
                        required: [keys]
                        properties:
                          keys: {type: array, items: {$ref: "#/components/schemas/Key"}}
                \#(errors())
            post:
              tags: [keys]
              summary: Register a key, or mint one when no PEM is given
              description: A key with the same id is replaced.
              operationId: addKey
              requestBody:
                content:
                  application/json: {schema: {$ref: "#/components/schemas/NewKey"}}
              responses:
                "200":
                  description: The key took the place of one with its id.
                  content:
                    application/json: {schema: {$ref: "#/components/schemas/MintedKey"}}
                "201":
                  description: The key is new.
                  content:
                    application/json: {schema: {$ref: "#/components/schemas/MintedKey"}}
                \#(errors(413, 415))
          /api/v1/keys/{keyId}:
            parameters:
              - {$ref: "#/components/parameters/keyIdInPath"}
            get:
              tags: [keys]
              summary: One key
              operationId: key
              responses:
                "200":
                  description: The key.
                  content:
                    application/json: {schema: {$ref: "#/components/schemas/Key"}}
                \#(errors(404))
            delete:
              tags: [keys]
              summary: Forget a key
              operationId: removeKey
              responses:
                "200": {$ref: "#/components/responses/Removed"}
                \#(errors(415))
        """#
}
