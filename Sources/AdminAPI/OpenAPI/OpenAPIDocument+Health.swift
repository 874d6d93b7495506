extension OpenAPIDocument {
    static let health = #"""
          /livez:
            get:
              tags: [health]
              summary: Whether the process lives
              security: [{}]
              responses:
                "200": {$ref: "#/components/responses/Live"}
                \#(errors(isOpen: true))
          /readyz:
            get:
              tags: [health]
              summary: Whether every listener is open
              security: [{}]
              responses:
                "200": {$ref: "#/components/responses/Ready"}
                "503": {$ref: "#/components/responses/NotReady"}
                \#(errors(isOpen: true))
          /metrics:
            get:
              tags: [health]
              summary: Numbers for Prometheus
              responses:
                "200":
                  description: Prometheus text format 0.0.4.
                  content:
                    text/plain: {schema: {type: string}}
                \#(errors())
          /openapi.yaml:
            get:
              tags: [documents]
              summary: This document
              responses:
                "200":
                  description: OpenAPI 3.1.
                  content:
                    application/yaml: {}
                \#(errors())
          /ca.pem:
            get:
              tags: [documents]
              summary: The certificate authority to trust, in PEM
              security: [{}]
              responses:
                "200": {$ref: "#/components/responses/PEM"}
                \#(errors(isOpen: true))
          /bundle.pem:
            get:
              tags: [documents]
              summary: The authority and the usual ones, for clients that take one file
              security: [{}]
              responses:
                "200": {$ref: "#/components/responses/PEM"}
                \#(errors(isOpen: true))
          /ca.p12:
            get:
              tags: [documents]
              summary: The authority as PKCS#12, for Java and .NET
              security: [{}]
              responses:
                "200":
                  description: PKCS#12.
                  content:
                    application/x-pkcs12: {}
                \#(errors(isOpen: true))
          /api/v1/livez: {$ref: "#/paths/~1livez"}
          /api/v1/readyz: {$ref: "#/paths/~1readyz"}
          /api/v1/metrics: {$ref: "#/paths/~1metrics"}
          /api/v1/openapi.yaml: {$ref: "#/paths/~1openapi.yaml"}
          /api/v1/ca.pem: {$ref: "#/paths/~1ca.pem"}
          /api/v1/bundle.pem: {$ref: "#/paths/~1bundle.pem"}
          /api/v1/ca.p12: {$ref: "#/paths/~1ca.p12"}
        """#

    static let information = #"""
          /api/v1/info:
            get:
              tags: [health]
              summary: What this gateway is, where it listens, how much it holds
              operationId: info
              responses:
                "200":
                  description: The gateway.
                  content:
                    application/json: {schema: {$ref: "#/components/schemas/Info"}}
                \#(errors())
          /api/v1/connections:
            get:
              tags: [connections]
              summary: Providers' connections, open and lately closed, oldest first
              operationId: connections
              responses:
                "200":
                  description: The connections.
                  content:
                    application/json:
                      schema:
                        type: object
                        additionalProperties: false
                        required: [connections]
                        properties:
                          connections: {type: array, items: {$ref: "#/components/schemas/Connection"}}
                \#(errors())
          /api/v1/connections/{number}:
            parameters:
              - {$ref: "#/components/parameters/connectionInPath"}
            get:
              tags: [connections]
              summary: One connection
              operationId: connection
              responses:
                "200":
                  description: The connection.
                  content:
                    application/json: {schema: {$ref: "#/components/schemas/Connection"}}
                \#(errors(404))
        """#
}
