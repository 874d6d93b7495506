public import APNs
public import ArgumentParser
internal import Fields

// Types of options. The conformances are public because types and protocol are.

extension AdminAddress: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

extension APNsEnvironment: ExpressibleByArgument {}

/// `10s`, `500ms` or `PT10S`.
extension Duration: @retroactive ExpressibleByArgument {
    public init?(argument: String) {
        guard let duration = DurationText.duration(argument) else { return nil }
        self = duration
    }

    public var defaultValueDescription: String { DurationText.text(self) }
}

extension PushType: ExpressibleByArgument {
    public init?(argument: String) { self.init(name: argument) }

    public static var allValueStrings: [String] { allCases.map(\.name) }
}
