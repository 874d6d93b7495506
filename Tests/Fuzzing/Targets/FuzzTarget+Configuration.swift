internal import PushcoteConfiguration

extension FuzzTarget {
    /// The text of `config.yaml`, or of a JSON file in its place.
    static let configuration = FuzzTarget("configuration") { input in
        guard let input = ControlledInput(input), let text = String(validating: input.bytes, as: UTF8.self) else {
            return
        }
        // A folder of fixtures would be looked for.
        guard !text.contains("fixtures") else { return }
        do throws(ConfigurationError) {
            _ = try ConfigurationSources().load(text: text, name: input.has(0) ? "config.json" : "config.yaml")
        } catch {
            precondition(!error.problems.isEmpty && !error.description.isEmpty, "refused without a reason")
        }
    }
}
