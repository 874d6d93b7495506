extension OpenAPIDocument {
    static let devices = #"""
          /api/v1/devices:
            get:
              tags: [devices]
              summary: Devices, by name
              operationId: devices
              parameters:
                - {$ref: "#/components/parameters/limit"}
                - {$ref: "#/components/parameters/deviceCursor"}
              responses:
                "200":
                  description: Some of the devices; `next` is absent at the end.
                  content:
                    application/json:
                      schema:
                        type: object
                        additionalProperties: false
                        required: [devices]
                        properties:
                          devices: {type: array, items: {$ref: "#/components/schemas/DeviceSummary"}}
                          next: {type: string, minLength: 1}
                \#(errors())
          /api/v1/devices/{name}:
            parameters:
              - {$ref: "#/components/parameters/deviceInPath"}
            get:
              tags: [devices]
              summary: One device
              operationId: device
              responses:
                "200": {$ref: "#/components/responses/Device"}
                \#(errors(404))
            put:
              tags: [devices]
              summary: Make a device, or put it in the conditions of a new one but for what the body names
              description: |
                With `registrations`, those are the active ones afterwards; with `apps`, the others go back to their own
                settings. Without, they stay as they are. Two active tokens for one topic, environment and kind
                are refused. When anything is wrong, nothing changes.
              operationId: putDevice
              requestBody:
                content:
                  application/json: {schema: {$ref: "#/components/schemas/DeviceEdit"}}
              responses:
                "200": {$ref: "#/components/responses/Device"}
                "201": {$ref: "#/components/responses/Device"}
                \#(errors(409, 413, 415))
            patch:
              tags: [devices]
              summary: Change what the body names
              description: |
                Objects merge, lists are replaced, `null` brings back a default. `registrations` are added. When anything is
                wrong, nothing changes.
              operationId: patchDevice
              requestBody:
                content:
                  application/json: {schema: {$ref: "#/components/schemas/DeviceEdit"}}
              responses:
                "200": {$ref: "#/components/responses/Device"}
                \#(errors(404, 409, 413, 415))
            delete:
              tags: [devices]
              summary: Delete a device with its tokens and notifications
              operationId: deleteDevice
              responses:
                "200": {$ref: "#/components/responses/Removed"}
                \#(errors(415))
          /api/v1/devices/{name}/registrations:
            parameters:
              - {$ref: "#/components/parameters/deviceInPath"}
            get:
              tags: [devices]
              summary: A device's tokens, former ones too
              operationId: registrations
              responses:
                "200":
                  description: The registrations, in the order of registering.
                  content:
                    application/json:
                      schema:
                        type: object
                        additionalProperties: false
                        required: [registrations]
                        properties:
                          registrations: {type: array, items: {$ref: "#/components/schemas/Registration"}}
                \#(errors(404))
            post:
              tags: [devices]
              summary: Register an app for pushes, which gives a device token
              description: |
                Makes the device when there is none. While a registration for the same topic, environment and kind is
                active, it is given again. A token is derived from device, topic, environment and kind, so that it is the
                same in every run, unless one is given.
              operationId: register
              requestBody:
                required: true
                content:
                  application/json: {schema: {$ref: "#/components/schemas/NewRegistration"}}
              responses:
                "201": {$ref: "#/components/responses/Registration"}
                \#(errors(409, 413, 415))
          /api/v1/devices/{name}/registrations/{token}:
            parameters:
              - {$ref: "#/components/parameters/deviceInPath"}
              - {$ref: "#/components/parameters/tokenInPath"}
            get:
              tags: [devices]
              summary: One registration
              operationId: registration
              responses:
                "200": {$ref: "#/components/responses/Registration"}
                \#(errors(404))
            patch:
              tags: [devices]
              summary: Make a token active, unregistered or expired
              operationId: patchRegistration
              requestBody:
                content:
                  application/json:
                    schema:
                      type: object
                      additionalProperties: false
                      properties:
                        status: {$ref: "#/components/schemas/RegistrationStatus"}
              responses:
                "200": {$ref: "#/components/responses/Registration"}
                \#(errors(404, 413, 415))
            delete:
              tags: [devices]
              summary: Unregister, and uninstall the app; pushes to the token are answered 410 Unregistered from now on
              description: |
                The app goes with its notifications, badge, settings, stored pushes and all its tokens, unless another active
                token for its own topic is left; then only this token goes.
              operationId: unregister
              responses:
                "200": {$ref: "#/components/responses/Registration"}
                \#(errors(404, 415))
          /api/v1/devices/{name}/push:
            parameters:
              - {$ref: "#/components/parameters/deviceInPath"}
            post:
              tags: [devices]
              summary: Push to a device without a provider, as `xcrun simctl push` does
              description: |
                The body is a payload, or an `.apns` file whose `Simulator Target Bundle` names the app; that member is
                taken out of the payload. The device is made, and registered for the topic, when it is not.
              operationId: push
              parameters:
                - {$ref: "#/components/parameters/pushTopic"}
                - {$ref: "#/components/parameters/environment"}
                - {$ref: "#/components/parameters/pushType"}
                - {$ref: "#/components/parameters/priority"}
                - {$ref: "#/components/parameters/collapseId"}
              requestBody:
                required: true
                content:
                  application/json: {schema: {$ref: "#/components/schemas/SimulatorPayload"}}
              responses:
                "201":
                  description: The notification's number, and its `apns-id`.
                  content:
                    application/json:
                      schema:
                        type: object
                        additionalProperties: false
                        required: [id, apnsId]
                        properties:
                          id: {type: integer, minimum: 1}
                          apnsId: {type: string, format: uuid}
                \#(errors(409, 413, 415))
        """#

    static let apps = #"""
          /api/v1/apps:
            get:
              tags: [apps]
              summary: Apps, by bundle identifier
              operationId: apps
              responses:
                "200":
                  description: The apps.
                  content:
                    application/json:
                      schema:
                        type: object
                        additionalProperties: false
                        required: [apps]
                        properties:
                          apps: {type: array, items: {$ref: "#/components/schemas/App"}}
                \#(errors())
          /api/v1/apps/{bundleId}:
            parameters:
              - {$ref: "#/components/parameters/bundleIdInPath"}
            get:
              tags: [apps]
              summary: One app
              operationId: app
              responses:
                "200": {$ref: "#/components/responses/App"}
                \#(errors(404))
            put:
              tags: [apps]
              summary: Make an app, or replace it
              operationId: putApp
              requestBody: {$ref: "#/components/requestBodies/App"}
              responses:
                "200": {$ref: "#/components/responses/App"}
                "201": {$ref: "#/components/responses/App"}
                \#(errors(413, 415))
            patch:
              tags: [apps]
              summary: Change what the body names
              operationId: patchApp
              requestBody: {$ref: "#/components/requestBodies/App"}
              responses:
                "200": {$ref: "#/components/responses/App"}
                \#(errors(404, 413, 415))
            delete:
              tags: [apps]
              summary: Delete an app
              operationId: deleteApp
              responses:
                "200": {$ref: "#/components/responses/Removed"}
                \#(errors(415))
        """#
}
