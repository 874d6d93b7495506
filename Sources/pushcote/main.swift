import App
import Logging

let server = try PushcoteServer(try ConfigurationSources().load().configuration, sources: ConfigurationSources(), logger: Logger(label: "pushcote"))
try await server.run(handlesSignals: true) { print($0.addresses, "Ready.") }
