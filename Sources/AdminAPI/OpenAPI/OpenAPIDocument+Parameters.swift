extension OpenAPIDocument {
    static let parameters = #"""
          parameters:
            deviceInPath: {name: name, in: path, required: true, description: The device's name., schema: {type: string, minLength: 1, maxLength: 128, pattern: '^[^/\x00-\x1f\x7f]+$', format: device-name}}
            tokenInPath: {name: token, in: path, required: true, description: A device token in hexadecimal digits., schema: {$ref: "#/components/schemas/DeviceToken"}}
            bundleIdInPath: {name: bundleId, in: path, required: true, description: The app's bundle identifier., schema: {$ref: "#/components/schemas/Topic"}}
            keyIdInPath: {name: keyId, in: path, required: true, description: The key id., schema: {$ref: "#/components/schemas/KeyIdentifier"}}
            idInPath: {name: id, in: path, required: true, description: The notification's number., schema: {$ref: "#/components/schemas/Number"}}
            FaultName: {name: name, in: path, required: true, description: The rule's name., schema: {type: string, minLength: 1}}
            shaInPath: {name: sha, in: path, required: true, description: A SHA-256 in hexadecimal digits., schema: {type: string, pattern: "^[0-9a-fA-F]{64}$"}}
            attachmentInPath: {name: identifier, in: path, required: true, description: "The attachment's identifier, or its SHA-256.", schema: {type: string, minLength: 1}}
            numberInPath: {name: number, in: path, required: true, description: The record's number., schema: {$ref: "#/components/schemas/Number"}}
            connectionInPath: {name: number, in: path, required: true, description: The connection's number., schema: {type: integer, minimum: 0, maximum: 4294967295}}
            device: {name: device, in: query, description: A device's name., schema: {type: string, minLength: 1}}
            topic: {name: topic, in: query, description: "A topic: a bundle identifier, with a suffix for some push types.", schema: {type: string, minLength: 1}}
            pushTopic: {name: topic, in: query, description: "A topic: a bundle identifier, with a suffix for some push types.", schema: {$ref: "#/components/schemas/Topic"}}
            environment: {name: environment, in: query, description: The gateway's default when absent., schema: {$ref: "#/components/schemas/Environment"}}
            state: {name: state, in: query, description: How far it has come., schema: {$ref: "#/components/schemas/DeliveryState"}}
            timing: {name: timing, in: query, description: When it made itself felt., schema: {$ref: "#/components/schemas/Timing"}}
            text: {name: text, in: query, description: "A text in title, subtitle, body or the payload as sent, in either case.", schema: {type: string, minLength: 1}}
            pushType: {name: pushType, in: query, description: The `apns-push-type`., schema: {$ref: "#/components/schemas/PushType"}}
            priority: {name: priority, in: query, description: The `apns-priority`., schema: {enum: [1, 5, 10]}}
            collapseId: {name: collapseId, in: query, description: The `apns-collapse-id`., schema: {type: string, minLength: 1, maxLength: 64}}
            lintIdentifier: {name: collapseId, in: query, description: The `apns-collapse-id`., schema: {type: string, minLength: 1}}
            apnsId: {name: apnsId, in: query, description: The `apns-id`., schema: {type: string, format: uuid}}
            apnsUniqueId: {name: apnsUniqueId, in: query, description: The `apns-unique-id`., schema: {type: string, format: uuid}}
            kind: {name: kind, in: query, description: "Kinds of events, separated by commas.", style: form, explode: false, schema: {type: array, minItems: 1, items: {$ref: "#/components/schemas/EventKind"}}}
            notification: {name: notification, in: query, description: A notification's number., schema: {$ref: "#/components/schemas/Number", minimum: 1}}
            app: {name: app, in: query, required: true, description: An app's bundle identifier., schema: {type: string, minLength: 1}}
            lintApp: {name: app, in: query, description: "An app's bundle identifier, instead of a topic.", schema: {type: string, minLength: 1}}
            since: {name: since, in: query, description: "Only what came after this number: `next` of the last answer.", schema: {$ref: "#/components/schemas/Number", default: 0}}
            cursor: {name: cursor, in: query, description: The same as `since`; one of the two., schema: {$ref: "#/components/schemas/Number"}}
            deviceCursor: {name: cursor, in: query, description: "Only devices after this name: `next` of the last answer.", schema: {type: string, minLength: 1}}
            limit: {name: limit, in: query, description: How many at most. With `wait` it does not count., schema: {type: integer, minimum: 1, maximum: 1000, default: 100}}
            wait: {name: wait, in: query, description: "How long to wait at most: `5s`, `250ms`, `2m` or `PT5S`, at most 600 seconds.", schema: {$ref: "#/components/schemas/Duration"}}
            count: {name: count, in: query, description: How many to wait for; needs `wait`., schema: {type: integer, minimum: 1, maximum: 1000, default: 1}}
            status: {name: status, in: query, description: "The answer's status; `none` for requests that got no answer.", schema: {oneOf: [{type: integer, minimum: 200, maximum: 599}, {const: none}]}}
            fault: {name: fault, in: query, description: The name of the fault rule that fired., schema: {type: string, minLength: 1}}
            connection: {name: connection, in: query, description: The connection's number; 0 for pushes by hand., schema: {type: integer, minimum: 0, maximum: 4294967295}}
            reason: {name: reason, in: query, description: "The answer's reason: one that APNs knows, or that a fault rule or a request has.", schema: {type: string, minLength: 1, format: reason}}
          requestBodies:
            App:
              content:
                application/json: {schema: {$ref: "#/components/schemas/AppEdit"}}
        """#

    static let responses = #"""
          responses:
            Live:
              description: It does.
              content:
                application/json: {schema: {type: object, additionalProperties: false, required: [status], properties: {status: {const: ok}}}}
            Ready:
              description: All are.
              content:
                application/json: {schema: {type: object, additionalProperties: false, required: [status], properties: {status: {const: ready}}}}
            NotReady:
              description: "Not all are open yet, or the journal cannot be written."
              content:
                application/json:
                  schema:
                    oneOf:
                      - {type: object, additionalProperties: false, required: [status], properties: {status: {const: starting}}}
                      - {type: object, additionalProperties: false, required: [status, reason], properties: {status: {const: journal}, reason: {type: string}}}
            Reset:
              description: It is done.
              content:
                application/json: {schema: {type: object, additionalProperties: false, required: [status], properties: {status: {const: reset}}}}
            Removed:
              description: How many there were; none is no failure.
              content:
                application/json:
                  schema: {type: object, additionalProperties: false, required: [removed], properties: {removed: {type: integer, minimum: 0}}}
            File:
              description: "A file of the type that its content shows. Its ETag is its SHA-256, and it never changes."
              content:
                image/*: {}
                audio/*: {}
                video/*: {}
                application/octet-stream: {}
            PEM:
              description: Certificates.
              content:
                application/x-pem-file: {schema: {type: string}}
            Device:
              description: The device.
              content:
                application/json: {schema: {$ref: "#/components/schemas/Device"}}
            Clock:
              description: The clock.
              content:
                application/json: {schema: {$ref: "#/components/schemas/Clock"}}
            Registration:
              description: The registration.
              content:
                application/json: {schema: {$ref: "#/components/schemas/Registration"}}
            App:
              description: The app.
              content:
                application/json: {schema: {$ref: "#/components/schemas/App"}}
        """#
}
