extension OpenAPIDocument {
    static let health = #"""
          /livez:
            get:
              tags: [health]
              summary: Whether the process lives
              security: [{}]
              responses:
                "200": {$ref: "#/components/responses/Status"}
          /readyz:
            get:
              tags: [health]
              summary: Whether every listener is open
              security: [{}]
              responses:
                "200": {$ref: "#/components/responses/Status"}
                "503": {$ref: "#/components/responses/Status"}
          /metrics:
            get:
              tags: [health]
              summary: Numbers for Prometheus
              responses:
                "200":
                  description: Prometheus text format 0.0.4.
                  content:
                    text/plain: {schema: {type: string}}
                default: {$ref: "#/components/responses/Error"}
          /openapi.yaml:
            get:
              tags: [documents]
              summary: This document
              responses:
                "200":
                  description: OpenAPI 3.1.
                  content:
                    application/yaml: {schema: {type: string}}
                default: {$ref: "#/components/responses/Error"}
          /ca.pem:
            get:
              tags: [documents]
              summary: The certificate authority to trust, in PEM
              security: [{}]
              responses:
                "200": {$ref: "#/components/responses/PEM"}
          /bundle.pem:
            get:
              tags: [documents]
              summary: The authority and the usual ones, for clients that take one file
              security: [{}]
              responses:
                "200": {$ref: "#/components/responses/PEM"}
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
                default: {$ref: "#/components/responses/Error"}
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
                        required: [connections]
                        properties:
                          connections: {type: array, items: {$ref: "#/components/schemas/Connection"}}
                default: {$ref: "#/components/responses/Error"}
          /api/v1/connections/{number}:
            parameters:
              - {$ref: "#/components/parameters/numberInPath"}
            get:
              tags: [connections]
              summary: One connection
              operationId: connection
              responses:
                "200":
                  description: The connection.
                  content:
                    application/json: {schema: {$ref: "#/components/schemas/Connection"}}
                default: {$ref: "#/components/responses/Error"}
        """#
}
