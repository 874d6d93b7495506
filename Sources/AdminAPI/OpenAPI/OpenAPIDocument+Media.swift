extension OpenAPIDocument {
    static let media = #"""
          /api/v1/devices/{name}/images/{sha}:
            parameters:
              - {$ref: "#/components/parameters/deviceInPath"}
              - {$ref: "#/components/parameters/shaInPath"}
            get:
              tags: [notifications]
              summary: A person's or a group's picture, as `avatar.image` names it
              operationId: image
              responses:
                "200": {$ref: "#/components/responses/File"}
                "304": {description: "It is what `If-None-Match` names, as it always will be."}
                \#(errors(404))
          /api/v1/notifications/{id}/attachments/{identifier}:
            parameters:
              - {$ref: "#/components/parameters/idInPath"}
              - {$ref: "#/components/parameters/attachmentInPath"}
            get:
              tags: [notifications]
              summary: A notification's attachment, as the service extension handed it over
              operationId: attachment
              responses:
                "200": {$ref: "#/components/responses/File"}
                "304": {description: "It is what `If-None-Match` names."}
                \#(errors(404))
        """#
}
