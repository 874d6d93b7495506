internal import ArgumentParser
internal import Clients
internal import Files
internal import JSON

/// Writes a picture instead of text.
struct PictureOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Write a picture to this file; \"-\" is standard output.", valueName: "file"))
    var svg: String?

    @Option(help: ArgumentHelp("light, dark, or auto for both. (default: light)", valueName: "colours"))
    var appearance: String?

    func validate() throws {
        guard svg != nil || appearance == nil else { throw ValidationError("--appearance needs --svg FILE.") }
    }

    /// nil if no picture is asked for.
    func result(
        of path: [String], _ query: APICall.Query = [], with client: AdminClient, asJSON: Bool
    ) async throws -> CommandResult? {
        guard let svg else { return nil }
        let call = APICall(.get, path, query: query + [("appearance", appearance)])
        return try await client.send(call).written(to: svg, access: .everybody, asJSON: asJSON)
    }
}

/// Writes a picture of the device's screen instead of text.
struct ScreenPictureOptions: ParsableArguments {
    @OptionGroup var picture: PictureOptions

    @Option(
        help: ArgumentHelp(
            "What to draw: lockScreen, notificationCenter, banner, expanded, watch, carPlay or homeIcon. (default: what is in sight)",
            valueName: "form"))
    var form: String?

    func validate() throws {
        guard picture.svg != nil || form == nil else { throw ValidationError("--form needs --svg FILE.") }
    }

    func result(of path: [String], with client: AdminClient, asJSON: Bool) async throws -> CommandResult? {
        try await picture.result(of: path, [("form", form)], with: client, asJSON: asJSON)
    }
}

extension HTTPAnswer {
    /// Prints the body if the file is "-", else writes it and prints its size.
    func written(to file: String, access: FileStore.Access, asJSON: Bool) throws -> CommandResult {
        guard file != "-" else { return CommandResult(text) }
        do {
            try FileStore.write(body, to: file, access: access)
        } catch {
            throw CommandFailure(.failed, "\(error)")
        }
        let report: JSONValue = ["file": .string(file), "byteCount": .integer(body.count)]
        return CommandResult(asJSON ? report.indentedText : "\(file): \(body.count) bytes")
    }
}
