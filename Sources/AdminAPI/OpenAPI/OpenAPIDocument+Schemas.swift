extension OpenAPIDocument {
    static let schemas = #"""
          schemas:
            Error:
              type: object
              required: [error, status]
              properties:
                error: {type: string, description: A sentence that names the field and the remedy.}
                status: {type: integer}
            Environment: {enum: [sandbox, production]}
            PushType: {enum: [alert, background, complication, controls, fileprovider, liveactivity, location, mdm, pushtotalk, voip, widgets]}
            TokenKind: {enum: [app, complication, controls, fileprovider, liveactivity, location, mdm, pushtotalk, voip, widgets]}
            RegistrationStatus: {enum: [active, unregistered, expired]}
            Clock:
              type: object
              required: [mode, now]
              properties:
                mode: {enum: [real, manual]}
                now: {$ref: "#/components/schemas/Time"}
                nextDue: {type: string, format: date-time, description: When something happens by itself next.}
            Time: {type: string, format: date-time}
            Finding:
              type: object
              description: Something a person should know; it changes no answer by itself.
              required: [id, severity, message]
              properties:
                id: {type: string, description: "The rule's stable name, such as `badge.type`."}
                severity: {enum: [info, warning, error]}
                message: {type: string}
                path: {type: string, description: "Where in the payload, such as `aps.alert.title`."}
                source: {type: string, description: Where the rule comes from.}
                fix: {type: string, description: "How it looks when it is right, by example."}
            Info:
              type: object
              required: [version, seed, profile, startedAt, environment, authMode, addresses, counts]
              properties:
                version: {type: string}
                seed: {type: integer, description: Where identifiers come from.}
                profile: {enum: [faithful, strict, lenient]}
                startedAt: {$ref: "#/components/schemas/Time"}
                environment: {$ref: "#/components/schemas/Environment"}
                authMode: {enum: [verify, strict, "off"]}
                addresses:
                  type: object
                  properties:
                    provider: {type: array, items: {type: string}}
                    clearText: {type: array, items: {type: string}}
                    proxy: {type: array, items: {type: string}}
                    admin: {type: array, items: {type: string}}
                certificate:
                  type: object
                  properties:
                    caFingerprint: {type: string}
                    caFile: {type: string}
                    notAfter: {$ref: "#/components/schemas/Time"}
                demonstrationKey:
                  type: object
                  properties:
                    keyId: {type: string}
                    teamId: {type: string}
                    file: {type: string}
                counts:
                  type: object
                  properties:
                    devices: {type: integer}
                    apps: {type: integer}
                    notifications: {type: integer}
                    requests: {type: integer, description: Since the start.}
                    connections: {type: integer, description: Open ones.}
                    keys: {type: integer}
            Key:
              type: object
              required: [keyId, teamId, environments]
              properties:
                keyId: {type: string}
                teamId: {type: string}
                environments: {type: array, items: {$ref: "#/components/schemas/Environment"}}
                topics: {type: array, items: {type: string}, description: Absent when all topics of the team are allowed.}
                relatedKeyId: {type: string, description: Another topic-specific key that may share a connection.}
            MintedKey:
              allOf:
                - {$ref: "#/components/schemas/Key"}
                - type: object
                  properties:
                    privateKey: {type: string, description: "PEM of a key that was minted; in this one answer only."}
            NewKey:
              type: object
              additionalProperties: false
              properties:
                keyId: {type: string, pattern: "^[A-Za-z0-9._-]{1,64}$", description: Made up when absent.}
                teamId: {type: string, pattern: "^[A-Za-z0-9._-]{1,64}$", default: PUSHCOTEAM}
                publicKey: {type: string, description: PEM.}
                privateKey: {type: string, description: "PEM, as in Apple's .p8 files; only its public half is kept."}
                environments: {type: array, items: {$ref: "#/components/schemas/Environment"}}
                topics: {type: array, items: {type: string}}
                relatedKeyId: {type: string}
            Connection:
              type: object
              required: [number, remoteAddress, localAddress, traffic, openedAt, accepted, refused, pings, streamLimit, settings, tokens, faults, goAways, findings]
              properties:
                number: {type: integer}
                remoteAddress: {type: string}
                localAddress: {type: string}
                traffic: {enum: [provider, clearText, proxy]}
                httpVersion: {enum: [HTTP/2, HTTP/1.1], description: Absent when the client was turned away as it connected.}
                tls:
                  type: object
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
                accepted: {type: integer}
                refused: {type: integer}
                pings: {type: integer}
                streamLimit: {type: integer, description: How many streams it may have open, as announced last.}
                settings: {type: object, additionalProperties: {type: integer}, description: The client's SETTINGS.}
                tokens:
                  type: array
                  description: Provider tokens it used, newest last, without their signatures.
                  items:
                    type: object
                    properties:
                      keyId: {type: string}
                      teamId: {type: string}
                      issuedAt: {$ref: "#/components/schemas/Time"}
                      firstUsedAt: {$ref: "#/components/schemas/Time"}
                refusal:
                  type: object
                  description: Why the connection was ended with GOAWAY at its beginning.
                  properties:
                    reason: {type: string}
                    diagnosis: {type: object, properties: {id: {type: string}, message: {type: string}}}
                faults:
                  type: array
                  description: Fault rules that fired for the connection itself.
                  items:
                    type: object
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
                    required: [code, lastStream, at]
                    properties:
                      code: {type: string, description: "Such as `NO_ERROR`."}
                      lastStream: {type: integer}
                      debugData: {type: string}
                      at: {$ref: "#/components/schemas/Time"}
                ending:
                  enum: [client, gateway, close, reset, alert]
                  description: Who ended it; `close`, `reset` and `alert` are what fault rules do. Absent while it is open.
                findings: {type: array, items: {$ref: "#/components/schemas/Finding"}}
            DeviceSummary:
              type: object
              required: [name, createdAt, registrations, notificationCount, storedCount, droppedCount, eventCount, counts]
              properties:
                name: {type: string}
                createdAt: {$ref: "#/components/schemas/Time"}
                registrations: {type: array, items: {$ref: "#/components/schemas/Registration"}}
                notificationCount: {type: integer, description: What the inbox holds.}
                storedCount: {type: integer, description: Pushes that wait for it.}
                droppedCount: {type: integer, description: What a full inbox dropped.}
                eventCount: {type: integer, description: "The number of its newest event: where to wait for the next."}
                counts: {$ref: "#/components/schemas/Counts"}
            Counts:
              type: object
              properties:
                received: {type: integer}
                delivered: {type: integer}
                discarded: {type: integer}
                dropped: {type: integer}
                cleared: {type: integer}
            Registration:
              type: object
              required: [token, device, topic, environment, kind, status, registeredAt]
              properties:
                token: {type: string}
                device: {type: string}
                topic: {type: string}
                environment: {$ref: "#/components/schemas/Environment"}
                kind: {$ref: "#/components/schemas/TokenKind"}
                status: {$ref: "#/components/schemas/RegistrationStatus"}
                since: {$ref: "#/components/schemas/Time"}
                registeredAt: {$ref: "#/components/schemas/Time"}
            NewRegistration:
              type: object
              required: [topic]
              properties:
                topic: {type: string}
                environment: {$ref: "#/components/schemas/Environment"}
                kind: {$ref: "#/components/schemas/TokenKind"}
                token: {type: string, description: "Hexadecimal digits, an even number, at most 400."}
                status: {$ref: "#/components/schemas/RegistrationStatus"}
            State:
              type: object
              description: As `GET /state` gives it; a format of its own, only to be put back.
        """# + "\n" + notificationSchemas + "\n" + screenSchemas + "\n" + deviceSchemas + "\n" + faultSchemas + "\n"
        + describedSchemas
}
