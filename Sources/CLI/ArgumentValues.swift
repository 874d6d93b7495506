public import APNs
public import ArgumentParser
internal import Fields

// Types of options. The conformances are public because types and protocol are.

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

/// A notification's number, or `latest`.
enum NotificationID: ExpressibleByArgument, CustomStringConvertible {
    case number(UInt64)
    case latest

    init?(argument: String) {
        if argument == "latest" {
            self = .latest
        } else if let number = UInt64(argument) {
            self = .number(number)
        } else {
            return nil
        }
    }

    var description: String {
        switch self {
        case .number(let number): String(number)
        case .latest: "latest"
        }
    }
}
