internal import PushcoteConfiguration

extension FuzzTarget {
    /// The text of `config.yaml`, or of an equivalent JSON file.
    static let configuration = FuzzTarget("configuration") { input in
        guard let input = ControlledInput(input), let text = String(validating: input.bytes, as: UTF8.self) else {
            return
        }
        // A fixtures setting would read the file system.
        guard !text.contains("fixtures") else { return }
        do throws(ConfigurationError) {
            _ = try ConfigurationSources().load(text: text, name: input.has(0) ? "config.json" : "config.yaml")
        } catch {
            precondition(!error.problems.isEmpty && !error.description.isEmpty, "refused without a reason")
        }
    }
}
