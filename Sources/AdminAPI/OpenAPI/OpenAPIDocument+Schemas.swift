internal import DeviceModel
internal import Fields

extension OpenAPIDocument {
    static let schemas = #"""
          schemas:
            Error:
              type: object
              additionalProperties: false
              required: [error, status]
              properties:
                error: {type: string, minLength: 1, description: A sentence that names the field and the remedy.}
                status: {type: integer, minimum: 400, maximum: 599}
            Environment: {enum: [sandbox, production]}
            PushType: {enum: [alert, background, complication, controls, fileprovider, liveactivity, location, mdm, pushtotalk, voip, widgets]}
            TokenKind: {enum: [app, complication, controls, fileprovider, liveactivity, location, mdm, pushtotalk, voip, widgets]}
            RegistrationStatus: {enum: [active, unregistered, expired]}
            Clock:
              unevaluatedProperties: false
              allOf: [{$ref: "#/components/schemas/ClockMembers"}]
            ClockMembers:
              type: object
              required: [mode, now]
              properties:
                mode: {enum: [real, manual]}
                now: {$ref: "#/components/schemas/Time"}
                nextDue: {$ref: "#/components/schemas/Time", description: When something happens by itself next.}
            Time: {type: string, format: date-time, pattern: "^-?[0-9]{4,}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z$"}
            WrittenTime: {type: string, pattern: "\#(FieldComponents.escaped(InstantText.pattern))", description: "ISO 8601 with `Z` or an offset."}
            Duration: {type: string, pattern: "\#(FieldComponents.escaped(DurationText.pattern))", description: "Such as `30s`, `250ms`, `2h`, `PT1H`, `P1D`."}
            Topic: {type: string, pattern: "^[A-Za-z0-9._-]{1,255}$"}
            KeyIdentifier: {type: string, pattern: "^[A-Za-z0-9._-]{1,64}$"}
            DeviceToken: {type: string, pattern: "^([0-9a-fA-F]{2}){1,200}$"}
            Number: {type: integer, minimum: 0, maximum: 18446744073709551615}
            SimulatorPayload:
              type: object
              properties:
                Simulator Target Bundle: {type: string}
            Finding:
              type: object
              additionalProperties: false
              description: Something a person should know; it changes no answer by itself.
              required: [id, severity, message]
              properties:
                id: {type: string, minLength: 1, description: "The rule's stable name, such as `badge.type`."}
                severity: {enum: [info, warning, error]}
                message: {type: string}
                path: {type: string, description: "Where in the payload, such as `aps.alert.title`."}
                source: {type: string, description: Where the rule comes from.}
                fix: {type: string, description: "How it looks when it is right, by example."}
            Info:
              type: object
              additionalProperties: false
              required: [version, seed, profile, startedAt, environment, authMode, addresses, counts]
              properties:
                version: {type: string}
                seed: {type: integer, minimum: 0, description: Where identifiers come from.}
                profile: {enum: [faithful, strict, lenient]}
                startedAt: {$ref: "#/components/schemas/Time"}
                environment: {$ref: "#/components/schemas/Environment"}
                authMode: {enum: [verify, strict, "off"]}
                addresses:
                  type: object
                  additionalProperties: false
                  required: [provider, clearText, proxy, admin]
                  properties:
                    provider: {type: array, items: {type: string}}
                    clearText: {type: array, items: {type: string}}
                    proxy: {type: array, items: {type: string}}
                    admin: {type: array, items: {type: string}}
                certificate:
                  type: object
                  additionalProperties: false
                  required: [caFingerprint, caFile, notAfter]
                  properties:
                    caFingerprint: {type: string}
                    caFile: {type: string}
                    notAfter: {$ref: "#/components/schemas/Time"}
                demonstrationKey:
                  type: object
                  additionalProperties: false
                  required: [keyId, teamId, file]
                  properties:
                    keyId: {type: string}
                    teamId: {type: string}
                    file: {type: string}
                counts:
                  type: object
                  additionalProperties: false
                  required: [devices, apps, notifications, requests, connections, keys]
                  properties:
                    devices: {type: integer, minimum: 0}
                    apps: {type: integer, minimum: 0}
                    notifications: {type: integer, minimum: 0}
                    requests: {type: integer, minimum: 0, description: Since the start.}
                    connections: {type: integer, minimum: 0, description: Open ones.}
                    keys: {type: integer, minimum: 0}
            Key:
              unevaluatedProperties: false
              allOf: [{$ref: "#/components/schemas/KeyMembers"}]
            KeyMembers:
              type: object
              required: [keyId, teamId, environments]
              properties:
                keyId: {type: string}
                teamId: {type: string}
                environments: {type: array, items: {$ref: "#/components/schemas/Environment"}}
                topics: {type: array, items: {type: string}, description: Absent when all topics of the team are allowed.}
                relatedKeyId: {type: string, description: Another topic-specific key that may share a connection.}
            MintedKey:
              unevaluatedProperties: false
              allOf:
                - {$ref: "#/components/schemas/KeyMembers"}
                - type: object
                  properties:
                    privateKey: {type: string, description: "PEM of a key that was minted; in this one answer only."}
            NewKey:
              type: object
              additionalProperties: false
              not: {required: [publicKey, privateKey]}
              properties:
                keyId: {$ref: "#/components/schemas/KeyIdentifier", description: Made up when absent.}
                teamId: {$ref: "#/components/schemas/KeyIdentifier", default: PUSHCOTEAM}
                publicKey: {type: string, format: pem, description: "PEM; instead of the private key."}
                privateKey: {type: string, format: pem, description: "PEM, as in Apple's .p8 files; only its public half is kept."}
                environments: {type: array, minItems: 1, items: {$ref: "#/components/schemas/Environment"}}
                topics: {type: array, items: {$ref: "#/components/schemas/Topic"}}
                relatedKeyId: {$ref: "#/components/schemas/KeyIdentifier"}
            Connection:
              type: object
              additionalProperties: false
              required: [number, remoteAddress, localAddress, traffic, openedAt, accepted, refused, pings, refusedStreams, streamLimit, settings, tokens, faults, goAways, findings]
              properties:
                number: {type: integer, minimum: 1}
                remoteAddress: {type: string}
                localAddress: {type: string}
                traffic: {enum: [provider, clearText, proxy]}
                httpVersion: {enum: [HTTP/2, HTTP/1.1], description: Absent when the client was turned away as it connected.}
                tls:
                  type: object
                  additionalProperties: false
                  required: [version, cipher, offeredAlpn, isResumed]
                  properties:
                    version: {type: string}
                    cipher: {type: string}
                    offeredAlpn: {type: array, items: {type: string}}
                    selectedAlpn: {type: string}
                    serverName: {type: string}
                    isResumed: {type: boolean}
                    clientCertificate: {type: string}
                connectTarget: {type: string, description: Where a proxy client wanted to go.}
                openedAt: {$ref: "#/components/schemas/Time"}
                closedAt: {$ref: "#/components/schemas/Time"}
                accepted: {type: integer, minimum: 0}
                refused: {type: integer, minimum: 0}
                pings: {type: integer, minimum: 0}
                refusedStreams:
                  type: integer
                  minimum: 0
                  description: Streams above the announced limit, refused with REFUSED_STREAM. No request came of them.
                streamLimit: {type: integer, minimum: 0, description: How many streams it may have open, as announced last.}
                settings: {type: object, additionalProperties: {type: integer, minimum: 0}, description: The client's SETTINGS.}
                tokens:
                  type: array
                  description: Provider tokens it used, newest last, without their signatures.
                  items:
                    type: object
                    additionalProperties: false
                    required: [keyId, teamId, issuedAt, firstUsedAt]
                    properties:
                      keyId: {type: string}
                      teamId: {type: string}
                      issuedAt: {$ref: "#/components/schemas/Time"}
                      firstUsedAt: {$ref: "#/components/schemas/Time"}
                refusal:
                  type: object
                  additionalProperties: false
                  description: Why the connection was ended with GOAWAY at its beginning.
                  required: [reason, diagnosis]
                  properties:
                    reason: {type: string}
                    diagnosis: {type: object, additionalProperties: false, required: [id, message], properties: {id: {type: string}, message: {type: string}}}
                faults:
                  type: array
                  description: Fault rules that fired for the connection itself.
                  items:
                    type: object
                    additionalProperties: false
                    required: [rule, stage, at]
                    properties:
                      rule: {type: string}
                      stage: {enum: [accept, open, request]}
                      at: {$ref: "#/components/schemas/Time"}
                goAways:
                  type: array
                  description: The GOAWAY frames that the client was sent.
                  items:
                    type: object
                    additionalProperties: false
                    required: [code, lastStream, at]
                    properties:
                      code: {type: string, description: "Such as `NO_ERROR`."}
                      lastStream: {type: integer, minimum: 0}
                      debugData: {type: string}
                      at: {$ref: "#/components/schemas/Time"}
                ending:
                  enum: [client, gateway, close, reset, alert]
                  description: Who ended it; `close`, `reset` and `alert` are what fault rules do. Absent while it is open.
                findings: {type: array, items: {$ref: "#/components/schemas/Finding"}}
            Counts:
              type: object
              additionalProperties: false
              required: [received, delivered, discarded, dropped, cleared]
              properties:
                received: {type: integer, minimum: 0}
                delivered: {type: integer, minimum: 0}
                discarded: {type: integer, minimum: 0}
                dropped: {type: integer, minimum: 0}
                cleared: {type: integer, minimum: 0}
            Registration:
              type: object
              additionalProperties: false
              required: [token, device, topic, environment, kind, status, registeredAt]
              properties:
                token: {$ref: "#/components/schemas/DeviceToken"}
                device: {type: string, minLength: 1, maxLength: 128}
                topic: {$ref: "#/components/schemas/Topic"}
                environment: {$ref: "#/components/schemas/Environment"}
                kind: {$ref: "#/components/schemas/TokenKind"}
                status: {$ref: "#/components/schemas/RegistrationStatus"}
                since: {$ref: "#/components/schemas/Time"}
                registeredAt: {$ref: "#/components/schemas/Time"}
            NewRegistration:
              type: object
              additionalProperties: false
              required: [topic]
              properties:
                topic: {$ref: "#/components/schemas/Topic"}
                environment: {$ref: "#/components/schemas/Environment"}
                kind: {$ref: "#/components/schemas/TokenKind", description: "What goes with the topic, unless given."}
                token: {$ref: "#/components/schemas/DeviceToken"}
                status: {$ref: "#/components/schemas/RegistrationStatus"}
                device: {description: Ignored.}
                since: {description: Ignored.}
                registeredAt: {description: Ignored.}
            State:
              type: object
              description: As `GET /state` gives it; a format of its own, only to be put back.
        """# + "\n" + notificationSchemas + "\n" + screenSchemas + "\n" + extensionSchemas + "\n" + deviceSchemas + "\n"
        + faultSchemas + "\n"
        + describedSchemas
}
