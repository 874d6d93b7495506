/// The description of the admin API that `/openapi.yaml` gives; a test holds it against the routes.
package enum OpenAPIDocument {
    /// OpenAPI 3.1 in YAML.
    package static let text =
        [
            head, "paths:", health, information, keys, devices, events, screen, apps, notifications, media, lint,
            requests,
            clock, faults, state, "components:", security, parameters, responses, errorResponses, faultResponses,
            schemas,
        ].joined(separator: "\n") + "\n"

    private static let head = #"""
        openapi: 3.1.0
        info:
          title: Pushcote admin API
          version: v1
          summary: The state of a mock APNs gateway, to set up, to look into and to wait for.
          description: |
            Every answer but documents, payloads and metrics is JSON. Failures have the shape `{"error": "...", "status": 400}`;
            the sentence names the field and the remedy. Times are ISO 8601 with milliseconds and `Z`. Lists are paged: pass
            `next` of one answer as `since` or `cursor` of the following request. Nothing needs polling: `GET /notifications`
            waits when asked to.

            `Host` must be an address, a name without dots such as `localhost`, or one of `admin.allowedHosts`. Requests of web
            pages (with `Origin`) from elsewhere are refused with 403. What another method than those of a path asks for is
            405, with `Allow`.
        servers:
          - {url: /, description: The gateway that gave this document.}
        security:
          - {}
          - token: []
        tags:
          - {name: health, description: "Whether the gateway lives, and what it is."}
          - {name: documents, description: "Certificates to trust, and this document."}
          - {name: keys, description: Provider keys.}
          - {name: connections, description: Providers' connections.}
          - {name: devices, description: Simulated devices and their tokens.}
          - {name: events, description: "What happens on devices, and what people do there."}
          - {name: apps, description: Apps that devices may have installed.}
          - {name: notifications, description: What devices received.}
          - {name: lint, description: Advice about pushes.}
          - {name: requests, description: "What providers asked for, refused requests too."}
          - {name: clock, description: "Time on the gateway and its devices: real, or moved by hand."}
          - {name: faults, description: "What goes wrong because somebody asked for it."}
          - {name: state, description: "Saving, loading, starting over."}
        """#

    private static let security = #"""
          securitySchemes:
            token: {type: http, scheme: bearer, description: "Demanded when `admin.token` is set; always when listening beyond loopback."}
        """#
}
